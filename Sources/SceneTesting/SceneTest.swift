public import SceneEntryPoints
public import SceneNavigation
internal import SceneRouting
public import SceneRuntime
internal import Basics
public import Testing

/// A window in a test: sends events to it and checks what is expected of it.
public final class SceneTest: Sendable {
    struct State {
        /// What has happened and was not mentioned yet, in order.
        var ops: [NavOp] = []
        var violations: [Violation] = []
        /// The index of the last record read.
        var readRecords: Int
        /// The window when it was last mentioned, or opened.
        var spoken: WindowState
    }

    /// A rule that was broken, as recorded.
    struct Violation {
        let rule: String
        let detail: String
    }

    /// The scene's ID.
    public let id: String
    /// How much the test has to mention.
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

    /// The state of the scene now.
    ///
    /// - Throws: ``/SceneRuntime/SceneError/unknownScene(_:)`` once it is discarded.
    public var status: SceneStatus { get throws { try app.host.scene(id) } }

    /// What the window shows now.
    ///
    /// - Throws: ``/SceneRuntime/SceneError/unknownScene(_:)`` once the scene is discarded.
    public var window: WindowState { get throws { try status.window } }

    /// The spy that makes this scene's screens; `nil` if the app has its own factory.
    public var screens: SpyScreenFactory? { app.spies.factory(of: id) }
    /// The spy that takes the place of this scene's containers; `nil` if the app has its own seam.
    public var seam: SpySeam? { app.spies.seam(of: id) }

    /// The screen on top of the window; `nil` if the app makes its own screens.
    public var topScreen: SpyScreen? { seam?.topmost }

    // MARK: - Events

    /// Opens a URL in this window, as a link from another app does.
    ///
    /// - Throws: ``/SceneRuntime/AdmissionError`` if the event is not admitted, or what is wrong with the URL.
    @discardableResult
    public func open(_ url: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Receipt {
        try await send(.url(url), sourceLocation: sourceLocation)
    }

    /// Opens several URLs at once in this window, as the system hands a scene a set of them.
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
        try await app.submit(SetSubmission(URLSet(urls), order: order, scene: id), sourceLocation)
    }

    /// Sends an event of any kind that comes from outside the app.
    ///
    /// - Throws: ``/SceneRuntime/AdmissionError`` if the event is not admitted.
    @discardableResult
    public func send(
        _ event: EntryEvent,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws(AdmissionError) -> Receipt {
        try await app.submit(Submission(event, scene: id), sourceLocation)
    }

    /// Has the topmost screen report an intent.
    ///
    /// - Parameters:
    ///   - intent: The intent's name.
    ///   - parameters: Its parameters, by name.
    ///   - reporter: What reports it by itself: the ID of a screen that is shown, or a container, such as `tab home`.
    ///   - sourceLocation: Where an issue is reported.
    /// - Throws: ``/SceneRuntime/AdmissionError`` if the intent does not take these parameters, or the app has no such screen or container.
    @discardableResult
    public func report(
        _ intent: String,
        _ parameters: [String: String] = [:],
        from reporter: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws(AdmissionError) -> Receipt {
        try await perform(.intent(Intent(name: intent, parameters: parameters), from: reporter), sourceLocation)
    }

    /// Performs a gesture, as a finger would.
    ///
    /// - Throws: ``/SceneRuntime/AdmissionError`` for a tab that the app does not have.
    @discardableResult
    public func touch(
        _ gesture: Gesture,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws(AdmissionError) -> Receipt {
        try await perform(.gesture(gesture), sourceLocation)
    }

    /// Has the last screen of a flow report how the flow ended.
    ///
    /// - Throws: ``/SceneRuntime/AdmissionError`` for a flow that the app does not have, or a fact that is not declared so.
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
