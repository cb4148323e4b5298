internal import Histogram
internal import Basics
internal import SceneClient
internal import SceneHistory
internal import SceneModel
internal import SceneRouting
internal import Systemd
internal import Varlink

/// Runs a soak, from its first connection to its last record.
package struct Soak: Sendable {
    private let settings: SoakSettings
    private let stop: SoakStop
    private let progress: @Sendable (SoakProgress) -> Void
    private let warn: @Sendable (String) -> Void

    /// - Parameters:
    ///   - stop: Ends the load early; everything until then counts.
    ///   - progress: Called every second and at the end of every interval.
    ///   - warn: Called with problems that do not end the run.
    package init(
        _ settings: SoakSettings,
        stop: SoakStop,
        progress: @escaping @Sendable (SoakProgress) -> Void,
        warn: @escaping @Sendable (String) -> Void
    ) {
        self.settings = settings
        self.stop = stop
        self.progress = progress
        self.warn = warn
    }

    private var plan: SoakPlan { settings.plan }

    /// Runs the soak.
    /// - Throws: ``SceneClientError`` if there is no daemon at the start, ``SoakFolder/Failure`` if the folder cannot be written,
    ///   or ``SoakFailure``. Later problems become part of the run.
    package func run() async throws -> SoakRun {
        let control = try await SceneClient(path: settings.socket)
        let running = try await control.manifest().flatMap(settings.readManifest)
        let seen = SeenWindows()
        let actions = try actions(running, isShop: ShopActions.fit(try await DaemonStatus(of: control)), seen)
        // What cannot be done is said before anything is changed.
        try await checkObjectives(against: actions, control)
        let file = try settings.directory.map { directory throws(SoakFolder.Failure) in
            try SoakFolder.prepare(directory, replaces: settings.replacesEarlier)
            return try IntervalFile(directory: directory, warn: warn)
        }
        if settings.plan.resets { try await control.reset() }
        let opener = WindowOpener(scenes: settings.scenes)
        let (status, windows) = try await opener.prepare(control)

        let clock = MonotonicClock()
        var run = SoakRun(plan: plan, place: SoakRun.Place(status), began: SoakRun.Place.now)
        let counters = LoadCounters(warmUp: plan.warmUp, percentiles: plan.percentiles)
        let calls = RecentCalls(limit: 20_000)
        let clients = LoadClients(
            settings: settings,
            opener: opener,
            clock: clock,
            counters: counters,
            calls: calls,
            seen: actions is AppActions ? seen : nil
        )
        try await clients.connect(beside: windows)
        let sampler = Sampler(socket: settings.socket)
        let follower = settings.plan.followsRecords ? follower(clock, calls, running) : nil
        let following = follower.map { follower in Task { await follower.run() } }

        let load = Task { [plan, settings] in
            let users = (0..<plan.clients).map { number in
                SoakUser(
                    number: number,
                    scenes: settings.scenes(of: number),
                    seed: plan.ownSeed,
                    mix: plan.mix,
                    actions: actions
                )
            }
            let flag = stop.flag
            try await LoadThread.run {
                var generator = LoadGenerator(
                    plan: plan,
                    users: users,
                    clock: clock,
                    counters: counters,
                    stop: flag,
                    submit: clients.submit
                )
                generator.run()
                flag.raise()
            }
        }
        let faults = FaultRunner(
            settings: settings,
            clock: clock,
            clients: clients,
            sampler: sampler,
            follower: follower
        )
        let breaking = Task { [settings] in await faults.run(settings.faults) }
        var log = IntervalLog(
            plan: plan,
            clock: clock,
            counters: counters,
            sampler: sampler,
            clients: clients,
            follower: follower,
            faults: faults,
            file: file,
            progress: progress
        )
        await log.run(until: stop.flag)
        try await load.value
        breaking.cancel()
        await breaking.value
        await settle(counters, clients, clock)
        await log.end()
        await clients.close()
        let quiet = await quiesce(sampler)
        if let follower, let quiet {
            _ = await follower.reach(quiet.records, of: quiet.host, patience: .seconds(60))
        }
        following?.cancel()
        await following?.value
        run.faults = await faults.faults
        if let follower {
            let found = await follower.finish()
            (run.hosts, run.scenes, run.coverage) = (found.hosts, found.scenes, found.coverage)
            for (kind, page) in found.pages {
                guard let first = run.faults.firstIndex(where: { $0.kind == kind }) else { continue }
                run.faults[first].page = page
            }
        }

        let totals = counters.totals
        run.length = clock.now
        run.intervals = log.intervals
        run.latency = totals.latency
        run.latencyByKind = Dictionary(uniqueKeysWithValues: totals.latencyByKind.map { ($0.key.rawValue, $0.value) })
        run.serviceTime = totals.serviceTime
        run.generatorLag = totals.generatorLag
        if let failure = clients.failure {
            run.ending = .failed("\(failure)")
        } else if stop.wasAsked {
            run.ending = .interrupted
        }
        return run
    }

    /// - Parameter running: The manifest that the daemon runs; `nil` if it does not say or cannot be read.
    private func actions(_ running: AppManifest?, isShop: Bool, _ seen: SeenWindows) throws -> any UserActions {
        let words: any UserActions
        if let script = ScriptActions(settings.script) {
            words = script
        } else if isShop {
            words = ShopActions()
        } else {
            guard let manifest = running ?? settings.app else { throw SoakFailure.noManifest }
            let samples: ManifestSamples
            do throws(ManifestProblems) {
                samples = try ManifestSamples(manifest, seed: plan.ownSeed)
            } catch {
                throw SoakFailure.noManifest
            }
            if !samples.without.isEmpty {
                let names = samples.without.joined(separator: ", ")
                warn("No links could be generated for \(names); a script of events (--events) can send some.")
            }
            words = AppActions(manifest, samples: samples, seen: seen)
        }
        let known = Set(words.kinds.map(\.mixName))
        if !plan.mix.isEmpty, plan.mix.allSatisfy({ !known.contains($0.key) || $0.value == 0 }) {
            throw SoakFailure.emptyMix(known.sorted())
        }
        return words
    }

    /// Refuses objectives about kinds of event that nobody will send, and about errors that the daemon does not have.
    private func checkObjectives(against actions: any UserActions, _ control: SceneClient) async throws {
        let objectives = try plan.objectives.flatMap(SoakObjective.parse)
        let sent = actions.kinds.filter { plan.mix.isEmpty || plan.mix[$0.mixName, default: 0] > 0 }.map(\.rawValue)
        var errors: [String]?
        for objective in objectives {
            if let kind = objective.metric.kind?.rawValue, !sent.contains(kind) {
                let reason = "nobody in this soak sends \(kind); there will be \(sent.joined(separator: ", "))"
                throw SoakFailure.emptyObjective(objective.text, reason)
            }
            guard case .errors(let name?) = objective.metric else { continue }
            let known =
                if let errors { errors } else { Set(try await control.interfaces().flatMap(\.errorNames)).sorted() }
            errors = known
            if !known.contains(name) {
                let meant = Spelling.nearest(to: name, among: known).map { "did you mean '\($0)'?" }
                let reason = "the daemon has no error '\(name)'; \(meant ?? "it has \(known.joined(separator: ", "))")"
                throw SoakFailure.emptyObjective(objective.text, reason)
            }
        }
    }

    private func follower(
        _ clock: MonotonicClock,
        _ calls: RecentCalls,
        _ running: AppManifest?
    ) -> RecordFollower {
        let evidence = settings.directory.map { EvidenceFiles(directory: $0, calls: calls, warn: warn) }
        return RecordFollower(
            socket: settings.socket,
            clock: clock,
            every: plan.every,
            evidence: evidence,
            apps: [settings.app, running].compactMap(\.self).map { AppModel($0) },
            running: running ?? settings.app
        )
    }

    /// Waits for the calls in flight, up to a limit, which is short after Ctrl-C.
    private func settle(_ counters: LoadCounters, _ clients: LoadClients, _ clock: MonotonicClock) async {
        let patience = stop.wasAsked ? min(settings.drain, .seconds(3)) : settings.drain
        let deadline = clock.now + patience
        while counters.inFlight > 0 || clients.waiting > 0, clock.now < deadline, clients.failure == nil {
            try? await Task.sleep(for: .milliseconds(5))
        }
        clients.giveUp()
    }

    /// Waits until the daemon is quiet, so that the invariants of a quiet daemon can be checked. Then it signs out, in and out
    /// again, which every window has to follow, and waits each time.
    /// - Returns: The daemon's status afterwards; `nil` if it did not answer.
    private func quiesce(_ sampler: Sampler) async -> DaemonStatus? {
        do {
            let control = try await SceneClient(path: settings.socket)
            try await control.quiesce(timeout: settings.drain)
            if settings.plan.followsRecords {
                _ = try await control.signOut()
                try await control.quiesce(timeout: settings.drain)
                _ = try await control.signIn(user: "user-0")
                try await control.quiesce(timeout: settings.drain)
                _ = try await control.signOut()
                try await control.quiesce(timeout: settings.drain)
            }
        } catch {
            warn("The daemon did not become quiet: \(error). Invariants that need a quiet daemon cannot be checked.")
        }
        return await sampler.look()
    }
}

/// A separate thread for the load generator, which blocks until each event is due.
private enum LoadThread {
    /// Runs `body` on a new thread, and returns when it is done.
    /// - Throws: ``SoakFailure/noThread(_:)``.
    static func run(_ body: @escaping @Sendable () -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            do throws(SystemError) {
                try detachThread(named: "load") {
                    body()
                    continuation.resume()
                }
            } catch {
                continuation.resume(throwing: SoakFailure.noThread("\(error)"))
            }
        }
    }
}
