public import SceneEntryPoints
internal import SceneNavigation
public import SceneRouting
public import SceneRuntime
internal import Basics
public import Testing

/// An app in a test: the whole runtime in this process, with a clock that only the test advances.
///
/// ``withApp(_:code:adapters:settings:exhaustivity:sourceLocation:_:)`` makes it, and at the end fails the test if something happened
/// that it did not expect. Every method here returns when nothing can go on without another event or more time.
public final class AppTest: Sendable {
    /// The host, for everything that this type does not offer.
    public let host: SceneHost
    /// The host's clock. It is at zero until ``advance(by:)``.
    public let clock: VirtualClock
    /// The spies that take the place of screens and seam, unless the app has its own.
    public let spies: SpyApp
    private let exhaustivity: Exhaustivity
    private let scenes = Guarded<[SceneTest]>([])

    init(
        _ manifest: AppManifest,
        code: AppCode,
        adapters: [any EntryPointAdapter],
        settings: HostSettings,
        exhaustivity: Exhaustivity
    ) throws(ManifestProblems) {
        clock = VirtualClock(wallTime: Self.wallTime)
        spies = SpyApp()
        self.exhaustivity = exhaustivity
        host = try SceneHost(
            id: "test",
            manifest: manifest,
            adapters: adapters,
            settings: settings,
            clock: clock,
            code: spies.watching(code)
        )
    }

    /// The time at which ``clock`` begins, in seconds since 1970: 2026-01-01T00:00:00Z, so that conditions on the time give
    /// the same answer in every run.
    public static let wallTime = 1_767_225_600.0

    // MARK: - Scenes

    /// Opens a window.
    ///
    /// - Parameters:
    ///   - scene: The scene's ID; `nil` makes one.
    ///   - configuration: A configuration of the manifest; `nil` takes the first.
    /// - Throws: ``/SceneRuntime/SceneError``.
    public func connect(_ scene: String? = nil, configuration: String? = nil) async throws(SceneError) -> SceneTest {
        let after = host.records.newestIndex
        let status = try host.connect(scene: scene, configuration: configuration)
        await settle()
        let test = SceneTest(self, status.id, exhaustivity: exhaustivity, after: after)
        scenes.withLock { $0.append(test) }
        return test
    }

    /// A window that was opened before, by the test or by the host for an event; `nil` if there is none of this ID.
    public func scene(_ id: String) -> SceneTest? {
        adoptScenes()
        return scenes.withLock { scenes in scenes.first { $0.id == id } }
    }

    // MARK: - What happens outside of windows

    /// Sends an event that names no scene, as a link from another app does. The host chooses the scene.
    ///
    /// - Throws: ``/SceneRuntime/AdmissionError`` if the event is not admitted.
    @discardableResult
    public func send(
        _ event: EntryEvent,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws(AdmissionError) -> Receipt {
        try await submit(Submission(event), sourceLocation)
    }

    /// Opens several URLs at once, naming no scene. The host chooses one for all of them.
    ///
    /// - Parameters:
    ///   - urls: 2 to 32 URLs of the app's own schemes, none twice.
    ///   - order: The order in which they come, as their places from 1, such as `[2, 1]`; `nil` leaves it to ``/SceneRuntime/HostSettings/seed``.
    ///   - sourceLocation: Where an issue is reported.
    /// - Returns: A receipt for each, as given.
    /// - Throws: ``/SceneRuntime/AdmissionError`` if the set is not admitted, or what is wrong with the URLs.
    @discardableResult
    public func open(
        _ urls: [String],
        order: [Int]? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [Receipt] {
        try await submit(SetSubmission(URLSet(urls), order: order), sourceLocation)
    }

    /// Signs a user in, as a flow or the app itself would.
    ///
    /// - Throws: ``/SceneRuntime/SessionError`` if a fact is not declared, or its value is of another type.
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

    /// Makes the sign-in stale, as time or the app itself would; changes nothing if nobody is signed in.
    @discardableResult
    public func markStale(sourceLocation: SourceLocation = #_sourceLocation) async -> SessionSnapshot {
        requireSaid(sourceLocation)
        let snapshot = await host.session.markStale()
        await settle()
        return snapshot
    }

    /// Sets facts of the session.
    ///
    /// - Throws: ``/SceneRuntime/SessionError`` if a fact is not declared, or its value is of another type.
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

    /// Advances time, deadline by deadline: transitions end, sign-ins expire.
    public func advance(by duration: Duration) async {
        await host.advance(by: duration)
    }

    /// Every record so far.
    public var records: [Record] { host.records.read(after: 0).records }

    // MARK: - Ending

    /// Reports what no expectation mentioned. ``withApp(_:code:adapters:settings:exhaustivity:sourceLocation:_:)`` calls this at the
    /// end.
    func finish(_ sourceLocation: SourceLocation) async {
        await settle()
        requireSaid(sourceLocation)
    }

    /// Returns when nothing can go on without time moving. Call it after a screen has reported something by itself.
    public func settle() async {
        await host.advance(by: .zero)
    }

    /// Begins to watch windows that the host has opened for an event.
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

    func submit(_ submission: SetSubmission, _ sourceLocation: SourceLocation) async throws(AdmissionError) -> [Receipt]
    {
        requireSaid(sourceLocation)
        let admissions = try host.admit(submission)
        await settle()
        return admissions.map { host.receipt(event: $0.receipt.event, sender: submission.sender) ?? $0.receipt }
    }

    /// Fails the test if something has happened, in any window, that no expectation mentioned. Called before the next event.
    private func requireSaid(_ sourceLocation: SourceLocation) {
        adoptScenes()
        for scene in scenes.withLock({ $0 }) { scene.requireSaid(sourceLocation) }
    }
}

/// Runs a test of an app, in this process, and fails it if something happens that it does not mention.
///
///     try await withApp(.builtInShop()) { app in
///         let window = try await app.connect()
///         try await window.open("https://shop.example/product/p1")
///         window.expect(ops: [.push(tab: "home", product)])
///         window.expect(stack: [home, product])
///     }
///
/// - Parameters:
///   - manifest: The app.
///   - code: The app's coordinators, screens and seam. Coordinators that it lacks follow the manifest; spies take the place
///     of screens and seam.
///   - adapters: The app's adapters in Swift, besides those of the manifest.
///   - settings: The host's bounds and durations.
///   - exhaustivity: With ``Exhaustivity/on`` every op must be expected.
///   - sourceLocation: Where an issue is reported.
///   - body: The test.
/// - Throws: What `body` throws, or what is wrong with the manifest or does not fit the code and the adapters.
public func withApp(
    _ manifest: AppManifest,
    code: AppCode = AppCode(),
    adapters: [any EntryPointAdapter] = [],
    settings: HostSettings = HostSettings(),
    exhaustivity: Exhaustivity = .on,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (AppTest) async throws -> Void
) async throws {
    let app = try AppTest(
        manifest,
        code: code,
        adapters: adapters,
        settings: settings,
        exhaustivity: exhaustivity
    )
    try await body(app)
    await app.finish(sourceLocation)
    await app.host.drain(within: .zero)
}

/// How much of what happens a test has to mention.
public enum Exhaustivity: Hashable, Sendable {
    /// Every op must be expected, in order, before the next event comes and before the test ends.
    case on
    /// Only what the test mentions is checked; ops in between are skipped.
    case off
}
