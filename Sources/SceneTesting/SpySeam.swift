public import SceneNavigation
internal import Basics

/// A seam that drives no containers and remembers its calls. It can be told to fail.
public final class SpySeam: NavigationSeam, Sendable {
    /// A call of the seam.
    public enum Call: Hashable, Sendable {
        /// The window was to be shown.
        case open(WindowState)
        /// The op was to begin.
        case begin(NavOp, animated: Bool)
        /// The window was to be released.
        case close
    }

    private struct State {
        var calls: [Call] = []
        var topmost: SpyScreen?
        var failure: (after: Int, reason: String)?
    }

    private let state = Guarded(State())
    /// Decides which intents the topmost container takes itself.
    public let container = SpyResponder()

    /// A seam that does not fail.
    public init() {}

    /// All calls, in order, including those that failed.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// The screen on top, if it is a ``SpyScreen``.
    public var topmost: SpyScreen? { state.withLock { $0.topmost } }

    /// Carries out this many more steps and then fails every one, until this is called with `nil`.
    public func fail(after steps: Int = 0, with reason: String?) {
        state.withLock { $0.failure = reason.map { (steps, $0) } }
    }

    /// Notes the call.
    /// - Throws: ``SpyFailure`` if it has been told to fail.
    public func open(_ window: WindowState, screens: WindowScreens) throws {
        show(window, screens)
        try take(.open(window))
    }

    /// Notes the call.
    /// - Throws: ``SpyFailure`` if it has been told to fail.
    public func begin(_ step: NavigationStep) throws {
        try take(.begin(step.op, animated: step.isAnimated))
        show(step.window, step.screens)
    }

    /// Notes the call.
    public func close() {
        state.withLock { state in
            state.calls.append(.close)
            state.topmost = nil
        }
    }

    /// Returns ``container``.
    public func responder(of container: FlowPlace.Container, in window: WindowState) -> (any IntentResponder)? {
        self.container
    }

    private func show(_ window: WindowState, _ screens: WindowScreens) {
        let screen = screens.topmost(in: window)?.screen as? SpyScreen
        state.withLock { $0.topmost = screen }
    }

    private func take(_ call: Call) throws {
        let failure = state.withLock { state -> String? in
            state.calls.append(call)
            guard let (after, reason) = state.failure else { return nil }
            guard after == 0 else {
                state.failure = (after - 1, reason)
                return nil
            }
            return reason
        }
        if let failure { throw SpyFailure(reason: failure) }
    }
}
