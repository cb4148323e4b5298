internal import DequeModule
internal import SceneClient
internal import SceneHistory
internal import SceneModel
internal import SceneRouting
internal import StrictJSON

/// Follows the daemon's records, checks them as they come, and remembers the newest. Memory does not grow with their number.
actor RecordFollower {
    private let socket: String
    private let clock: any SoakClock
    private let evidence: EvidenceFiles?
    private var checker: HistoryChecker
    private var hosts: [SoakHost] = []
    private var position = 0
    private var newest: Deque<JSONPart> = []
    private var timeline: SceneTimeline
    private var covered: CoverageCounter?
    /// Hosts that the soak killed.
    private var killed: Set<String> = []
    private var violationsSeen = 0
    /// Around the first fault of each kind, until they are written.
    private var stretches: [SoakFault.Kind: FaultStretch] = [:]
    private var pages: [SoakFault.Kind: SoakFault.Page] = [:]

    /// How many of the newest records are remembered, for evidence.
    private static let remembered = 4_000

    init(
        socket: String,
        clock: any SoakClock,
        every: Duration,
        evidence: EvidenceFiles?,
        apps: [AppModel] = [],
        running: AppManifest? = nil
    ) {
        self.socket = socket
        self.clock = clock
        self.evidence = evidence
        checker = HistoryChecker(apps: apps)
        timeline = SceneTimeline(shortest: every / 2)
        covered = running.map(CoverageCounter.init)
    }

    /// Follows one host after another until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                let client = try await SceneClient(path: socket)
                let status = try await DaemonStatus(of: client)
                meet(status.host)
                for try await page in client.followRecordTexts(after: position) {
                    for record in page { take(record) }
                    await lookForViolations()
                    await writeStretches()
                }
                // A stream ends with its host.
                ended(status.host)
            } catch is CancellationError {
                return
            } catch let error as SceneClientError where error.isCutOff {
                ended(hosts.last?.id ?? "", as: .cutOff)
            } catch {
                // The daemon or only this connection was lost; the next host's ID shows which.
                try? await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// How many violations were found so far.
    var violations: Int { violationsSeen }

    /// Announces that the soak kills a host.
    func expectKill(of host: String) { killed.insert(host) }

    /// Takes the announcement back.
    func withdrawKill(of host: String) { killed.remove(host) }

    /// Keeps the records around a fault that begins now, for a page.
    /// - Returns: Whether they are kept: they are for the first fault of its kind, if there is a folder for the page.
    func begins(_ kind: SoakFault.Kind) -> Bool {
        guard evidence != nil, let host = hosts.last, stretches[kind] == nil, pages[kind] == nil else { return false }
        stretches[kind] = FaultStretch(host: host.id, newest: newest)
        return true
    }

    /// Says that the fault is over whose beginning was noted.
    func ends(_ fault: SoakFault) { stretches[fault.kind]?.end(fault) }

    /// Waits until the records of a host up to an index are read, for at most `patience`.
    /// - Returns: Whether they are.
    func reach(_ index: Int, of host: String, patience: Duration) async -> Bool {
        let deadline = clock.now + patience
        while hosts.last?.id != host || position < index {
            guard clock.now < deadline else { return false }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return true
    }

    /// What was seen, when all of it was read.
    struct Findings {
        /// With their verdicts.
        var hosts: [SoakHost]
        var scenes: [SoakSceneSpan]
        /// What of the app was reached.
        var coverage: SoakCoverage?
        /// The pages about the first fault of each kind.
        var pages: [SoakFault.Kind: SoakFault.Page]
    }

    /// Called once, at the end.
    func finish() async -> Findings {
        await lookForViolations()
        await writeStretches(isLast: true)
        let reports = Dictionary(checker.finish().hosts.map { ($0.host, $0) }, uniquingKeysWith: { $1 })
        for index in hosts.indices {
            hosts[index].report = reports[hosts[index].id]
            if killed.contains(hosts[index].id) { hosts[index].ending = .killed }
        }
        let scenes = timeline.finish(at: clock.now)
        return Findings(hosts: hosts, scenes: scenes, coverage: covered?.coverage, pages: pages)
    }

    // MARK: - Records

    private func meet(_ host: String) {
        guard hosts.last?.id != host else { return }
        if let old = hosts.indices.last, hosts[old].ending == .running {
            hosts[old].ending = killed.contains(hosts[old].id) ? .killed : .vanished("another daemon answered")
        }
        timeline.endAll(at: clock.now)
        hosts.append(SoakHost(id: host, start: clock.now))
        position = 0
        newest = []
        for kind in stretches.keys { stretches[kind]?.hostEnded() }
    }

    /// The host goes on after the end of its daemon: what nobody has meant to happen is found all the same.
    private func goOn(_ index: Int) {
        hosts[index].restarts += 1
        if killed.remove(hosts[index].id) != nil { return }
        hosts[index].ending = .vanished("its daemon ended, and another one went on with it")
    }

    private func ended(_ host: String, as ending: SoakHost.Ending = .replaced) {
        guard let index = hosts.indices.last, hosts[index].id == host, hosts[index].ending == .running else { return }
        hosts[index].ending = ending
    }

    private func take(_ part: JSONPart) {
        guard let last = hosts.indices.last else { return }
        let record: HistoryRecord
        do throws(JSONFieldError) {
            record = try HistoryRecord(part)
        } catch {
            return checker.check(.bad(HistoryReader.BadLine(line: position + 1, reason: error.description)))
        }
        let now = clock.now
        hosts[last].end = now
        if case .gap(let count) = record.body {
            let first = position + 1
            hosts[last].gaps.append(
                SoakHost.Gap(first: first, last: first + count - 1, at: now, cause: .reader)
            )
        }
        if case .hostStopped = record.body { hosts[last].ending = .stopped }
        if record.body.isRestart { goOn(last) }
        timeline.take(record, at: now)
        covered?.take(record)
        checker.check(record)
        // A gap carries the index of the record after it.
        if case .gap = record.body { position = record.index - 1 } else { position = record.index }
        if newest.count >= Self.remembered { newest.removeFirst() }
        newest.append(part)
        for kind in stretches.keys { stretches[kind]?.take(part) }
    }

    /// Writes the page of each stretch that is whole, or at the end of each.
    private func writeStretches(isLast: Bool = false) async {
        guard let evidence else { return }
        for (kind, stretch) in stretches where stretch.isWhole || isLast {
            stretches[kind] = nil
            pages[kind] = await evidence.write(stretch)
        }
    }

    private func lookForViolations() async {
        guard checker.violationCount > violationsSeen, let host = hosts.last else { return }
        violationsSeen = checker.violationCount
        guard let evidence, let report = checker.finish().hosts.first(where: { $0.host == host.id }) else { return }
        let files = await evidence.write(report, newest: Array(newest), known: hosts[hosts.count - 1].evidence)
        hosts[hosts.count - 1].evidence = files
    }
}

extension SceneClientError {
    /// Whether the daemon stopped before everything was read, and said so.
    fileprivate var isCutOff: Bool { if case .cutOff = refusal { true } else { false } }
}
