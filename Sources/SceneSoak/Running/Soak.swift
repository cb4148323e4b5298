internal import Locking
internal import SceneClient
internal import Histogram
internal import SceneHistory

/// Runs a soak from its first connection to its last record, and tells what was seen.
package struct Soak: Sendable {
    private let settings: SoakSettings
    private let stop: SoakStop
    private let progress: @Sendable (SoakProgress) -> Void
    private let warn: @Sendable (String) -> Void

    /// - Parameters:
    ///   - stop: Ends the load early when somebody asks it to; everything until then counts.
    ///   - progress: Told every second, and of every interval that ends.
    ///   - warn: Told of what goes wrong and does not end the run.
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

    /// Runs it.
    /// - Throws: ``SceneClientError`` where there is no daemon to begin with, ``SoakFailure``, ``SoakFolder/Failure`` where
    ///   nothing can be written beside the report. What goes wrong later ends up in the run.
    package func run() async throws -> SoakRun {
        let file = try settings.directory.map { directory throws(SoakFolder.Failure) in
            try IntervalFile(directory: directory, warn: warn)
        }
        let control = try await SceneClient(path: settings.socket)
        if settings.plan.resets { try await control.reset() }
        let keeper = HostKeeper(scenes: settings.scenes)
        let status = try await keeper.prepare(control)
        let vocabulary = try await vocabulary(control, app: status.manifestFile)

        let clock = MonotonicClock()
        var run = SoakRun(plan: plan, place: SoakRun.Place(status), began: SoakRun.Place.now)
        let tally = LoadTally(warmUp: plan.warmUp, percentiles: plan.percentiles)
        let calls = CallRing(limit: 20_000)
        let crew = LoadCrew(settings: settings, keeper: keeper, clock: clock, tally: tally, calls: calls)
        try await crew.connect()
        let sampler = Sampler(socket: settings.socket)
        let watch = settings.plan.followsRecords ? watch(clock, calls) : nil
        let following = watch.map { watch in Task { await watch.run() } }

        let load = Task { [plan, settings] in
            let users = (0..<plan.clients).map { number in
                SoakUser(
                    number: number,
                    scenes: settings.scenes(of: number),
                    seed: plan.seed,
                    mix: plan.mix,
                    vocabulary: vocabulary
                )
            }
            let flag = stop.flag
            try await LoadThread.run {
                var generator = LoadGenerator(
                    plan: plan,
                    users: users,
                    clock: clock,
                    tally: tally,
                    stop: flag,
                    submit: crew.submit
                )
                generator.run()
                flag.raise()
            }
        }
        let faults = FaultRunner(settings: settings, clock: clock, crew: crew, sampler: sampler, watch: watch)
        let breaking = Task { [settings] in await faults.run(settings.faults) }
        var log = IntervalLog(
            plan: plan,
            clock: clock,
            tally: tally,
            sampler: sampler,
            crew: crew,
            watch: watch,
            faults: faults,
            file: file,
            progress: progress
        )
        await log.keep(until: stop.flag)
        try await load.value
        breaking.cancel()
        await breaking.value
        await settle(tally, crew, clock)
        await log.end()
        await crew.close()
        let quiet = await quiesce(sampler)
        if let watch, let quiet {
            _ = await watch.reach(quiet.records, of: quiet.host, patience: .seconds(60))
        }
        following?.cancel()
        await following?.value
        if let watch { (run.hosts, run.scenes) = await watch.finish() }

        let totals = tally.totals
        run.length = clock.now
        run.faults = await faults.faults
        run.intervals = log.intervals
        run.latency = totals.latency
        run.latencyByKind = Dictionary(uniqueKeysWithValues: totals.latencyByKind.map { ($0.key.rawValue, $0.value) })
        run.serviceTime = totals.serviceTime
        run.generatorLag = totals.generatorLag
        if let failure = crew.failure {
            run.ending = .failed("\(failure)")
        } else if stop.wasAsked {
            run.ending = .interrupted
        }
        return run
    }

    /// - Parameter app: The manifest's file; `nil` for the built-in shop.
    private func vocabulary(_ control: SceneClient, app: String?) async throws -> any Vocabulary {
        let words: any Vocabulary
        if let script = ScriptVocabulary(settings.script) {
            words = script
        } else if app == nil {
            words = ShopVocabulary()
        } else {
            let samples = try await RouteSamples(control, seed: plan.seed)
            guard !samples.urls.isEmpty else { throw SoakFailure.noWords }
            if !samples.without.isEmpty {
                let names = samples.without.joined(separator: ", ")
                warn("No links could be made up for \(names); a script of events (--events) could send some.")
            }
            let window = try await control.scene(settings.scenes[0]).window
            words = RouteVocabulary(urls: samples.urls, tabs: window?.tabs.map(\.id) ?? [])
        }
        let known = Set(words.kinds.map(\.mixName))
        if !plan.mix.isEmpty, plan.mix.allSatisfy({ !known.contains($0.key) || $0.value == 0 }) {
            throw SoakFailure.emptyMix(known.sorted())
        }
        return words
    }

    private func watch(_ clock: MonotonicClock, _ calls: CallRing) -> RecordWatch {
        let evidence = settings.directory.map { EvidenceFiles(directory: $0, calls: calls, warn: warn) }
        return RecordWatch(socket: settings.socket, clock: clock, every: plan.every, evidence: evidence)
    }

    /// Waits for what is in flight, but not for ever: a person who pressed Ctrl-C waits less.
    private func settle(_ tally: LoadTally, _ crew: LoadCrew, _ clock: MonotonicClock) async {
        let patience = stop.wasAsked ? min(settings.drain, .seconds(3)) : settings.drain
        let deadline = clock.now + patience
        while tally.inFlight > 0 || crew.waiting > 0, clock.now < deadline, crew.failure == nil {
            try? await Task.sleep(for: .milliseconds(5))
        }
        crew.giveUp()
    }

    /// Has the daemon come to rest, so that what is owed at rest can be judged: as it is, and after somebody has signed out,
    /// in and out again, which every window has to follow.
    /// - Returns: The daemon afterwards; `nil` where it did not answer or did not come to rest.
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
            warn("The daemon did not come to rest: \(error). What is owed at rest cannot be judged.")
        }
        return await sampler.look()
    }
}
