public import SceneEntryPoints
public import SceneNavigation
internal import SceneRouting
public import SceneRuntime
internal import Locking
public import Testing

/// A window in a test: drives it by events and says what is expected of it.
public final class SceneTest: Sendable {
    struct State {
        /// What happened and was not spoken of yet, in order.
        var ops: [NavOp] = []
        var violations: [Violation] = []
        /// The records read so far.
        var readRecords: Int
        /// The window as it was last spoken of, or opened.
        var spoken: WindowState
    }

    /// A rule that was broken, as its record has it.
    struct Violation {
        let rule: String
        let detail: String
    }

    /// The scene's ID.
    public let id: String
    /// How much a test has to speak of.
    public let exhaustivity: Exhaustivity
    let app: AppTest
    let state: Guarded<State>

    init(_ app: AppTest, _ id: String, exhaustivity: Exhaustivity, after record: Int) {
        self.app = app
        self.id = id
        self.exhaustivity = exhaustivity
        let window = (try? app.host.scene(id))?.window ?? WindowState(tabs: [], selectedTab: "")
        state = Guarded(State(readRecords: record, spoken: window))
    }

    /// The scene as it is now.
    ///
    /// - Throws: ``SceneError/unknownScene(_:)`` once it is discarded.
    public var status: SceneStatus { get throws { try app.host.scene(id) } }

    /// What the window shows now.
    ///
    /// - Throws: As ``status``.
    public var window: WindowState { get throws { try status.window } }

    /// The spies of this scene's screens and seam; `nil` where the app brought its own.
    public var screens: SpyScreenFactory? { app.spies.factory(of: id) }
    public var seam: SpySeam? { app.spies.seam(of: id) }

    /// The spy on top of the window; `nil` where the app makes its own screens.
    public var topScreen: SpyScreen? { seam?.topmost }

    // MARK: - Events

    /// Opens a URL in this window, as a link from another app does.
    ///
    /// - Throws: ``AdmissionError`` for what is refused at the door, or why this is no URL.
    @discardableResult
    public func open(_ url: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Receipt {
        try await send(.url(url), sourceLocation: sourceLocation)
    }

    /// Hands in an event of any kind that comes from outside the app.
    ///
    /// - Throws: ``AdmissionError`` for what is refused at the door.
    @discardableResult
    public func send(
        _ event: EntryEvent,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws(AdmissionError) -> Receipt {
        try await app.submit(Submission(event, scene: id), sourceLocation)
    }

    /// Lets the topmost screen report something.
    ///
    /// - Throws: ``AdmissionError`` for parameters that the intent does not take.
    @discardableResult
    public func report(
        _ intent: String,
        _ parameters: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws(AdmissionError) -> Receipt {
        try await perform(.intent(Intent(name: intent, parameters: parameters)), sourceLocation)
    }

    /// Does what a finger does.
    @discardableResult
    public func touch(
        _ gesture: Gesture,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws(AdmissionError) -> Receipt {
        try await perform(.gesture(gesture), sourceLocation)
    }

    /// Lets the last screen of a flow report how it ended.
    ///
    /// - Throws: ``AdmissionError`` for a fact that is not declared so.
    @discardableResult
    public func finish(
        _ flow: String,
        _ result: FlowResult = .completed(FlowCompletion()),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws(AdmissionError) -> Receipt {
        try await perform(.finishFlow(flow, result), sourceLocation)
    }

    private func perform(
        _ action: SceneAction,
        _ sourceLocation: SourceLocation
    ) async throws(AdmissionError) -> Receipt {
        try await app.submit(Submission(action, scene: id), sourceLocation)
    }
}
