internal import SceneHistory
internal import StrictJSON

/// Follows the records of a journal in order and finds what is missing, why, and how each run ended. It reads nothing itself.
struct JournalFollower {
    /// Where an entry came from, by fields that only journald can write.
    struct Origin: Hashable, Sendable {
        var unit: String?
        var invocation: String?
        var boot: String?
        var process: Int32?
        var namespace: String?
        /// When the host started; this one is from the daemon.
        var hostStarted: JournalTime?
    }

    /// How a process ended, by the service manager's message.
    struct Exit: Hashable, Sendable {
        /// `exited`, `killed` or `dumped`.
        var code: String
        /// The exit status or the signal.
        var status: Int
    }

    /// Questions that need another look into the journal or at the machine.
    struct Lookups {
        /// Whether the journal has this record of this host at any time.
        var has: (_ host: String, _ index: Int) -> Bool
        /// The time of the oldest entry of any unit in a namespace; `nil` is the default namespace.
        var oldest: (_ namespace: String?) -> JournalTime?
        /// Whether the process that wrote entries in this boot still runs.
        var isRunning: (_ process: Int32, _ boot: String) -> Bool
    }

    /// The state of a host while its records are followed.
    fileprivate struct Open {
        var summary: JournalledHost
        var hasStopped = false
        /// Records to come that are known to be missing, and why.
        var announced: [(indices: ClosedRange<Int>, cause: JournalGap.Cause)] = []
        /// How many suppressed messages do not explain a missing record yet.
        var suppressed = 0
    }

    private(set) var history = JournalHistory()
    private var open: [String: Open] = [:]
    private var order: [String] = []
    private var boots: [String] = []
    private var exits: [String: Exit] = [:]
    /// The invocations of which the daemon has said that it has stopped.
    private var stopped: Set<String> = []
    private var announcedBeforeAny: [ClosedRange<Int>] = []
    private let hasBeginning: Bool
    private let hasEnd: Bool

    /// - Parameters:
    ///   - hasBeginning: whether the journal is read from its beginning rather than from a time.
    ///   - hasEnd: whether the journal is read to its end rather than to a time.
    init(hasBeginning: Bool, hasEnd: Bool) {
        self.hasBeginning = hasBeginning
        self.hasEnd = hasEnd
    }

    // MARK: - Entries

    /// Takes the next record.
    ///
    /// - Parameters:
    ///   - isLast: Whether it says that the host has stopped.
    ///   - isRestart: Whether it says that the host goes on in another run of the daemon.
    ///   - origin: Where it came from; asked for only if it is the first of a run.
    mutating func record(
        host: String,
        index: Int,
        isLast: Bool,
        isRestart: Bool = false,
        at time: JournalTime,
        _ lookups: Lookups,
        origin: () throws -> Origin
    ) rethrows {
        history.records += 1
        history.first = history.first ?? time
        history.last = time
        if open[host] == nil {
            guard order.count < HistoryChecker.mostHosts else {
                history.isOverrun = true
                return
            }
            begin(host, index, time, try origin(), lookups)
        } else if isRestart {
            let origin = try origin()
            note(boot: origin.boot)
            open[host]?.goOn(origin, with: index)
        }
        guard var state = open.removeValue(forKey: host) else { return }
        state.summary.records += 1
        if index > state.summary.lastIndex + 1 {
            state.miss(state.summary.lastIndex + 1...index - 1, at: time, otherwise: .unexplained)
        }
        state.summary.lastIndex = max(index, state.summary.lastIndex)
        state.summary.last = time
        if isLast { state.hasStopped = true }
        open[host] = state
    }

    private mutating func begin(
        _ host: String,
        _ index: Int,
        _ time: JournalTime,
        _ origin: Origin,
        _ lookups: Lookups
    ) {
        var summary = JournalledHost(host: host, firstIndex: index, at: time)
        (summary.unit, summary.invocation, summary.boot) = (origin.unit, origin.invocation, origin.boot)
        (summary.process, summary.namespace) = (origin.process, origin.namespace)
        summary.started = origin.hostStarted
        note(boot: origin.boot)
        var state = Open(summary: summary)
        state.announced = announcedBeforeAny.map { ($0, .daemon) } + inherited(origin)
        announcedBeforeAny = []
        if index > 1 {
            var cause = JournalGap.Cause.unexplained
            if !hasBeginning, lookups.has(host, index - 1) {
                cause = .beforeSince
            } else if let started = origin.hostStarted, let oldest = lookups.oldest(origin.namespace), oldest > started
            {
                cause = .rotation
            }
            state.miss(1...index - 1, at: time, otherwise: cause)
        }
        order.append(host)
        open[host] = state
    }

    /// Records that the daemon dropped while one host replaced another may be of both, but were announced for the first.
    private func inherited(_ origin: Origin) -> [(ClosedRange<Int>, JournalGap.Cause)] {
        guard let last = order.last.flatMap({ open[$0] }), let process = origin.process,
            last.summary.process == process, last.summary.boot == origin.boot
        else { return [] }
        return last.announced.filter { $0.cause == .daemon }.map { (1...$0.indices.count, .daemon) }
    }

    /// The daemon dropped `count` records of a host after this index.
    mutating func dropped(host: String, after index: Int, count: Int) {
        guard (1...JSONReader.largest).contains(count), (0..<JSONReader.largest).contains(index) else { return }
        let indices = index + 1...index + count
        if host.isEmpty {
            announcedBeforeAny.append(1...count)
        } else {
            open[host]?.announced.append((indices, .daemon))
        }
    }

    /// There is an entry without its record, which was too long.
    mutating func tooLong(host: String, index: Int) {
        open[host]?.announced.append((index...index, .tooLong))
    }

    /// journald suppressed messages of a unit. Its message comes with the next one of the same priority, which may be after
    /// records of other priorities, and even after those of the unit's next run.
    mutating func suppressed(unit: String?, count: Int) {
        history.suppressed = history.suppressed.saturated(adding: count)
        let ofUnit = order.reversed().filter { unit == nil || open[$0]?.summary.unit == unit }
        var rest = count
        for host in ofUnit.prefix(2) {
            let before = open[host]?.suppressed ?? 0
            open[host]?.suppressed = rest.saturated(adding: before)
            open[host]?.explainBySuppression()
            rest = open[host]?.suppressed ?? rest
            open[host]?.suppressed = 0
        }
        // The rest may explain records that are missing later.
        if let newest = ofUnit.first { open[newest]?.suppressed = rest }
    }

    /// A process of an invocation has ended.
    mutating func exited(invocation: String, _ exit: Exit) { exits[invocation] = exit }

    /// The daemon has said in an invocation that it has stopped, as it should.
    mutating func stopped(invocation: String) { stopped.insert(invocation) }

    /// There is an entry of this boot.
    mutating func note(boot: String?) {
        if let boot, boots.last != boot { boots.append(boot) }
    }

    /// A record was logged in brief.
    mutating func brief() { history.brief += 1 }
    /// An entry's JSON is not a record.
    mutating func bad() { history.bad += 1 }

    // MARK: - The end

    /// The result. Called once, after the last entry.
    mutating func finish(_ lookups: Lookups) -> JournalHistory {
        for (number, host) in order.enumerated() {
            guard var state = open[host] else { continue }
            // After records that the daemon dropped at the end, there is no record that shows the gap.
            for (indices, cause) in state.announced where indices.upperBound > state.summary.lastIndex {
                let first = max(indices.lowerBound, state.summary.lastIndex + 1)
                state.add(JournalGap(first: first, last: indices.upperBound, at: state.summary.last, cause: cause))
            }
            let later = order[(number + 1)...].compactMap { open[$0]?.summary }
            state.summary.ending = ending(of: state, later, lookups)
            for place in state.summary.runs.indices {
                let run = state.summary.runs[place]
                state.summary.runs[place].ending = ending(run.invocation, run.boot) ?? .succeeded
            }
            history.hosts.append(state.summary)
        }
        return history
    }

    private func ending(of state: Open, _ later: [JournalledHost], _ lookups: Lookups) -> JournalledHost.Ending {
        let host = state.summary
        if let process = host.process,
            later.contains(where: { $0.process == process && $0.boot == host.boot && $0.invocation == host.invocation })
        {
            return .replaced
        }
        if state.hasStopped { return .stopped }
        if !hasEnd, lookups.has(host.host, host.lastIndex + 1) { return .continues }
        let isRunning =
            if let process = host.process, let boot = host.boot { lookups.isRunning(process, boot) } else { false }
        if let ending = ending(host.invocation, host.boot, isRunning: isRunning) { return ending }
        if let unit = host.unit, later.contains(where: { $0.unit == unit }) { return .succeeded }
        return .unknown
    }

    /// How a run ended by what the daemon, the service manager and the boots say; `nil` if they do not.
    private func ending(_ invocation: String?, _ boot: String?, isRunning: Bool = false) -> JournalledHost.Ending? {
        if let invocation, stopped.contains(invocation) { return .stopped }
        if let exit = invocation.flatMap({ exits[$0] }) {
            return exit.code == "exited" ? .exited(status: exit.status) : .killed(signal: exit.status)
        }
        if isRunning { return .running }
        if let boot, let place = boots.firstIndex(of: boot), place < boots.count - 1 { return .machineWentDown }
        return nil
    }
}

extension JournalFollower.Open {
    /// The host goes on in another run of the daemon, with the record of this index.
    fileprivate mutating func goOn(_ origin: JournalFollower.Origin, with index: Int) {
        summary.restarts += 1
        if summary.runs.count < JournalledHost.keptRuns {
            summary.runs.append(
                JournalledHost.Run(
                    invocation: summary.invocation,
                    boot: summary.boot,
                    process: summary.process,
                    next: index
                )
            )
        }
        (summary.invocation, summary.boot, summary.process) = (origin.invocation, origin.boot, origin.process)
        hasStopped = false
    }

    /// Adds gaps for missing records, with the causes announced, or else with `cause`.
    fileprivate mutating func miss(_ missing: ClosedRange<Int>, at time: JournalTime, otherwise cause: JournalGap.Cause)
    {
        var next = missing.lowerBound
        for (indices, announced) in announced.sorted(by: { $0.indices.lowerBound < $1.indices.lowerBound }) {
            let first = max(indices.lowerBound, next)
            let last = min(indices.upperBound, missing.upperBound)
            guard first <= last else { continue }
            if first > next { add(JournalGap(first: next, last: first - 1, at: time, cause: cause)) }
            add(JournalGap(first: first, last: last, at: time, cause: announced))
            next = last + 1
        }
        if next <= missing.upperBound {
            add(JournalGap(first: next, last: missing.upperBound, at: time, cause: cause))
        }
        announced = []
        explainBySuppression()
    }

    /// Lets suppressed messages explain missing records that have no other cause, the newest first.
    fileprivate mutating func explainBySuppression() {
        for index in summary.gaps.indices.reversed() where summary.gaps[index].cause == .unexplained {
            let count = summary.gaps[index].count
            guard count <= suppressed else { return }
            suppressed -= count
            summary.gaps[index].cause = .rateLimit
            summary.missing[.unexplained, default: 0] -= count
            summary.missing[.rateLimit, default: 0] += count
        }
        if summary.missing[.unexplained] == 0 { summary.missing[.unexplained] = nil }
    }

    fileprivate mutating func add(_ gap: JournalGap) {
        summary.missing[gap.cause] = gap.count.saturated(adding: summary.missing[gap.cause] ?? 0)
        if summary.gaps.count < JournalledHost.keptGaps { summary.gaps.append(gap) }
    }
}

extension Int {
    /// The sum, or the largest integer: anybody may have written the numbers of a journal.
    fileprivate func saturated(adding other: Int) -> Int {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? other < 0 ? .min : .max : sum
    }
}
