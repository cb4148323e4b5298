@MainActor
public protocol UINavigationControllerDelegate: NSObjectProtocol {
    func navigationController(
        _ navigationController: UINavigationController,
        willShow viewController: UIViewController,
        animated: Bool
    )
    func navigationController(
        _ navigationController: UINavigationController,
        didShow viewController: UIViewController,
        animated: Bool
    )
}

// Optional in Objective-C.
extension UINavigationControllerDelegate {
    public func navigationController(
        _ navigationController: UINavigationController,
        willShow viewController: UIViewController,
        animated: Bool
    ) {}
    public func navigationController(
        _ navigationController: UINavigationController,
        didShow viewController: UIViewController,
        animated: Bool
    ) {}
}

@MainActor
open class UIGestureRecognizer: NSObject {
    /// Disabling it cancels what it recognizes.
    public var isEnabled = true {
        didSet { if !isEnabled { standInCancel?() } }
    }
    var standInCancel: (() -> Void)?
}

@MainActor
open class UINavigationController: UIViewController {
    public weak var delegate: (any UINavigationControllerDelegate)?
    public let interactivePopGestureRecognizer: UIGestureRecognizer? = UIGestureRecognizer()
    private let contentRecognizer = UIGestureRecognizer()
    @available(iOS 26, visionOS 26, *)
    public var interactiveContentPopGestureRecognizer: UIGestureRecognizer? { contentRecognizer }
    private var stack: [UIViewController] = []

    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    public init(navigationBarClass: AnyClass?, toolbarClass: AnyClass?) { super.init(nibName: nil, bundle: nil) }

    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        setViewControllers([rootViewController], animated: false)
    }

    public required init?(coder aDecoder: NSCoder) { super.init(coder: aDecoder) }

    open var viewControllers: [UIViewController] {
        get { stack }
        set { setViewControllers(newValue, animated: false) }
    }
    public var topViewController: UIViewController? { stack.last }
    open var isNavigationBarHidden = false

    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        change(to: viewControllers, animated)
    }

    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        if stack.contains(where: { $0 === viewController }) {
            StandIn.mistakes.append("pushing the same view controller instance more than once is not supported")
            return
        }
        change(to: stack + [viewController], animated)
    }

    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard stack.count > 1, let top = stack.last else { return nil }
        change(to: Array(stack.dropLast()), animated)
        return top
    }

    @discardableResult
    open func popToViewController(_ viewController: UIViewController, animated: Bool) -> [UIViewController]? {
        guard let index = stack.firstIndex(where: { $0 === viewController }) else {
            StandIn.mistakes.append("tried to pop to a view controller that does not exist")
            return nil
        }
        let gone = Array(stack[(index + 1)...])
        change(to: Array(stack[...index]), animated)
        return gone
    }

    /// What is on screen, and is going away meanwhile.
    private func change(to next: [UIViewController], _ animated: Bool) {
        if Set(next.map(ObjectIdentifier.init)).count < next.count {
            StandIn.mistakes.append("all view controllers in a navigation controller must be distinct")
            return
        }
        if StandIn.transitions.contains(where: { $0.controllers.first === self }) {
            StandIn.mistakes.append("nested transition of \(self): finishing up in an unexpected state")
        }
        let before = stack
        set(next)
        guard let top = next.last else { return }
        top.loadViewIfNeeded()
        guard top !== before.last else { return }
        guard animated, standInIsOnScreen, standInIsInFront else {
            delegate?.navigationController(self, willShow: top, animated: false)
            delegate?.navigationController(self, didShow: top, animated: false)
            return
        }
        begin(before, by: nil)
    }

    @discardableResult
    private func begin(_ before: [UIViewController], by recognizer: UIGestureRecognizer?) -> StandInTransition {
        let top = stack.last ?? self
        let transition = StandInTransition(of: [self, top] + before.suffix(1), interactive: recognizer != nil) {
            [self] isCancelled in
            // What has gone to another container meanwhile stays there.
            if isCancelled { set(before.filter { $0.parent == nil || $0.parent === self }) }
            guard let top = stack.last else { return }
            delegate?.navigationController(self, didShow: top, animated: true)
        }
        recognizer?.standInCancel = { [weak transition] in
            if let transition, transition.isInteractive { transition.letGo(cancelling: true) }
        }
        delegate?.navigationController(self, willShow: top, animated: true)
        return transition
    }

    private func set(_ next: [UIViewController]) {
        for gone in stack where !next.contains(where: { $0 === gone }) { gone.parent = nil }
        for controller in next {
            // "If the new child view controller is already the child of a container view controller, it is removed from that
            // container before being added."
            if let other = controller.parent as? UINavigationController, other !== self {
                other.stack.removeAll { $0 === controller }
            }
            controller.parent = self
        }
        stack = next
    }

    /// Whether nothing is presented over it, and its tab is selected.
    var standInIsInFront: Bool {
        standInRoot.presentedViewController == nil
            && (tabBarController.map { $0.selectedViewController === self } ?? true)
    }

    private var standInCanGoBack: Bool {
        stack.count > 1 && standInIsOnScreen && standInIsInFront && !StandIn.isTransitioning
            && stack.last?.navigationItem.hidesBackButton == false
    }

    /// A finger taps the back button, or chooses a screen further below from its menu.
    public func standInTapBack(by screens: Int = 1) -> Bool {
        guard standInCanGoBack, screens < stack.count else { return false }
        let before = stack
        set(Array(stack.dropLast(screens)))
        begin(before, by: nil)
        return true
    }

    /// A finger begins to swipe back, from the edge or from anywhere. ``standInLetGo(cancelling:)`` ends it.
    public func standInBeginSwipe(fromEdge: Bool = true) -> Bool {
        let recognizer = fromEdge ? interactivePopGestureRecognizer : contentRecognizer
        guard standInCanGoBack, let recognizer, recognizer.isEnabled else { return false }
        let before = stack
        set(Array(stack.dropLast()))
        begin(before, by: recognizer)
        return true
    }

    /// The finger takes hold again before the transition has ended.
    public func standInTakeHold() { StandIn.transitions.last { $0.controllers.first === self }?.takeHold() }

    /// The finger lets go.
    public func standInLetGo(cancelling: Bool) {
        StandIn.transitions.last { $0.controllers.first === self && $0.isInteractive }?.letGo(cancelling: cancelling)
    }
}

@MainActor
public protocol UITabBarControllerDelegate: NSObjectProtocol {
    func tabBarController(_ tabBarController: UITabBarController, shouldSelect viewController: UIViewController) -> Bool
    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController)
}

// Optional in Objective-C.
extension UITabBarControllerDelegate {
    public func tabBarController(_ tabBarController: UITabBarController, shouldSelect viewController: UIViewController)
        -> Bool
    { true }
    public func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {}
}

@MainActor
open class UITabBarController: UIViewController {
    public weak var delegate: (any UITabBarControllerDelegate)?
    open var viewControllers: [UIViewController]? {
        didSet {
            for gone in oldValue ?? [] { gone.parent = nil }
            for controller in viewControllers ?? [] { controller.parent = self }
        }
    }
    public var selectedIndex = 0
    public var selectedViewController: UIViewController? {
        viewControllers.flatMap { $0.indices.contains(selectedIndex) ? $0[selectedIndex] : nil }
    }

    /// A finger taps a tab: on the selected one its stack goes back to the root.
    public func standInTap(_ index: Int) -> Bool {
        guard let tabs = viewControllers, tabs.indices.contains(index), standInIsOnScreen,
            presentedViewController == nil
        else {
            return false
        }
        guard delegate?.tabBarController(self, shouldSelect: tabs[index]) ?? true else { return true }
        if index == selectedIndex, let stack = tabs[index] as? UINavigationController,
            let root = stack.viewControllers.first
        {
            stack.popToViewController(root, animated: true)
        }
        selectedIndex = index
        delegate?.tabBarController(self, didSelect: tabs[index])
        return true
    }
}
