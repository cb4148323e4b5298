import UIKit

extension InUIKit.StandInTests {
    /// A window with a stack of two screens, and what its delegates are called with.
    @MainActor
    final class Stage: NSObject {
        let window: UIWindow
        let (first, second) = (UIViewController(), UIViewController())
        let stack = UINavigationController()
        private let scene: UIWindowScene
        var calls: [String] = []
        var mayDismiss = true
        var maySelect = true

        override init() {
            StandIn.reset()
            scene = UIWindowScene(standIn: UISceneSession(standIn: "stage"))
            window = UIWindow(windowScene: scene)
            super.init()
            stack.viewControllers = [first, second]
            window.rootViewController = stack
            stack.delegate = self
        }

        func note(_ call: String) { calls.append(call) }

        /// Presentations, each over the one before.
        func chain(_ count: Int) -> [UIViewController] {
            (0..<count).reduce(into: [stack]) { chain, _ in
                let next = UIViewController()
                chain[chain.count - 1].present(next, animated: false)
                chain.append(next)
            }
        }

        func sheet() -> UIViewController {
            let sheet = UIViewController()
            sheet.modalPresentationStyle = .pageSheet
            sheet.presentationController?.delegate = self
            stack.present(sheet, animated: false)
            return sheet
        }

        /// Three tabs, the first of them with two screens.
        func tabs() -> UITabBarController {
            let tabs = UITabBarController()
            let one = UINavigationController(rootViewController: UIViewController())
            one.pushViewController(UIViewController(), animated: false)
            tabs.viewControllers = [one, UIViewController(), UIViewController()]
            window.rootViewController = tabs
            tabs.delegate = self
            return tabs
        }
    }
}

extension InUIKit.StandInTests.Stage: UINavigationControllerDelegate {
    func navigationController(
        _ navigationController: UINavigationController,
        willShow viewController: UIViewController,
        animated: Bool
    ) { note("willShow \(navigationController.viewControllers.count)") }

    func navigationController(
        _ navigationController: UINavigationController,
        didShow viewController: UIViewController,
        animated: Bool
    ) { note("didShow \(navigationController.viewControllers.count)") }
}

extension InUIKit.StandInTests.Stage: UIAdaptivePresentationControllerDelegate {
    func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool {
        note("shouldDismiss")
        return mayDismiss
    }

    func presentationControllerWillDismiss(_ presentationController: UIPresentationController) { note("willDismiss") }

    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) { note("didDismiss") }

    func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController) {
        note("didAttemptToDismiss")
    }
}

extension InUIKit.StandInTests.Stage: UITabBarControllerDelegate {
    func tabBarController(
        _ tabBarController: UITabBarController,
        shouldSelect viewController: UIViewController
    ) -> Bool {
        note("shouldSelect")
        return maySelect
    }

    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {
        note("didSelect")
    }
}
