public import SceneEntryPoints
internal import SceneNavigation
public import SceneRouting
public import SceneRuntime
internal import Locking
public import Testing

/// An app in a test: the whole runtime in this process, with a clock that only the test moves.
///
/// Made by ``withApp(_:code:settings:exhaustivity:sourceLocation:_:)``, which also sees to it that nothing that happened
/// goes unsaid. Whatever a test does here returns when nothing can go on any more without another event or more time.
public final class AppTest: Sendable {
    /// The host, for what this type has no word for.
    public let host: SceneHost
    /// The host's clock, at zero until ``advance(by:)``.
    public let clock: VirtualClock
    /// The spies that stand in for screens and seam, where the app brought none.
    public let spies: SpyApp
    private let exhaustivity: Exhaustivity
    private let scenes = Guarded<[SceneTest]>([])

    init(
        _ manifest: AppManifest,
        code: AppCode,
        settings: HostSettings,
        exhaustivity: Exhaustivity
    ) throws(ManifestProblems) {
        clock = VirtualClock(wallTime: Self.wallTime)
        spies = SpyApp()
        self.exhaustivity = exhaustivity
        host = try SceneHost(
            id: "test",
            manifest: manifest,
            settings: settings,
            clock: clock,
            code: spies.watching(code)
        )
    }

    /// 2026-01-01T00:00:00Z, so that validity periods give the same answer in every run.
    public static let wallTime = 1_767_225_600.0

    // MARK: - Scenes

    /// Opens a window.
    ///
    /// - Throws: ``SceneError``.
    public func connect(_ scene: String? = nil, configuration: String? = nil) async throws(SceneError) -> SceneTest {
        let after = host.records.newestIndex
        let status = try host.connect(scene: scene, configuration: configuration)
        await settle()
        let test = SceneTest(self, status.id, exhaustivity: exhaustivity, after: after)
        scenes.withLock { $0.append(test) }
        return test
    }

    /// A window that was opened before, by the test or by the host for an event.
    public func scene(_ id: String) -> SceneTest? {
        adoptScenes()
        return scenes.withLock { scenes in scenes.first { $0.id == id } }
    }

    // MARK: - What happens outside of windows

    /// Hands in an event that names no scene, as links from other apps do; the host chooses one.
    ///
    /// - Throws: ``AdmissionError`` for what is refused at the door.
    @discardableResult
    public func send(
        _ event: EntryEvent,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws(AdmissionError) -> Receipt {
        try await submit(Submission(event), sourceLocation)
    }

    /// Signs a user in, as a flow or the app itself would.
    ///
    /// - Throws: ``SessionError`` for a fact that is not declared so.
    @discardableResult
    public func signIn(
        _ user: String,
        facts: [String: FactValue] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> SessionSnapshot {
        requireSaid(sourceLocation)
        let snapshot = try await host.session.signIn(user: user, facts: facts)
        await settle()
        return snapshot
    }

    /// Signs the user out.
    @discardableResult
    public func signOut(sourceLocation: SourceLocation = #_sourceLocation) async -> SessionSnapshot {
        requireSaid(sourceLocation)
        let snapshot = await host.session.signOut()
        await settle()
        return snapshot
    }

    /// Sets facts of the session.
    ///
    /// - Throws: ``SessionError`` for a fact that is not declared so.
    @discardableResult
    public func commit(
        _ facts: [String: FactValue],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> SessionSnapshot {
        requireSaid(sourceLocation)
        let snapshot = try await host.session.commit(set: facts)
        await settle()
        return snapshot
    }

    /// Moves time on, from deadline to deadline: transitions end, sign-ins expire.
    public func advance(by duration: Duration) async {
        await host.advance(by: duration)
    }

    /// Every record so far.
    public var records: [Record] { host.records.read(after: 0).records }

    // MARK: - Ending

    /// Reports what no expectation spoke of; called at the end of ``withApp(_:code:settings:exhaustivity:sourceLocation:_:)``.
    func finish(_ sourceLocation: SourceLocation) async {
        await settle()
        requireSaid(sourceLocation)
    }

    /// Returns when nothing can go on without time moving; for what a screen reported by itself.
    public func settle() async {
        await host.advance(by: .zero)
    }

    /// Watches windows that the host opened for an event.
    private func adoptScenes() {
        for status in host.scenes {
            scenes.withLock { scenes in
                guard !scenes.contains(where: { $0.id == status.id }) else { return }
                scenes.append(SceneTest(self, status.id, exhaustivity: exhaustivity, after: 0))
            }
        }
    }

    func submit(_ submission: Submission, _ sourceLocation: SourceLocation) async throws(AdmissionError) -> Receipt {
        requireSaid(sourceLocation)
        let admission = try host.admit(submission)
        await settle()
        return host.receipt(event: admission.receipt.event, sender: submission.sender) ?? admission.receipt
    }

    /// Everything before the next event has to have been expected by now, in whichever window it happened.
    private func requireSaid(_ sourceLocation: SourceLocation) {
        adoptScenes()
        for scene in scenes.withLock({ $0 }) { scene.requireSaid(sourceLocation) }
    }
}

/// Runs a test of an app, in this process, and fails it where something happened that it did not speak of.
///
///     try await withApp(.builtInShop()) { app in
///         let window = try await app.connect()
///         try await window.open("https://shop.example/product/p1")
///         window.expect(ops: [.push(tab: "home", product)])
///         window.expect(stack: [home, product])
///     }
///
/// - Parameters:
///   - code: The app's coordinators, screens and seam; what it has none of is generic or a spy.
///   - exhaustivity: With ``Exhaustivity/on`` every op must be expected.
/// - Throws: What `body` throws, or what is wrong with the manifest.
public func withApp(
    _ manifest: AppManifest,
    code: AppCode = AppCode(),
    settings: HostSettings = HostSettings(),
    exhaustivity: Exhaustivity = .on,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (AppTest) async throws -> Void
) async throws {
    let app = try AppTest(manifest, code: code, settings: settings, exhaustivity: exhaustivity)
    try await body(app)
    await app.finish(sourceLocation)
    await app.host.drain(within: .zero)
}

/// How much of what happened a test has to speak of.
public enum Exhaustivity: Hashable, Sendable {
    /// Every op must be expected, in order, before the next event comes and before the test ends.
    case on
    /// Only what a test speaks of is looked at; ops between are skipped.
    case off
}
