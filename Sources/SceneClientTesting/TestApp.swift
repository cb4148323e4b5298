// What a test writes and reads is part of this module's API, so that a test imports one module.
@_exported public import SceneClient
@_exported public import StrictJSON

/// An app in a daemon: what iOS delivers to it, who is signed in, its windows.
///
/// Every method waits until nothing can go on without another event, more time or the release of a hold. Without the trait
/// `daemon` they throw a ``DaemonTestError``.
public final class TestApp: EventTarget, Sendable {
    /// The app of the test that runs.
    @TaskLocal public static var current = TestApp(nil)

    private let live: TestRun?

    init(_ run: TestRun?) { live = run }

    var isLive: Bool { live != nil }

    func run() throws(DaemonTestError) -> TestRun {
        // One that was kept from before the test stands for the test's.
        guard let run = live ?? Self.current.live else {
            throw DaemonTestError("this test has no daemon; give it or its suite the trait .daemon(…)")
        }
        return run
    }

    /// Itself.
    public var app: TestApp { self }
    /// None: the daemon chooses the window.
    public var scene: String? { nil }

    /// The connection, for everything that this type does not offer.
    public var client: SceneClient { get throws(DaemonTestError) { try run().client } }
    /// The daemon.
    public var daemon: PrivateDaemon { get throws(DaemonTestError) { try run().daemon } }
    /// Time as the windows have it.
    public var clock: TestClock { TestClock(app: self) }

    // MARK: - Windows

    /// The window of this name, opened unless it is there.
    /// - Parameters:
    ///   - name: The scene's ID: 1 to 64 letters, digits, '-', '_' or '.'.
    ///   - configuration: The scene configuration; `nil` for the app's first.
    public func window(_ name: String = "A", configuration: String? = nil) async throws -> TestWindow {
        let window = TestWindow(app: self, name: name)
        if try await window.state() == nil { try await window.connect(configuration: configuration) }
        return window
    }

    /// All windows that the daemon has, in the order opened.
    public func windows() async throws -> [TestWindow] {
        try await client.scenes().map { TestWindow(app: self, name: $0.id) }
    }

    // MARK: - The session

    /// Who is signed in, and the app's facts.
    public func session() async throws -> ClientSession { try await client.session() }

    /// Signs a user in and sets facts, in one commit. Windows that must change begin to at once; expectations wait for it.
    /// - Parameters:
    ///   - user: Who signs in.
    ///   - facts: Facts to set in the same commit, by name.
    ///   - lifetime: When the user is signed out again, in whole milliseconds on the windows' clock.
    ///   - freshness: When the sign-in becomes stale, in whole milliseconds on the windows' clock.
    @discardableResult
    public func signIn(
        _ user: String,
        facts: JSONObject? = nil,
        expiresIn lifetime: Duration? = nil,
        staleIn freshness: Duration? = nil
    ) async throws -> ClientSession {
        try await client.signIn(user: user, facts: facts, expiresIn: lifetime, staleIn: freshness)
    }

    /// Signs out.
    @discardableResult
    public func signOut() async throws -> ClientSession { try await client.signOut() }

    /// Makes the sign-in stale: gates that need a fresh one close.
    @discardableResult
    public func markStale() async throws -> ClientSession { try await client.markStale() }

    /// Sets facts in one commit; `null` resets one to what the app declares.
    @discardableResult
    public func set(_ facts: JSONObject) async throws -> ClientSession {
        let reset = facts.filter(\.value.isNull).map(\.key)
        let changed = JSONObject(facts.filter { !$0.value.isNull }.map { ($0.key, $0.value) })
        return try await client.commit(set: changed.isEmpty ? nil : changed, remove: reset.isEmpty ? nil : reset)
    }

    /// Waits until nothing is going on any more, or what is going on is held. An automatic clock moves on meanwhile.
    public func settle() async throws { try await run().settle() }
}
