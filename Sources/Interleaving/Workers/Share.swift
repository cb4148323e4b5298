/// The part of an exploration's runs that one process makes: every so-manieth, so that all parts find about as much.
///
/// What a run does follows from the seed of the exploration and the number of the run, whichever process makes it.
struct Share: Hashable, Sendable {
    let index: Int
    let count: Int
    /// Runs that were made already, or ended the process that made them.
    var done: Set<Int> = []
    /// The first run of the part that is still to be made.
    var first = 0

    /// All runs.
    static let whole = Share(index: 0, count: 1)

    init(index: Int, count: Int) {
        self.index = index
        self.count = count
    }

    /// Whether a run belongs to the part and is to be made.
    func contains(_ iteration: Int) -> Bool {
        iteration % count == index && iteration >= first && !done.contains(iteration)
    }

    /// Whether a run is to be made, for itself or for what is learned from it.
    func includes(_ iteration: Int) -> Bool {
        contains(iteration) || iteration <= firstRuns && !done.contains(iteration)
    }
}
