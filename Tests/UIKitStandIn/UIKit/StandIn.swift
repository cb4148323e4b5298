/// What a test controls of the stand-in: when transitions end, and what UIKit would have complained about.
///
/// Animated transitions go on until ``finishTransitions()``; what is not animated is done when the call returns.
@MainActor
public enum StandIn {
    /// What UIKit would have raised an exception for, ignored with a message, or shown wrongly.
    public internal(set) static var mistakes: [String] = []
    /// The transitions that go on, oldest first.
    static var transitions: [StandInTransition] = []
    /// The requests of the app for scenes that wait for the system's answer.
    public internal(set) static var requests:
        [(request: UISceneSessionActivationRequest, denied: ((any Error) -> Void)?)] = []
    /// The sessions that the system has, connected or not.
    public static var sessions: Set<UISceneSession> = []
    /// The sessions that the app wants destroyed.
    public internal(set) static var destroyed: [UISceneSession] = []

    /// How many presentations there were.
    public internal(set) static var presentations = 0
    /// Whether UIKit does nothing when it is asked to present, for a reason of its own.
    public static var refusesPresentations = false
    /// Whether UIKit does nothing when it is asked to dismiss.
    public static var refusesDismissals = false
    private static var made: [Weak] = []

    private struct Weak {
        weak var object: NSObject?
    }

    /// The controllers and windows that somebody keeps.
    public static var living: [NSObject] { made.compactMap(\.object) }

    /// Notes a controller or a window, without keeping it.
    static func note(_ object: NSObject) {
        made.removeAll { $0.object == nil }
        made.append(Weak(object: object))
    }

    /// Whether a transition goes on.
    public static var isTransitioning: Bool { !transitions.isEmpty }

    /// Ends what goes on, and what that begins.
    public static func finishTransitions() {
        while let next = transitions.first { next.end() }
    }

    /// Forgets everything.
    public static func reset() {
        mistakes = []
        transitions = []
        requests = []
        sessions = []
        destroyed = []
        made = []
        presentations = 0
        refusesPresentations = false
        refusesDismissals = false
    }
}

/// A transition that goes on, as UIKit's coordinator shows it.
@MainActor
final class StandInTransition: UIViewControllerTransitionCoordinator {
    private(set) var initiallyInteractive: Bool
    private(set) var isInteractive: Bool
    private(set) var isCancelled = false
    let isAnimated = true
    private var completions: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []
    private var changes: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []
    private var finish: ((_ isCancelled: Bool) -> Void)?
    /// Whose it is.
    let controllers: [UIViewController]

    init(of controllers: [UIViewController], interactive: Bool = false, finish: @escaping (Bool) -> Void) {
        self.controllers = controllers
        initiallyInteractive = interactive
        isInteractive = interactive
        self.finish = finish
        StandIn.transitions.append(self)
    }

    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool {
        if let completion { completions.append(completion) }
        animation?(self)
        return true
    }

    func notifyWhenInteractionChanges(_ handler: @escaping (any UIViewControllerTransitionCoordinatorContext) -> Void) {
        changes.append(handler)
    }

    /// The finger leaves the screen.
    func letGo(cancelling: Bool) {
        isInteractive = false
        isCancelled = cancelling
        for change in changes { change(self) }
    }

    /// A finger takes hold again of what goes on.
    func takeHold() { (isInteractive, isCancelled) = (true, false) }

    func end() {
        if isInteractive { letGo(cancelling: true) }
        StandIn.transitions.removeAll { $0 === self }
        let finish = self.finish
        self.finish = nil
        finish?(isCancelled)
        changes = []
        let completions = self.completions
        self.completions = []
        for completion in completions { completion(self) }
    }
}

@MainActor
public protocol UIViewControllerTransitionCoordinatorContext: AnyObject {
    var isAnimated: Bool { get }
    var initiallyInteractive: Bool { get }
    var isInteractive: Bool { get }
    var isCancelled: Bool { get }
}

@MainActor
public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext {
    @discardableResult
    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool
    func notifyWhenInteractionChanges(_ handler: @escaping (any UIViewControllerTransitionCoordinatorContext) -> Void)
}
