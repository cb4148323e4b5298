import Basics
import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneModel
import SceneRouting
@testable import SceneRuntime
import SceneSoak
import StrictJSON
import Synchronization

/// One host under a random walk, its history checked as it grows.
struct RandomWalk {
    /// How often each outcome and each reason occurred.
    private(set) var met: [String: Int] = [:]
    private var host: SceneHost
    private let settings: HostSettings
    private let clock = YieldingClock()
    /// Chooses when the host is ended in the middle of everything, and after which step it goes on; `nil` for never.
    private var kills: SplitMix?
    private var log = KeptLog()
    /// What was kept when the newest host began.
    private var kept: KeptHost
    /// How many steps of the newest host's log have been read.
    private var readSteps = 0
    /// How often the host has gone on.
    private(set) var restarts = 0
    private var random: SplitMix
    /// Chooses when several links are opened at once.
    private var setRandom: SplitMix
    /// Chooses when the host may become quiet before the next step, in every other walk: much is judged only then.
    private var settling: SplitMix?
    private var checker: HistoryChecker
    /// All records, if they are kept.
    private(set) var records: [JSONObject] = []
    private let keeps: Bool
    private var read = 0
    /// What windows have shown of flows that are on screen at most once, and were there twice.
    private(set) var shownTwice: [String] = []
    private let scenes = ["s1", "s2", "s3"]
    private let urls: [String]
    private let users: [String]
    /// The manifests that may be loaded.
    let others: [AppManifest]
    /// Whether the app opens windows by itself and closes them.
    private let opensWindows: Bool
    /// Whether what is done is made from the manifest alone; in the shop it is chosen so that more comes of it.
    private let isGenerated: Bool
    private let samples: ManifestSamples

    /// - Parameters:
    ///   - users: How many users there are, two or three.
    ///   - model: The manifest by which the walk is judged; by default its own.
    ///   - reloads: How many other manifests there are that may be loaded.
    init(
        seed: UInt64,
        manifest: AppManifest,
        users: Int = 2,
        model: AppManifest? = nil,
        keeps: Bool = false,
        reloads: Int = 0,
        kills: UInt64? = nil
    ) throws {
        self.keeps = keeps
        let known = Array(["mina", "theo", "noor"].prefix(users))
        // What was chosen for one user is never chosen again, so there have to be many, of whom some come back often.
        self.users =
            manifest.name == "Offers"
            ? (0..<40).flatMap { _ in known } + (1...200).map { "user-\($0)" } : known
        var random = SplitMix(seed: seed)
        let variants = reloads == 0 ? [] : manifest.variants
        var others = variants.isEmpty ? [] : [manifest]
        for _ in 0..<(variants.isEmpty ? 0 : reloads) { others.append(random.pick(variants)) }
        self.others = others
        self.random = random
        setRandom = SplitMix(seed: seed ^ SplitMix.golden)
        settling = seed.isMultiple(of: 2) ? nil : SplitMix(seed: seed &+ SplitMix.golden)
        checker = HistoryChecker(
            apps: [AppModel(model ?? manifest, digest: manifest.digest)] + others.dropFirst().map(AppModel.init)
        )
        var settings = HostSettings(transitionDuration: .milliseconds(1))
        settings.snapshotInterval = 150
        self.settings = settings
        self.kills = kills.map { SplitMix(seed: $0) }
        let loaded = try LoadedApp(manifest: manifest, adapters: [])
        host = SceneHost(
            id: "walk-\(manifest.name)",
            app: loaded,
            settings: settings,
            clock: clock,
            keeper: kills == nil ? nil : log
        )
        kept = KeptHost("walk-\(manifest.name)", manifest: manifest, session: host.session.snapshot)
        let effects = manifest.intents.flatMap(\.effects) + manifest.flows.flatMap(\.effects)
        opensWindows = effects.contains { if case .openWindow = $0.unconditional { true } else { false } }
        isGenerated = ["Club", "Bank", "Windows", "Offers", "Vault", "Travel", "Ward", "Intake"].contains(manifest.name)
        samples = try ManifestSamples(manifest, seed: seed)
        urls =
            isGenerated
            ? samples.links.filter { !$0.hasPrefix("https:") }
            : manifest.schemes == ["ledger"]
                ? ["accounts", "account/a1", "account/a2", "transfer", "profile"].map { "ledger://\($0)" }
                : [
                    "product/p1", "category/fruit", "cart", "checkout", "order/o7", "account/settings/profile",
                    "account/delete",
                ]
                .map { "qcommerce://\($0)" }
        for scene in scenes { try host.connect(scene: scene) }
    }

    var report: HistoryReport { checker.finish() }

    /// Takes the steps, and checks after each thousand, or as often as given.
    /// - Parameters:
    ///   - untilViolated: Whether to stop at a check that finds a violation.
    ///   - look: Looks at the host after each step.
    mutating func go(
        steps: Int,
        checkingEvery interval: Int = 1_000,
        untilViolated: Bool = false,
        look: (SceneHost) -> Void = { _ in }
    ) async throws {
        for step in 1...steps {
            await act()
            if settling?.below(8) == 0 { await host.quiesce() }
            if kills?.below(40) == 0 { try await kill() }
            // Now and then what begins again ends the host once more.
            if restarts > 0, kills?.below(100) == 0 {
                for _ in 0..<(kills?.below(8) ?? 0) { try await kill(inAttempt: true) }
            }
            look(host)
            guard step.isMultiple(of: interval) else { continue }
            try check()
            if untilViolated, checker.violationCount > 0 { break }
        }
        await host.quiesce()
        await host.drain()
        try check()
    }

    /// Ends the host in the middle of everything, with any of the steps kept that nobody has been told of, and goes on from there.
    /// Meanwhile a sign-in may end.
    ///
    /// - Parameter isInAttempt: Whether to end it in the attempt that has begun last, if that is possible.
    private mutating func kill(inAttempt isInAttempt: Bool = false) async throws {
        let steps = log.steps
        // The first one tells of the start, before which there is no host to go on.
        let first = max(readSteps, kept.lastRecord.index == 0 ? 1 : 0)
        var count = first + (kills?.below(steps.count - first + 1) ?? 0)
        if isInAttempt, let last = steps.lastIndex(where: \.beginsAttempt), last >= first { count = last + 1 }
        log.stop()
        try read(steps[readSteps..<count])
        kept = kept.after(steps[..<count])
        if kept.session.snapshot.user != nil, kills?.below(4) == 0 { kept.session.deadlines.end = .zero }
        await host.drain(within: .zero)
        let manifest = ([host.manifest] + others).first { $0.digest == kept.manifest.digest } ?? host.manifest
        log = KeptLog()
        readSteps = 0
        host = SceneHost(
            goingOn: kept,
            app: try LoadedApp(manifest: manifest, adapters: []),
            settings: settings,
            clock: clock,
            keeper: log,
            earlier: nil
        )
        await host.goOn(kept)
        restarts += 1
    }

    /// Reads the records of steps that were kept.
    private mutating func read(_ steps: some Sequence<KeptStep>) throws {
        for record in steps.flatMap(\.records) { try take(record) }
    }

    private mutating func act() async {
        switch random.below(60) {
        case 0: _ = try? await host.session.signIn(user: random.pick(users))
        case 1:
            if random.below(2) == 0 { await host.session.signOut() } else { await host.session.markStale() }
        case 2:
            let facts: [[String: FactValue]] = [
                ["cart": .strings(["p1"])], ["paymentMethod": .string("card")], ["unavailable": .strings(["p1"])],
                ["unavailable": .strings([])], ["cart": .strings(["p1"]), "paymentMethod": .string("card")],
                ["pin": .string("1111")],
            ]
            let fact = samples.fact(&random)
            let generated = isGenerated ? fact.map { [$0.name: $0.value] } : nil
            _ = try? await host.session.commit(set: generated ?? random.pick(facts))
        case 3 where isGenerated:
            _ = try? await host.session.commit(remove: [random.pick(host.manifest.facts).name])
        case 3:
            _ = try? await host.session.commit(remove: [["paymentMethod", "cart", "pin"][random.below(3)]])
        case 4:
            // The next event or action restores the window; a discarded one is opened as a new one.
            let scene = anyScene()
            if host.manifest.lock != nil, random.below(2) == 0 { return await leave(scene) }
            switch random.below(4) {
            case 0:
                _ = try? await host.discard(scene: scene)
                _ = try? await host.reconnect(scene: scene)
            case 1: _ = try? await host.reconnect(scene: scene)
            default: _ = try? await host.disconnect(scene: scene)
            }
        case 5 where !others.isEmpty:
            let other = random.pick(others)
            try? await host.reload(other)
        case 5...14:
            if setRandom.below(10) == 0 { return await sendSet() }
            let link = urls[random.below(urls.count)]
            let product = "p\(random.below(3))"
            guard let event = try? random.below(8) == 0 ? EntryEvent.added(product) : .url(link) else { return }
            if host.manifest.name == "Windows", random.below(12) == 0 {
                let dragged = try? EntryEvent.activity(
                    activityType: "com.example.club.court",
                    userInfo: ["court": "c1"],
                    draggedFrom: anyScene()
                )
                if let dragged { return await send(Submission(dragged)) }
            }
            await send(Submission(event, scene: random.below(4) == 0 ? nil : anyScene()))
        default:
            let scene = anyScene()
            let window = try? host.scene(scene).window
            let fitting = window.flatMap { RandomAction.fitting($0, host.manifest, samples, &random, users: users) }
            let action = random.below(3) > 0 ? fitting : nil
            let other =
                isGenerated
                ? RandomAction.declared(by: host.manifest, samples, &random, users: users)
                : RandomAction.next(&random, users: users)
            await send(Submission(reportedByItself(action ?? other, in: window), scene: scene))
        }
    }

    /// Opens two to four different links at once.
    private mutating func sendSet() async {
        var links: Set<String> = []
        for _ in 0..<setRandom.below(3) + 2 { links.insert(urls[setRandom.below(urls.count)]) }
        guard let set = try? URLSet(links.sorted()) else { return }
        let scene = setRandom.below(4) == 0 ? nil : scenes[setRandom.below(3)]
        guard let admissions = try? host.admit(SetSubmission(set, scene: scene)) else { return }
        if setRandom.below(4) > 0 { for admission in admissions { _ = await host.receipt(of: admission) } }
    }

    /// Puts a window into the background, and sometimes takes it back.
    private mutating func leave(_ scene: String) async {
        _ = try? await host.setActivation(.foregroundInactive, of: scene)
        _ = try? await host.setActivation(.background, of: scene)
        guard random.below(2) == 0 else { return }
        _ = try? await host.setActivation(.foregroundInactive, of: scene)
        _ = try? await host.setActivation(.foregroundActive, of: scene)
    }

    /// Sometimes has an intent come from any screen or container that is shown, or from one that may not be.
    private mutating func reportedByItself(_ action: SceneAction, in window: WindowState?) -> SceneAction {
        guard case .intent(let intent, from: nil) = action, let window, random.below(5) == 0 else { return action }
        let containers =
            window.tabs.map { "tab \($0.id)" } + window.modals.map { "\($0.style)\($0.flow.map { " of \($0)" } ?? "")" }
        let screens = window.destinations.map(\.id) + [random.pick(host.manifest.destinations).id]
        return .intent(intent, from: random.pick(containers + screens))
    }

    /// One of the walk's scenes, which may be gone, or one of those that the app has asked for.
    private mutating func anyScene() -> String {
        let asked = opensWindows && random.below(3) == 0 ? host.scenes.map(\.id).filter { !scenes.contains($0) } : []
        return asked.isEmpty ? scenes[random.below(3)] : random.pick(asked)
    }

    /// Mostly waits for the end of the attempt, so that the next action fits the window; otherwise mailboxes fill.
    private mutating func send(_ submission: Submission) async {
        do {
            let admission = try host.admit(submission)
            if random.below(4) > 0 { _ = await host.receipt(of: admission) }
        } catch {
            if case .queueFull = error { await host.quiesce() }
        }
    }

    private mutating func check() throws {
        guard kills == nil else {
            let steps = log.steps
            defer { readSteps = steps.count }
            return try read(steps[readSteps...])
        }
        while true {
            let page = host.records.read(after: read)
            guard !page.records.isEmpty else { return }
            for record in page.records { try take(record) }
            read = page.next
        }
    }

    private mutating func take(_ record: Record) throws {
        checker.check(try HistoryRecord(record.json))
        if keeps { records.append(record.json) }
        switch record.body {
        case .dispatchEnded(let outcome):
            met[outcome.name.rawValue, default: 0] += 1
            if let reason = outcome.reason { met[reason, default: 0] += 1 }
        case .windowRequested(let request):
            met["asked: \(request.wish)", default: 0] += 1
            switch request {
            case .open(_, _, .denied(let error)): met["asked: \(error)", default: 0] += 1
            case .close(let window?) where window.scene != nil: met["closed another", default: 0] += 1
            case .refresh(let window?) where window.scene != nil: met["refreshed another", default: 0] += 1
            default: break
            }
        case .variantChosen(_, _, let variant, _): met["chosen: \(variant.id)", default: 0] += 1
        case .dispatchResolved(_, .gated, _, _, _, .some, _): met["gated variant", default: 0] += 1
        case .windowLocked(let reason): met["locked: \(reason)", default: 0] += 1
        case .windowUnlocked(let reason): met["unlocked: \(reason)", default: 0] += 1
        case .navigationStep(_, let cause, let window):
            if cause == .lock { met["covered", default: 0] += 1 }
            let flows = window.flowsShownTwice
            if !flows.isEmpty { shownTwice.append("\(flows) in \(window.state)") }
        case .gateAbandoned(_, _, let reason): met[reason, default: 0] += 1
        case .gateSuperseded: met["superseded", default: 0] += 1
        default: break
        }
    }
}

extension Record.WindowRecord {
    /// The flows of more than one presentation, or of one over the root that is theirs, but for destinations that repeat.
    fileprivate var flowsShownTwice: [String] {
        var place = state.tabs.reduce(0) { $0 + $1.stack.count }
        var shown = state.tabs.first?.id == WindowState.rootTab ? Set(coordinators.prefix(place)) : []
        return state.modals.compactMap { modal in
            defer { place += modal.stack.count }
            guard let flow = modal.flow, !shown.insert(flow).inserted, !repeats[place] else { return nil }
            return flow
        }
    }
}

/// A clock on which a sleep lasts until the other tasks have had a turn.
private final class YieldingClock: RuntimeClock {
    private let ticks = Atomic<Int>(0)

    var now: Duration { .nanoseconds(ticks.wrappingAdd(1, ordering: .relaxed).newValue) }
    /// It goes fast, so that a walk takes days.
    var wallTime: Double { Double(ticks.load(ordering: .relaxed)) }

    func sleep(until deadline: Duration) async throws {
        await Task.yield()
    }
}
