internal import Basics
internal import GRDB
internal import SceneRuntime

/// What was handed over and is not written yet, and who waits for it.
struct StepQueue: Sendable {
    enum Entry: Sendable {
        /// A step, with the date when it was handed over.
        case step(KeptStep, wall: Double)
        case begin(KeptHost)
    }

    private(set) var entries: [Entry] = []
    /// How many entries were handed over, and how many of them are kept.
    private(set) var handed = 0
    fileprivate(set) var kept = 0
    /// Somebody waits for so many, however long the writer likes to gather more.
    var urgent = 0
    /// Who wants to know when so many are kept, in the order asked.
    var notices: [(count: Int, notify: @Sendable (_ isKept: Bool) -> Void)] = []
    /// Whether the writer is about to call some of them.
    private var isNotifying = false
    fileprivate(set) var failure: StateError?
    /// Whether the writer ends once it has written all, and leaves the database as closed.
    var isEnding = false
    var isClosing = false
    fileprivate(set) var hasEnded = false
    /// Whether something was handed over that is not kept and will not be.
    private(set) var hasLost = false

    var isKept: Bool { kept == handed }
    /// Whether nobody has to be told first, or is being told.
    var hasToldAll: Bool { notices.isEmpty && !isNotifying }

    /// - Returns: How many there are with this one; `nil` if nothing is taken any more.
    mutating func add(_ entry: Entry) -> Int? {
        handed += 1
        guard failure == nil, !isEnding else {
            hasLost = true
            return nil
        }
        entries.append(entry)
        return handed
    }

    fileprivate mutating func takeEntries() -> [Entry] {
        defer { entries = [] }
        return entries
    }

    fileprivate mutating func takeNotices() -> [@Sendable (Bool) -> Void] {
        let ready = notices.prefix { $0.count <= kept }
        notices.removeFirst(ready.count)
        isNotifying = !ready.isEmpty
        return ready.map(\.notify)
    }

    /// - Returns: Who waits for what is not kept now.
    fileprivate mutating func fail(_ error: StateError) -> [@Sendable (Bool) -> Void] {
        failure = error
        hasLost = true
        entries = []
        return takeAllNotices()
    }

    fileprivate mutating func takeAllNotices() -> [@Sendable (Bool) -> Void] {
        defer { notices = [] }
        return notices.map(\.notify)
    }
}

/// Writes what is handed over, on a thread of its own.
struct QueueWriter: Sendable {
    let files: StateFiles
    let pool: DatabasePool
    let queue: Monitor<StepQueue>
    /// How long after the begin of a transaction the next one begins at the earliest.
    let pace: Duration
    /// Whether each step has a transaction of its own.
    let isStepByStep: Bool
    let failure: @Sendable (StateError) -> Void
    var steps: StepWriter
    private var lastBegin: ContinuousClock.Instant?

    init(
        files: StateFiles,
        pool: DatabasePool,
        queue: Monitor<StepQueue>,
        pace: Duration,
        isStepByStep: Bool,
        failure: @escaping @Sendable (StateError) -> Void,
        steps: StepWriter
    ) {
        self.files = files
        self.pool = pool
        self.queue = queue
        self.pace = pace
        self.isStepByStep = isStepByStep
        self.failure = failure
        self.steps = steps
    }

    /// Returns when the store has ended.
    mutating func run() {
        do {
            while let entries = next() {
                if isStepByStep {
                    for entry in entries { try write([entry]) }
                } else {
                    try write(entries)
                }
            }
            if queue.change({ $0.isClosing }) { try files.closeDatabase(pool) }
        } catch {
            fail(error)
        }
        // What is kept can be read until then.
        queue.wait { $0.isEnding ? () : nil }
        try? pool.close()
        files.release()
        let refused = queue.change { queue in
            queue.hasEnded = true
            return queue.takeAllNotices()
        }
        for notify in refused { notify(false) }
    }

    /// Waits until there is something to write.
    /// - Returns: All of it; `nil` at the end.
    private func next() -> [StepQueue.Entry]? {
        let isLast = queue.wait { queue in
            queue.entries.isEmpty ? (queue.isEnding ? true : nil) : false
        }
        if isLast { return nil }
        if let lastBegin, pace > .zero {
            let rest = pace - lastBegin.duration(to: .now)
            _ = queue.wait(atMost: rest) { queue in
                queue.isEnding || queue.urgent > queue.kept ? true : nil
            }
        }
        return queue.change { $0.takeEntries() }
    }

    /// Writes entries in one transaction, and tells who has waited for them.
    private mutating func write(_ entries: [StepQueue.Entry]) throws {
        lastBegin = .now
        try pool.write { db in
            for entry in entries {
                switch entry {
                case .step(let step, let wall): try steps.write(step, wall: wall, db)
                case .begin(let host): try steps.begin(host, db)
                }
            }
            try steps.finish(db)
        }
        queue.change { $0.kept += entries.count }
        while true {
            let ready = queue.change { $0.takeNotices() }
            if ready.isEmpty { return }
            for notify in ready { notify(true) }
        }
    }

    private func fail(_ error: any Error) {
        let error =
            error as? StateError ?? .cannotWrite(path: files.path, reason: StateFiles.text(error))
        let refused = queue.change { $0.fail(error) }
        failure(error)
        for notify in refused { notify(false) }
    }
}
