public import SceneNavigation
internal import Locking

/// A seam that drives nothing and remembers everything; it can be told to fail.
public final class SpySeam: NavigationSeam, Sendable {
    /// What a seam was told.
    public enum Call: Hashable, Sendable {
        case open(WindowState)
        case begin(NavOp, animated: Bool)
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

    /// A seam.
    public init() {}

    /// Everything it was told, in order, also where it then failed.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// The screen on top, where a spy made it.
    public var topmost: SpyScreen? { state.withLock { $0.topmost } }

    /// Carries out so many more steps and then fails every one, until called with `nil`.
    public func fail(after steps: Int = 0, with reason: String?) {
        state.withLock { $0.failure = reason.map { (steps, $0) } }
    }

    /// See ``NavigationSeam``.
    public func open(_ window: WindowState, screens: WindowScreens) throws {
        show(window, screens)
        try take(.open(window))
    }

    /// See ``NavigationSeam``.
    public func begin(_ step: NavigationStep) throws {
        try take(.begin(step.op, animated: step.isAnimated))
        show(step.window, step.screens)
    }

    /// See ``NavigationSeam``.
    public func close() {
        state.withLock { state in
            state.calls.append(.close)
            state.topmost = nil
        }
    }

    /// See ``NavigationSeam``.
    public func responder(ofTopmostContainerIn window: WindowState) -> (any IntentResponder)? { container }

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
