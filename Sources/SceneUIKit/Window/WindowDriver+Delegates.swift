#if canImport(UIKit) && !os(watchOS)
    internal import SceneNavigation
    internal import UIKit

    // What UIKit says of fingers. What the driver does by itself leaves each stack with as many screens as it was given.
    extension WindowDriver: UINavigationControllerDelegate {
        func navigationController(
            _ navigationController: UINavigationController,
            willShow viewController: UIViewController,
            animated: Bool
        ) {
            guard taken(from: navigationController) > 0 else { return }
            guard let coordinator = navigationController.transitionCoordinator, coordinator.initiallyInteractive else {
                tellTaken(from: navigationController)
                return follow(navigationController)
            }
            follow(navigationController)
            coordinator.notifyWhenInteractionChanges { [weak self, weak navigationController] context in
                guard let self, let navigationController else { return }
                if context.isCancelled {
                    report(.swipeBack(cancelled: true))
                } else {
                    given[ObjectIdentifier(navigationController)] = navigationController.viewControllers.count
                    report(.swipeBack())
                }
            }
        }

        func navigationController(
            _ navigationController: UINavigationController,
            didShow viewController: UIViewController,
            animated: Bool
        ) {
            // What has not been told when it began.
            tellTaken(from: navigationController)
        }

        /// How many screens a finger has taken from a stack.
        private func taken(from stack: UINavigationController) -> Int {
            max(0, (given[ObjectIdentifier(stack)] ?? 0) - stack.viewControllers.count)
        }

        private func tellTaken(from stack: UINavigationController) {
            let taken = taken(from: stack)
            guard taken > 0 else { return }
            given[ObjectIdentifier(stack)] = stack.viewControllers.count
            // From the menu of the back button a finger goes back by several at once.
            for _ in 0..<taken { report(.back) }
        }
    }

    extension WindowDriver: UITabBarControllerDelegate {
        func tabBarController(
            _ tabBarController: UITabBarController,
            shouldSelect viewController: UIViewController
        ) -> Bool {
            if let tab = root?.stacks.first(where: { $0.stack === viewController })?.tab { report(.selectTab(tab)) }
            // The runtime selects it, or pops it to its root.
            return false
        }
    }

    extension WindowDriver: UIAdaptivePresentationControllerDelegate {
        func presentationControllerWillDismiss(_ presentationController: UIPresentationController) {
            let controller = presentationController.presentedViewController
            follow(controller)
            controller.transitionCoordinator?.notifyWhenInteractionChanges { [weak self] context in
                if context.isCancelled { self?.report(.swipeDown(cancelled: true)) }
            }
        }

        func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
            report(.swipeDown())
        }
    }
#endif
