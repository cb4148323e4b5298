internal import Glibc
internal import Locking
internal import SceneClient
internal import SeededRandom
internal import StrictJSON

/// Makes the faults of a plan when they are due, and marks each.
actor FaultRunner {
    private let settings: SoakSettings
    private let clock: any SoakClock
    private let crew: LoadCrew
    private let sampler: Sampler
    private let watch: RecordWatch?
    private var random: SplitMix
    private var made: [SoakFault] = []
    private var running: [Int: SoakFault.Kind] = [:]
    private var count = 0

    init(settings: SoakSettings, clock: any SoakClock, crew: LoadCrew, sampler: Sampler, watch: RecordWatch?) {
        self.settings = settings
        self.clock = clock
        self.crew = crew
        self.sampler = sampler
        self.watch = watch
        random = SplitMix(seed: settings.plan.seed ^ 0x2545_F491_4F6C_DD1D)
    }

    /// What was made and is over, in the order begun.
    var faults: [SoakFault] { made.sorted { $0.start < $1.start } }

    /// What goes on now.
    var underWay: [SoakFault.Kind] { running.sorted { $0.key < $1.key }.map(\.value) }

    /// Makes them all, each at its time; what goes on when the task is cancelled is ended.
    func run(_ plans: [FaultPlan]) async {
        let end = settings.plan.warmUp + settings.plan.duration
        let due = plans.flatMap { plan in plan.times(before: end).map { (at: $0, plan: plan) } }.sorted {
            $0.at < $1.at
        }
        await withTaskGroup(of: Void.self) { group in
            for (at, plan) in due {
                do {
                    try await Task.sleep(for: max(.zero, at - clock.now))
                } catch {
                    break
                }
                group.addTask { await self.make(plan) }
            }
            if Task.isCancelled { group.cancelAll() }
        }
    }

    private func make(_ plan: FaultPlan) async {
        count += 1
        let number = count
        let start = clock.now
        running[number] = plan.kind
        let note: String
        do {
            note =
                switch plan.kind {
                case .client: try await cutClient()
                case .stall: try await stallSubscriber(for: plan.length)
                case .slow: try await slowScene(for: plan.length)
                case .reload: try await reload()
                case .kill: try await kill()
                }
        } catch {
            note = "could not be made: \(error)"
        }
        running[number] = nil
        made.append(SoakFault(kind: plan.kind, start: start, end: clock.now, note: note))
    }

    // MARK: - Each of them

    private func cutClient() async throws -> String {
        let connection = random.pick(crew.connections)
        // A moment in which something is under way, if there is one.
        for _ in 0..<200 where connection.inFlight == 0 { try? await Task.sleep(for: .milliseconds(1)) }
        let count = connection.inFlight
        await connection.detach()?.close()
        // Even where the soak ends meanwhile: what waits is still to be sent.
        await Task { [crew] in await crew.reconnect(connection) }.value
        return "client \(connection.number + 1) was cut off with \(count) calls in flight"
    }

    private func stallSubscriber(for length: Duration) async throws -> String {
        let client = try await SceneClient(path: settings.socket)
        var pages = client.followRecords().makeAsyncIterator()
        _ = try await pages.next()
        // Whatever comes now fills the buffers, and nobody takes it out.
        try? await Task.sleep(for: length)
        let position = await sampler.latest?.records
        await client.close()
        let written = position.map { " of \($0) records" } ?? ""
        return "a subscriber\(written) stopped reading for \(length.words)"
    }

    private func slowScene(for length: Duration) async throws -> String {
        let scene = random.pick(settings.scenes)
        let client = try await SceneClient(path: settings.socket)
        _ = try await client.call(
            "io.scened.Control.Hold",
            ["point": .string(HoldPoint.admitted.rawValue), "scene": .string(scene)]
        )
        try? await Task.sleep(for: length)
        // A hold goes with its connection, which closes even where the soak has ended meanwhile.
        await client.close()
        return "window \(scene) was held for \(length.words)"
    }

    private func reload() async throws -> String {
        let client = try await SceneClient(path: settings.socket)
        let reply = try await client.call("io.scened.Manager.Reload")
        return "the manifest was read again: version \(reply["manifestVersion"]?.stringValue ?? "unknown")"
    }

    private func kill() async throws -> String {
        guard let before = await sampler.look() else { return "could not be made: the daemon did not answer" }
        guard let process = before.processID, process > 1, process != Int(getpid()) else {
            return "could not be made: the daemon does not tell its process"
        }
        await watch?.willKill(before.host)
        let start = clock.now
        guard Glibc.kill(pid_t(truncatingIfNeeded: process), SIGKILL) == 0 else {
            let reason = String(cString: strerror(errno))
            await watch?.wontKill(before.host)
            return "could not be made: process \(process): \(reason)"
        }
        while clock.now - start < settings.patience, !Task.isCancelled {
            if let now = await sampler.look(), now.host != before.host {
                let gone = Wording.duration(clock.now - start)
                return "process \(process) was killed; a new daemon answered after \(gone)"
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
        if Task.isCancelled { return "process \(process) was killed; the load ended before a new daemon answered" }
        return "process \(process) was killed; no daemon answered within \(settings.patience.words)"
    }
}
