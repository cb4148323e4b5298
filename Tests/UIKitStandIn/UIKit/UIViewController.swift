// As on Apple's platforms, who imports UIKit has Foundation.
@_exported public import Foundation

@MainActor
open class UIResponder: NSObject {
    public override init() { super.init() }
}

public enum UIModalPresentationStyle: Int, Sendable {
    case fullScreen = 0
    case pageSheet = 1
    case formSheet = 2
    case custom = 4
    case overFullScreen = 5
    case popover = 7
    case automatic = -2
}

@MainActor
open class UIView: UIResponder {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
        public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
    }

    open var frame = CGRect.zero
    open var bounds = CGRect.zero
    open var autoresizingMask: AutoresizingMask = []

    open func addSubview(_ view: UIView) {}
}

@MainActor
open class UINavigationItem: NSObject {
    public var hidesBackButton = false
}

@MainActor
open class UIImage: NSObject {}

@MainActor
open class UIBarItem: NSObject {
    public var title: String?
    public var image: UIImage?
}

@MainActor
open class UITabBarItem: UIBarItem {
    public override init() { super.init() }
}

@MainActor
open class UIViewController: UIResponder {
    public var title: String?
    public let navigationItem = UINavigationItem()
    private var ownTabBarItem: UITabBarItem?
    /// "Automatically created lazily with the view controller's title if it's not set explicitly", so it is never `nil`.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    public var tabBarItem: UITabBarItem! {
        get {
            if let ownTabBarItem { return ownTabBarItem }
            let item = UITabBarItem()
            item.title = title
            ownTabBarItem = item
            return item
        }
        set { ownTabBarItem = newValue }
    }
    public private(set) var isViewLoaded = false
    public internal(set) weak var parent: UIViewController?
    /// What this controller itself has presented, and what has presented this one itself.
    private(set) var ownPresented: UIViewController?
    private(set) weak var ownPresenting: UIViewController?
    /// What this controller or one of its ancestors has presented.
    public var presentedViewController: UIViewController? { ownPresented ?? parent?.presentedViewController }
    /// What has presented this controller or one of its ancestors.
    public var presentingViewController: UIViewController? { ownPresenting ?? parent?.presentingViewController }
    public internal(set) var isBeingPresented = false
    public internal(set) var isBeingDismissed = false
    public var isModalInPresentation = false
    public var modalPresentationStyle = UIModalPresentationStyle.automatic
    weak var standInWindow: UIWindow?
    private var ownPresentationController: UIPresentationController?

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    public var view: UIView! = UIView()

    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init()
        StandIn.note(self)
    }

    public required init?(coder: NSCoder) {
        super.init()
        StandIn.note(self)
    }

    public override convenience init() { self.init(nibName: nil, bundle: nil) }

    open func viewDidLoad() {}

    /// There only for this style, as soon as it is set.
    public var popoverPresentationController: UIPopoverPresentationController? {
        modalPresentationStyle == .popover ? presentationController as? UIPopoverPresentationController : nil
    }

    open private(set) var children: [UIViewController] = []

    open func addChild(_ childController: UIViewController) {
        children.append(childController)
        childController.parent = self
    }

    open func didMove(toParent parent: UIViewController?) {}

    public func loadViewIfNeeded() {
        guard !isViewLoaded else { return }
        isViewLoaded = true
        viewDidLoad()
    }

    public var navigationController: UINavigationController? {
        parent as? UINavigationController ?? parent?.navigationController
    }
    public var tabBarController: UITabBarController? { parent as? UITabBarController ?? parent?.tabBarController }

    public var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? {
        StandIn.transitions.last { $0.controllers.contains { $0 === self || $0 === parent || $0.parent === self } }
    }

    /// There from when it is asked for, before the presentation, until this has been dismissed.
    public var presentationController: UIPresentationController? {
        if let ownPresentationController { return ownPresentationController }
        if parent != nil { return parent?.presentationController }
        let type =
            modalPresentationStyle == .popover ? UIPopoverPresentationController.self : UIPresentationController.self
        ownPresentationController = type.init(presentedViewController: self, presenting: ownPresenting)
        return ownPresentationController
    }

    /// The outermost container.
    var standInRoot: UIViewController { parent?.standInRoot ?? self }

    /// Whether it, or what presents it, is in a window.
    var standInIsOnScreen: Bool {
        let root = standInRoot
        return root.standInWindow != nil || root.ownPresenting?.standInIsOnScreen ?? false
    }

    open func present(_ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil)
    {
        let presenter = standInRoot
        guard presenter === self else {
            return presenter.present(viewControllerToPresent, animated: flag, completion: completion)
        }
        let shown = viewControllerToPresent
        if StandIn.refusesPresentations { return }
        if let other = ownPresented {
            StandIn.mistakes.append("attempt to present \(shown) on \(self), which is already presenting \(other)")
            return
        }
        if shown.modalPresentationStyle == .popover, shown.popoverPresentationController?.sourceView == nil {
            StandIn.mistakes.append(
                "a popover should have a non-nil sourceView or barButtonItem before the presentation"
            )
        }
        guard standInIsOnScreen else {
            StandIn.mistakes.append("attempt to present \(shown) on \(self), whose view is not in the window hierarchy")
            return
        }
        if shown.parent != nil || shown.ownPresenting != nil {
            StandIn.mistakes.append("attempt to present \(shown), which has a parent or is presented")
            return
        }
        if StandIn.transitions.contains(where: { $0.controllers.contains { $0 === self } }) {
            StandIn.mistakes.append("attempt to present \(shown) while a transition of \(self) is in progress")
        }
        ownPresented = shown
        shown.ownPresenting = self
        StandIn.presentations += 1
        shown.loadViewIfNeeded()
        guard flag else {
            completion?()
            return
        }
        shown.isBeingPresented = true
        _ = StandInTransition(of: [self, shown]) { _ in
            shown.isBeingPresented = false
            completion?()
        }
    }

    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        if StandIn.refusesDismissals { return }
        let root = standInRoot
        guard let shown = root.ownPresented else {
            guard let presenter = root.ownPresenting else { return }
            return presenter.dismiss(animated: flag, completion: completion)
        }
        if shown.isBeingPresented || shown.isBeingDismissed {
            StandIn.mistakes.append("attempt to dismiss \(shown) while it is presented or dismissed")
            return
        }
        root.standInTakeAway(shown, animated: flag, interactive: false) { _ in completion?() }
    }

    /// Takes a presentation away with all those above it.
    @discardableResult
    func standInTakeAway(
        _ shown: UIViewController,
        animated: Bool,
        interactive: Bool,
        then: @escaping (_ isCancelled: Bool) -> Void
    ) -> StandInTransition? {
        let finish = { (isCancelled: Bool) in
            shown.isBeingDismissed = false
            if !isCancelled {
                var gone: UIViewController? = shown
                while let controller = gone {
                    gone = controller.ownPresented
                    controller.ownPresenting?.ownPresented = nil
                    controller.ownPresenting = nil
                    controller.ownPresentationController = nil
                }
            }
            then(isCancelled)
        }
        guard animated else {
            finish(false)
            return nil
        }
        shown.isBeingDismissed = true
        return StandInTransition(of: [self, shown], interactive: interactive, finish: finish)
    }
}

@MainActor
public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
    func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool
    func presentationControllerWillDismiss(_ presentationController: UIPresentationController)
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
    func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController)
}

// Optional in Objective-C.
extension UIAdaptivePresentationControllerDelegate {
    public func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool { true }
    public func presentationControllerWillDismiss(_ presentationController: UIPresentationController) {}
    public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {}
    public func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController) {}
}

@MainActor
open class UIPresentationController: NSObject {
    public private(set) unowned var presentedViewController: UIViewController
    public weak var delegate: (any UIAdaptivePresentationControllerDelegate)?

    public required init(
        presentedViewController: UIViewController,
        presenting presentingViewController: UIViewController?
    ) {
        self.presentedViewController = presentedViewController
        super.init()
    }

    /// A finger begins to pull the presentation down, and lets go.
    ///
    /// - Returns: Whether UIKit lets it.
    public func standInPullDown(cancelling: Bool = false) -> Bool {
        let shown = presentedViewController
        guard let presenter = shown.ownPresenting, shown.ownPresented == nil, !StandIn.isTransitioning,
            ![.fullScreen, .overFullScreen].contains(shown.modalPresentationStyle), !(shown is UIAlertController)
        else { return false }
        guard !shown.isModalInPresentation, delegate?.presentationControllerShouldDismiss(self) ?? true else {
            delegate?.presentationControllerDidAttemptToDismiss(self)
            return false
        }
        let (delegate, controller) = (self.delegate, self)
        let transition = presenter.standInTakeAway(shown, animated: true, interactive: true) { isCancelled in
            if !isCancelled { delegate?.presentationControllerDidDismiss(controller) }
        }
        delegate?.presentationControllerWillDismiss(self)
        transition?.letGo(cancelling: cancelling)
        return true
    }
}

@MainActor
open class UIPopoverPresentationController: UIPresentationController {
    public weak var sourceView: UIView?
}

@MainActor
open class UIAlertAction: NSObject {
    public enum Style: Int, Sendable {
        case `default` = 0, cancel, destructive
    }

    public let title: String?
    public let style: Style
    fileprivate let handler: ((UIAlertAction) -> Void)?

    public convenience init(title: String?, style: UIAlertAction.Style, handler: ((UIAlertAction) -> Void)? = nil) {
        self.init(standIn: title, style, handler)
    }

    private init(standIn title: String?, _ style: UIAlertAction.Style, _ handler: ((UIAlertAction) -> Void)?) {
        self.title = title
        self.style = style
        self.handler = handler
        super.init()
    }
}

@MainActor
open class UIAlertController: UIViewController {
    public enum Style: Int, Sendable {
        case actionSheet = 0, alert
    }

    public private(set) var actions: [UIAlertAction] = []

    public convenience init(title: String?, message: String?, preferredStyle: UIAlertController.Style) {
        self.init()
        self.title = title
        self.preferredStyle = preferredStyle
        // On an iPad.
        if preferredStyle == .actionSheet { modalPresentationStyle = .popover }
    }

    public private(set) var preferredStyle = UIAlertController.Style.alert

    public func addAction(_ action: UIAlertAction) { actions.append(action) }

    /// A finger taps a button: the alert goes away, and then its action is done.
    public func standInTap(_ place: Int) -> Bool {
        guard let presenter = ownPresenting, ownPresented == nil, !StandIn.isTransitioning else { return false }
        let action = actions[place]
        presenter.standInTakeAway(self, animated: true, interactive: false) { _ in action.handler?(action) }
        return true
    }
}
