internal import Histogram
internal import SceneHistory
package import SceneJournal
internal import StrictJSON

/// Makes a soak of what a journal has of a unit, so that a run that nobody watched can be judged and reported like one
/// that was driven. Takes one record at a time; memory is bounded by what is open and by the number of intervals.
///
/// Latency is what the daemon itself saw, from an event's admission to the end of its first attempt: how long a client
/// waited besides, no journal knows.
package struct JournalSoak {
    /// How a journal is made into a soak.
    package struct Options: Hashable, Sendable {
        /// How long an interval is.
        package var every: Duration = .seconds(10)
        /// What is computed for each, in percent.
        package var percentiles: [Double] = [50, 90, 99, 99.9]
        /// How many events and scenes of one host may be open at once before its verdicts are unknown.
        package var budget = HistoryChecker.usualLimit

        package init() {}
    }

    /// The most intervals; what comes later counts for the last.
    private static let mostIntervals = 100_000

    /// An event of which the first attempt has not ended.
    private struct Waiting {
        let since: Int
        let kind: String?
    }

    fileprivate struct Key: Hashable {
        let scene: String
        let ticket: Int
    }

    /// One host while it is followed.
    private struct Host {
        /// What to add to its clock to get microseconds since 1970.
        let offset: Int
        var lastIndex: Int
        var waiting: [Key: Waiting] = [:]
        var parked = 0
        var coordinators = 0
        var connected: Set<String> = []
        var timeline: SceneTimeline
    }

    private let options: Options
    private var run: SoakRun
    private var checker: HistoryChecker
    private var hosts: [String: Host] = [:]
    private var interval = SoakRun.histogram()
    private var began: UInt64?

    /// - Parameter place: What it ran on, as far as is known; the app is taken from the records.
    package init(place: SoakRun.Place, options: Options = Options()) {
        self.options = options
        checker = HistoryChecker(limit: options.budget)
        run = SoakRun(plan: nil, place: place, began: 0)
    }

    /// Reads all that `query` asks for.
    ///
    /// - Throws: ``JournalProblem`` where there is nothing to read.
    package static func read(
        _ query: JournalQuery,
        options: Options = Options()
    ) throws -> (run: SoakRun, history: JournalHistory) {
        var soak = JournalSoak(place: SoakRun.Place(query.place), options: options)
        let history = try RecordJournal(query).read { soak.add($0) }
        return (soak.finish(history), history)
    }

    /// Takes the next record.
    package mutating func add(_ entry: RecordJournal.Entry) {
        checker.check(entry.line)
        guard case .record(let record) = entry.line else { return }
        if began == nil {
            began = entry.received.microseconds
            run.began = entry.received.microseconds
        }
        var host =
            hosts.removeValue(forKey: record.host)
            ?? Host(
                offset: Int(clamping: entry.received.microseconds) - record.time / 1_000,
                lastIndex: record.index - 1,
                timeline: SceneTimeline(shortest: options.every / 10)
            )
        // What was open where records are missing may have ended meanwhile.
        if record.index != host.lastIndex + 1 { host.waiting = [:] }
        host.lastIndex = record.index
        let time = time(of: record, host)
        advance(to: time)
        host.timeline.take(record, at: time)
        count(record, entry.object, &host, time)
        sample(record.host, host)
        hosts[record.host] = host
    }

    /// The soak, with the hosts that the journal tells of. Asked once.
    package mutating func finish(_ history: JournalHistory) -> SoakRun {
        let report = checker.finish()
        closeInterval()
        run.length = history.last.map { offset(of: $0) } ?? .zero
        for journalled in history.hosts {
            var host = SoakHost(id: journalled.host, start: offset(of: journalled.first))
            host.end = offset(of: journalled.last)
            (host.invocation, host.boot) = (journalled.invocation, journalled.boot)
            host.ending = SoakHost.Ending(journalled.ending)
            host.gaps = journalled.gaps.map { gap in
                SoakHost.Gap(
                    first: gap.first,
                    last: gap.last,
                    at: offset(of: gap.at),
                    cause: SoakHost.Gap.Cause(gap.cause)
                )
            }
            host.report = report.hosts.first { $0.host == journalled.host }
            run.hosts.append(host)
            guard var state = hosts[journalled.host] else { continue }
            run.scenes += state.timeline.finish(at: host.end)
            // Who was admitted and not answered when the process went.
            if host.ending.isAbrupt, !run.intervals.isEmpty {
                run.intervals[index(of: host.end)].cutOff += state.waiting.count
            }
        }
        return run
    }

    // MARK: - Times

    private func time(of record: HistoryRecord, _ host: Host) -> Duration {
        let began = Int(clamping: began ?? 0)
        return max(.zero, .microseconds(host.offset - began) + .nanoseconds(record.time))
    }

    private func offset(of time: JournalTime) -> Duration {
        .microseconds(Int(clamping: time.microseconds) - Int(clamping: began ?? 0))
    }

    private func index(of time: Duration) -> Int {
        let index = Int(max(0, time / options.every).rounded(.down))
        return min(index, Self.mostIntervals - 1, max(0, run.intervals.count - 1))
    }

    /// Begins the intervals up to this time.
    private mutating func advance(to time: Duration) {
        let wanted = min(Int((time / options.every).rounded(.down)), Self.mostIntervals - 1)
        while run.intervals.count <= wanted {
            closeInterval()
            run.intervals.append(
                SoakInterval(start: options.every * run.intervals.count, length: options.every, isWarmUp: false)
            )
        }
    }

    private mutating func closeInterval() {
        guard interval.totalCount > 0, let last = run.intervals.indices.last else { return }
        for percentile in options.percentiles + [100] {
            run.intervals[last].percentiles[percentile] = interval.valueAtPercentile(percentile)
        }
        interval = SoakRun.histogram()
    }

    // MARK: - Records

    private mutating func count(_ record: HistoryRecord, _ object: JSONObject, _ host: inout Host, _ time: Duration) {
        let place = index(of: time)
        switch record.body {
        case .hostStarted:
            let words = ["app", "manifestVersion"].compactMap { object[$0]?.stringValue }
            if !words.isEmpty { run.place.app = words.joined(separator: ", manifest ") }
        case .eventAdmitted:
            run.intervals[place].due += 1
            run.intervals[place].sent += 1
            guard let key = Key(record) else { return }
            host.waiting[key] = Waiting(since: record.time, kind: object["eventKind"]?.stringValue)
        case .dispatchEnded(let end):
            guard record.attempt == 1, let key = Key(record) else { return }
            run.intervals[place].answered += 1
            run.intervals[place].outcomes[end.outcome.rawValue, default: 0] += 1
            guard let waiting = host.waiting.removeValue(forKey: key) else { return }
            let latency = UInt64(clamping: record.time - waiting.since)
            interval.record(latency)
            run.latency.record(latency)
            if let kind = waiting.kind {
                run.latencyByKind[kind, default: SoakRun.histogram()].record(latency)
            }
        case .gateParked: host.parked += 1
        case .gateResumed, .gateSuperseded, .gateAbandoned: host.parked -= 1
        case .coordinatorAttached: host.coordinators += 1
        case .coordinatorDetached: host.coordinators -= 1
        case .sceneConnected: if let scene = record.scene { host.connected.insert(scene) }
        case .sceneDisconnected, .sceneDiscarded: if let scene = record.scene { host.connected.remove(scene) }
        default: break
        }
    }

    /// What the records say of the daemon's state, for the interval that is going on.
    private mutating func sample(_ id: String, _ host: Host) {
        guard let last = run.intervals.indices.last else { return }
        var sample = SoakSample(host: id)
        sample.pending = host.waiting.count
        sample.parked = host.parked
        sample.coordinators = host.coordinators
        sample.scenes = host.connected.count
        run.intervals[last].sample = sample
    }
}

extension JournalSoak.Key {
    fileprivate init?(_ record: HistoryRecord) {
        guard let scene = record.scene, let ticket = record.ticket else { return nil }
        self.init(scene: scene, ticket: ticket)
    }
}
