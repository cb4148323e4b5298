internal import Histogram
internal import SceneHistory
package import SceneJournal
package import SceneModel
internal import StrictJSON

/// Makes a soak from the records in a journal, so that a run that nobody watched can be judged and reported like any other.
/// It takes one record at a time; what is open and the number of intervals bound its memory.
///
/// Latency is the time from an event's admission to the end of its first attempt. A journal does not tell how long the client
/// waited before and after.
package struct JournalSoak {
    /// How to make the soak.
    package struct Options: Sendable {
        /// The length of an interval.
        package var every: Duration = .seconds(10)
        /// The percentiles to compute for each interval.
        package var percentiles: [Double] = [50, 90, 99, 99.9]
        /// How many events and scenes of one host may be open at once before its verdicts become unknown.
        package var budget = HistoryChecker.usualLimit
        /// The versions of the app by whose manifests the records are judged; none if they are not known.
        package var apps: [AppModel] = []

        package init() {}
    }

    /// The most intervals; later events count for the last one.
    private static let mostIntervals = 100_000

    /// An event whose first attempt has not ended.
    private struct Waiting {
        let since: Int
        let kind: String?
    }

    fileprivate struct Key: Hashable {
        let scene: String
        let ticket: Int
    }

    /// The state of one host.
    private struct Host {
        /// What to add to the host's clock to get microseconds since 1970.
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

    /// - Parameter place: The machine, as far as it is known; the app is taken from the records.
    package init(place: SoakRun.Place, options: Options = Options()) {
        self.options = options
        checker = HistoryChecker(limit: options.budget, apps: options.apps)
        run = SoakRun(plan: nil, place: place, began: 0)
    }

    /// Reads all records that match `query`.
    ///
    /// - Throws: ``JournalProblem`` if there is nothing to read.
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
        // Where records are missing, open events may have ended.
        if record.index != host.lastIndex + 1 { host.waiting = [:] }
        host.lastIndex = record.index
        let time = time(of: record, host)
        advance(to: time)
        host.timeline.take(record, at: time)
        count(record, entry.object, &host, time)
        sample(record.host, host)
        hosts[record.host] = host
    }

    /// The soak, with the hosts of the journal. Called once, at the end.
    package mutating func finish(_ history: JournalHistory) -> SoakRun {
        let report = checker.finish()
        closeInterval()
        run.length = history.last.map { offset(of: $0) } ?? .zero
        for journalled in history.hosts {
            var host = SoakHost(id: journalled.host, start: offset(of: journalled.first))
            host.end = offset(of: journalled.last)
            (host.invocation, host.boot) = (journalled.invocation, journalled.boot)
            host.ending = SoakHost.Ending(journalled.ending)
            host.restarts = journalled.restarts
            // Who went on after a crash has crashed.
            if let crash = journalled.runs.map(\.ending).first(where: { $0 != .stopped }) {
                host.ending = .vanished("\(crash.phrase), and another one went on with it")
            }
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
            // Events that were admitted and not answered when the process ended.
            if SoakHost.Ending(journalled.ending).isAbrupt, !run.intervals.isEmpty {
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

    /// Begins intervals up to this time.
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

    /// Samples the daemon's state, as far as records show it, for the current interval.
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
