/// The different ends of an exploration's runs, how often each came, and the simplest order that led to it.
package struct ExploredEnds: Sendable {
    /// One end.
    package struct End: Hashable, Sendable {
        /// What it is, as ``ExplorationOptions/end`` says it.
        package let text: String
        /// Whether runs that end so have failed.
        package let isFailure: Bool
        /// How many runs ended so, at least 1.
        package fileprivate(set) var runs = 1
        /// The number of the one of them with the fewest deviations, the first of such.
        package fileprivate(set) var example: Int
        /// The order of that one.
        package fileprivate(set) var code: ReplayCode

        init(text: String, isFailure: Bool, runs: Int = 1, example: Int, code: ReplayCode) {
            self.text = text
            self.isFailure = isFailure
            self.runs = runs
            self.example = example
            self.code = code
        }

        /// Takes another run as the example, if that is simpler.
        fileprivate mutating func offer(_ other: Int, _ code: ReplayCode) {
            let (steps, known) = (code.schedule.deviations.count, self.code.schedule.deviations.count)
            guard (steps, other) < (known, example) else { return }
            example = other
            self.code = code
        }

        fileprivate var key: Key { Key(text: text, isFailure: isFailure) }
    }

    /// The most ends that are kept.
    package static let maxKept = 1_000

    private var ends: [Key: End] = [:]
    /// How many runs ended in other ways than those kept.
    package private(set) var others = 0

    fileprivate struct Key: Hashable {
        let text: String
        let isFailure: Bool
    }

    init() {}

    /// All that are kept: the most frequent first, of equals the one whose example came first.
    package var all: [End] {
        // Pieces of a proof count their runs each from 0, so that examples of two ends may have one number.
        ends.values.sorted { ($1.runs, $0.example, $0.text) < ($0.runs, $1.example, $1.text) }
    }

    /// How many runs there were.
    package var runs: Int { ends.values.reduce(others) { $0 + $1.runs } }

    /// Counts a run, by its number and its order, that failed or passed.
    mutating func count(_ text: String, failed: Bool, run number: Int, _ code: ReplayCode) {
        let key = Key(text: text, isFailure: failed)
        guard ends[key] != nil else { return keep(End(text: text, isFailure: failed, example: number, code: code)) }
        ends[key]?.runs += 1
        ends[key]?.offer(number, code)
    }

    /// Adds what another process, which made other runs, has counted.
    mutating func merge(_ other: ExploredEnds) {
        others += other.others
        for end in other.all.sorted(by: { $0.example < $1.example }) {
            guard ends[end.key] != nil else {
                keep(end)
                continue
            }
            ends[end.key]?.runs += end.runs
            ends[end.key]?.offer(end.example, end.code)
        }
    }

    private mutating func keep(_ end: End) {
        if ends.count < Self.maxKept { ends[end.key] = end } else { others += end.runs }
    }

    init(_ ends: [End], others: Int) {
        self.others = others
        for end in ends { keep(end) }
    }
}
