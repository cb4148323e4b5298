internal import Glibc
internal import Basics
internal import SceneClient
internal import StrictJSON

/// Causes the faults of a plan when they are due, and notes what happened.
actor FaultRunner {
    private let settings: SoakSettings
    private let clock: any SoakClock
    private let clients: LoadClients
    private let sampler: Sampler
    private let follower: RecordFollower?
    private var random: SplitMix
    private var done: [SoakFault] = []
    private var running: [Int: SoakFault.Kind] = [:]
    private var count = 0

    init(
        settings: SoakSettings,
        clock: any SoakClock,
        clients: LoadClients,
        sampler: Sampler,
        follower: RecordFollower?
    ) {
        self.settings = settings
        self.clock = clock
        self.clients = clients
        self.sampler = sampler
        self.follower = follower
        random = SplitMix(seed: settings.plan.ownSeed ^ 0x2545_F491_4F6C_DD1D)
    }

    /// The faults that are over, by their start.
    var faults: [SoakFault] { done.sorted { $0.start < $1.start } }

    /// The faults that go on now.
    var underWay: [SoakFault.Kind] { running.sorted { $0.key < $1.key }.map(\.value) }

    /// Causes each fault at its time. Cancelling the task ends those that go on.
    func run(_ plans: [FaultPlan]) async {
        let end = settings.plan.end
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
                group.addTask { await self.cause(plan) }
            }
            if Task.isCancelled { group.cancelAll() }
        }
    }

    private func cause(_ plan: FaultPlan) async {
        count += 1
        let number = count
        let start = clock.now
        running[number] = plan.kind
        let isKept = await follower?.begins(plan.kind) ?? false
        let note: String
        var hasFailed = false
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
            note = "\(error)"
            hasFailed = true
        }
        running[number] = nil
        let fault = SoakFault(kind: plan.kind, start: start, end: clock.now, note: note, hasFailed: hasFailed)
        if isKept { await follower?.ends(fault) }
        done.append(fault)
    }

    /// Why a fault could not be caused.
    private struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    // MARK: - The faults

    private func cutClient() async throws -> String {
        let connection = random.pick(clients.connections)
        // Preferably at a moment with calls in flight.
        for _ in 0..<200 where connection.inFlight == 0 { try? await Task.sleep(for: .milliseconds(1)) }
        let count = connection.inFlight
        await connection.detach()?.close()
        // Even if the soak ends meanwhile: the calls that wait are still to be sent.
        await Task { [clients] in await clients.reconnect(connection) }.value
        return "client \(connection.number + 1) was cut off with \(count) calls in flight"
    }

    private func stallSubscriber(for length: Duration) async throws -> String {
        let client = try await SceneClient(path: settings.socket)
        var pages = client.followRecords().makeAsyncIterator()
        _ = try await pages.next()
        // From here on new records fill the buffers.
        let lasted = await last(length)
        let position = await sampler.latest?.records
        await client.close()
        let written = position.map { " of \($0) records" } ?? ""
        return "a subscriber\(written) stopped reading for \(lasted)"
    }

    private func slowScene(for length: Duration) async throws -> String {
        let scene = random.pick(settings.scenes)
        let client = try await SceneClient(path: settings.socket)
        _ = try await client.call(
            "io.scened.Control.Hold",
            ["point": .string(HoldPoint.admitted.rawValue), "scene": .string(scene)]
        )
        let lasted = await last(length)
        // Closing the connection releases the hold, even if the soak has ended meanwhile.
        await client.close()
        return "window \(scene) was held for \(lasted)"
    }

    /// Lets a fault go on for so long, or until the load ends.
    /// - Returns: How long it went on, in words.
    private func last(_ length: Duration) async -> String {
        let start = clock.now
        do {
            try await Task.sleep(for: length)
            return length.words
        } catch {
            return "\(Wording.duration(clock.now - start)), until the load ended"
        }
    }

    private func reload() async throws -> String {
        let client = try await SceneClient(path: settings.socket)
        let reply = try await client.call("io.scened.Manager.Reload")
        return "the manifest was read again: version \(reply["manifestVersion"]?.stringValue ?? "unknown")"
    }

    private func kill() async throws -> String {
        guard let before = await sampler.look() else { throw Failure("the daemon did not answer") }
        guard let process = before.processID, process > 1, process != Int(getpid()) else {
            throw Failure("the daemon does not say its process ID")
        }
        await follower?.expectKill(of: before.host)
        let start = clock.now
        guard Glibc.kill(pid_t(truncatingIfNeeded: process), SIGKILL) == 0 else {
            let reason = String(cString: strerror(errno))
            await follower?.withdrawKill(of: before.host)
            throw Failure("process \(process): \(reason)")
        }
        while clock.now - start < settings.patience, !Task.isCancelled {
            if let now = await sampler.look(), now.processID != before.processID {
                let gone = Wording.duration(clock.now - start)
                let went = now.host == before.host ? ", and went on with what was kept" : ""
                return "process \(process) was killed; a new daemon answered after \(gone)\(went)"
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
        if Task.isCancelled { return "process \(process) was killed; the load ended before a new daemon answered" }
        return "process \(process) was killed; no daemon answered within \(settings.patience.words)"
    }
}
