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
                if context.isCancelled { return report(.swipeBack(cancelled: true)) }
                // A finger can take hold again, and let go once more.
                guard taken(from: navigationController) > 0 else { return }
                given[ObjectIdentifier(navigationController)] = navigationController.viewControllers.count
                if isWantedOnTop(navigationController) { report(.swipeBack()) }
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

        /// How many screens a finger has taken from a stack; 0 or less if it has taken none.
        private func taken(from stack: UINavigationController) -> Int {
            (given[ObjectIdentifier(stack)] ?? 0) - stack.viewControllers.count
        }

        /// Whether the runtime has a stack on top, too.
        private func isWantedOnTop(_ stack: UINavigationController) -> Bool {
            guard let wanted else { return false }
            if let modal = wanted.modals.last { return presented.last { $0.id == modal }?.controller === stack }
            let tab = root?.stacks.first { $0.stack === stack }?.tab
            return tab == wanted.window.selectedTab
        }

        private func tellTaken(from stack: UINavigationController) {
            let taken = taken(from: stack)
            guard taken > 0 else { return }
            given[ObjectIdentifier(stack)] = stack.viewControllers.count
            // Of another container the gesture would say something else.
            guard isWantedOnTop(stack) else { return }
            // From the menu of the back button a finger goes back by several at once.
            for _ in 0..<taken { report(.back) }
        }
    }

    extension WindowDriver: UITabBarControllerDelegate {
        func tabBarController(
            _ tabBarController: UITabBarController,
            shouldSelect viewController: UIViewController
        ) -> Bool {
            // Of more than five tabs UIKit shows the rest by a controller of its own.
            guard let tab = root?.stacks.first(where: { $0.stack === viewController })?.tab else { return true }
            report(.selectTab(tab))
            // The runtime selects it, or pops it to its root.
            return false
        }
    }

    extension WindowDriver: UIAdaptivePresentationControllerDelegate {
        // Both are for fingers only.
        func presentationControllerWillDismiss(_ presentationController: UIPresentationController) {
            let controller = presentationController.presentedViewController
            guard let coordinator = controller.transitionCoordinator else { return }
            coordinator.animate(alongsideTransition: nil) { [weak self] context in
                if context.isCancelled {
                    self?.report(.swipeDown(cancelled: true))
                } else {
                    self?.isPulledDown(controller)
                }
            }
            follow(controller)
        }

        func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
            isPulledDown(presentationController.presentedViewController)
        }

        /// Tells the runtime once, whichever comes first: the end of the transition or what UIKit says after it.
        private func isPulledDown(_ controller: UIViewController) {
            guard let index = presented.firstIndex(where: { $0.controller === controller }), !presented[index].isTold
            else { return }
            presented[index].isTold = true
            // Of another presentation the gesture would say something else.
            if wanted?.modals.last == presented[index].id { report(.swipeDown()) } else { schedule() }
        }
    }
#endif
