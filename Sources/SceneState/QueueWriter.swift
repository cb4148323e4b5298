internal import Basics
internal import GRDB
internal import SceneRuntime

/// What was handed over and is not written yet, and who waits for it.
struct StepQueue: Sendable {
    enum Entry: Sendable {
        /// A step, with the date when it was handed over.
        case step(KeptStep, wall: Double)
        case begin(KeptHost)

        var isBegin: Bool { if case .begin = self { true } else { false } }
    }

    /// Somebody who wants to know when so many entries are kept.
    struct Notice: Sendable {
        let count: Int
        /// Whether it waits for as long as it takes; otherwise no longer than until something cannot be written.
        let isPatient: Bool
        let notify: @Sendable (_ isKept: Bool) -> Void
    }

    private(set) var entries: [Entry] = []
    /// How many entries were handed over, and how many of them are kept.
    private(set) var handed = 0
    fileprivate(set) var kept = 0
    /// The index of the newest record that is kept; 0 for none.
    var newestRecord = 0
    /// Somebody waits for so many, however long the writer likes to gather more.
    var urgent = 0
    /// In the order asked.
    var notices: [Notice] = []
    /// Whether the writer is about to call some of them.
    private var isNotifying = false
    /// Why nothing can be written at present.
    fileprivate(set) var trouble: StateError?
    /// Why nothing is written any more.
    fileprivate(set) var failure: StateError?
    /// Whether the writer ends once it has written all, and leaves the database as closed.
    var isEnding = false
    var isClosing = false
    fileprivate(set) var hasEnded = false
    /// Whether something was handed over that is not kept and will not be.
    private(set) var hasLost = false

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

    /// - Returns: Who does not wait until it is over.
    fileprivate mutating func meet(_ trouble: StateError) -> [@Sendable (Bool) -> Void] {
        self.trouble = trouble
        defer { notices.removeAll { !$0.isPatient } }
        return notices.filter { !$0.isPatient }.map(\.notify)
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
    /// How long after a transaction that has failed it is tried again.
    let pause: Duration
    /// Whether each step has a transaction of its own.
    let isStepByStep: Bool
    let report: @Sendable (StateNews) -> Void
    var steps: StepWriter
    private var lastBegin: ContinuousClock.Instant?

    init(
        files: StateFiles,
        pool: DatabasePool,
        queue: Monitor<StepQueue>,
        pace: Duration,
        pause: Duration,
        isStepByStep: Bool,
        report: @escaping @Sendable (StateNews) -> Void,
        steps: StepWriter
    ) {
        self.files = files
        self.pool = pool
        self.queue = queue
        self.pace = pace
        self.pause = pause
        self.isStepByStep = isStepByStep
        self.report = report
        self.steps = steps
    }

    /// Returns when the store has ended.
    mutating func run() {
        do throws(StateError) {
            while let entries = next() {
                if isStepByStep {
                    for entry in entries { try keep([entry]) }
                } else {
                    try keep(entries)
                }
            }
            if queue.change({ $0.isClosing }) { try close() }
        } catch {
            let (refused, news) = queue.change { queue in
                let steps = queue.handed - queue.kept
                let isCut = queue.isEnding && steps > 0
                let news: StateNews = isCut ? .unwritten(error, steps: steps) : .lost(error)
                return (queue.fail(error), news)
            }
            report(news)
            for notify in refused { notify(false) }
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

    /// - Throws: If the database is not what it was. If only the last words cannot be written, nothing is missing: they save the next one from
    ///   looking through all.
    private func close() throws(StateError) {
        try files.checkPlace()
        do {
            try files.closeDatabase(pool)
        } catch {
            let refusal = files.place.refusal(of: error, whileWriting: true)
            if !refusal.mayPass { throw refusal }
        }
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

    /// Writes entries in one transaction, as often as it takes, and tells who has waited for them.
    /// - Throws: If they cannot be written, ever or before the end.
    private mutating func keep(_ entries: [StepQueue.Entry]) throws(StateError) {
        while true {
            do throws(StateError) {
                try write(entries)
                break
            } catch {
                try meet(error, for: entries)
            }
        }
        let wasFailing = queue.change { queue in
            queue.kept += entries.count
            queue.newestRecord = steps.newestRecord
            defer { queue.trouble = nil }
            return queue.trouble != nil
        }
        if wasFailing { report(.working) }
        while true {
            let ready = queue.change { $0.takeNotices() }
            if ready.isEmpty { break }
            for notify in ready { notify(true) }
        }
        // A host that has begun is in the database itself, so that whoever loses the log of changes does not find it empty. If that fails, the
        // log has it.
        if entries.contains(where: \.isBegin) { try files.log.move(pool) } else { try files.log.moveIfLong(pool) }
    }

    private mutating func write(_ entries: [StepQueue.Entry]) throws(StateError) {
        lastBegin = .now
        var written = steps
        do {
            try files.checkPlace()
            try pool.write { db in
                for entry in entries {
                    switch entry {
                    case .step(let step, let wall): try written.write(step, wall: wall, db)
                    case .begin(let host): try written.begin(host, db)
                    }
                }
                try written.finish(db)
            }
        } catch {
            throw files.place.refusal(of: error, whileWriting: true)
        }
        steps = written
    }

    /// Waits until it may be over.
    /// - Throws: `error` if there is nothing to wait for.
    private func meet(_ error: StateError, for entries: [StepQueue.Entry]) throws(StateError) {
        // Whoever begins a host is told at once that it has not begun.
        guard error.mayPass, !entries.contains(where: \.isBegin), !queue.change({ $0.isEnding }) else { throw error }
        let isNews = queue.change { $0.trouble == nil }
        let refused = queue.change { $0.meet(error) }
        if isNews { report(.failing(error)) }
        for notify in refused { notify(false) }
        _ = queue.wait(atMost: pause) { $0.isEnding ? true : nil }
    }
}
