internal import CInterleaving

/// Which tasks look at a clock again and again in the last quarter of the most steps that a run may take, while virtual time stands still.
struct ClockLooks {
    private var places: [Int: (times: Int, place: UInt)] = [:]
    private var sleepers: Set<Int> = []
    /// Whether everything waited, so that time went on.
    var wasAtRest = false
    /// Whether anybody asks.
    var isWatching = false

    mutating func removeAll() {
        places.removeAll(keepingCapacity: true)
        sleepers.removeAll(keepingCapacity: true)
        wasAtRest = false
        isWatching = false
    }

    /// Notes that a task looked at a clock in a step.
    /// - Parameter place: The address of the call; 0 if it is not known.
    mutating func add(_ task: Int, at place: UInt) {
        places[task, default: (0, place)].times += 1
    }

    /// Notes that a task sleeps, or waits with a limit on time: that it looks at a clock is not what keeps it.
    mutating func addSleeper(_ task: Int) { sleepers.insert(task) }

    /// The first task that looks and does not sleep, in words, such as `task 0 looks at a clock at Poll.swift:12 again and again`; nil if there is
    /// none.
    func words(_ tasks: TaskTable) -> String? {
        guard !wasAtRest,
            let (task, look) = places.filter({ $0.value.times > 1 && !sleepers.contains($0.key) }).min(by: {
                $0.key < $1.key
            })
        else { return nil }
        let title = tasks.entries[task].name.map { "task \(task) “\($0)”" } ?? "task \(task)"
        let place = CodePlace.description(of: look.place).map { " \($0)" } ?? ""
        return "\(title) looks at a clock\(place) again and again"
    }
}

extension Simulator {
    /// Takes what became possible first, and notes whether it looks at a clock or begins to sleep.
    func performFirstWatchingClocks() {
        looks.isWatching = true
        let sleeping = timers.count
        interleaving_await_clock_look()
        performFirst()
        var place: UInt = 0
        if interleaving_clock_look(&place) { looks.add(runningTask, at: place) }
        if timers.count > sleeping { looks.addSleeper(runningTask) }
    }
}
