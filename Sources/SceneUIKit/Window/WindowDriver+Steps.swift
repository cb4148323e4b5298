#if canImport(UIKit) && !os(watchOS)
    internal import SceneNavigation
    internal import SceneRouting
    internal import UIKit

    // The steps from what UIKit shows to what is wanted.
    extension WindowDriver {
        func screens(ofTab tab: String) -> [UIViewController] {
            (wanted?.screens.stack(of: tab) ?? []).compactMap { $0 as? UIViewController }
        }

        func screens(ofModal index: Int) -> [UIViewController] {
            (wanted?.screens.modal(index) ?? []).compactMap { $0 as? UIViewController }
        }

        /// The presentations that UIKit still shows, bottom first.
        var shownModals: [Presented] {
            var controller = window?.rootViewController?.presentedViewController
            var shown: [Presented] = []
            for modal in presented {
                guard controller === modal.controller, !modal.controller.isBeingDismissed else { break }
                shown.append(modal)
                controller = modal.controller.presentedViewController
            }
            return shown
        }

        /// What is on top: of an alert, the alert.
        var topmost: UIViewController? { presented.last?.controller }

        /// The controller that presents the presentation of this index.
        private func presenter(of index: Int) -> UIViewController? {
            index == 0 ? window?.rootViewController : presented[index - 1].controller
        }

        /// Takes the next step towards what is wanted.
        /// - Returns: Whether there was one.
        func step(in window: UIWindow) -> Bool {
            guard let wanted else { return clear(window) }
            let shown = shownModals
            presented = shown
            let kept = root?.id == wanted.root ? zip(shown, wanted.modals).prefix { $0.id == $1 }.count : 0
            if shown.count > kept {
                dismiss(to: kept, animated: isAnimated && kept == wanted.modals.count && root?.id == wanted.root)
                return true
            }
            if root?.id != wanted.root || window.rootViewController == nil {
                show(wanted, in: window)
                return true
            }
            return setStacks(wanted) || select(wanted) || present(wanted)
        }

        private func clear(_ window: UIWindow) -> Bool {
            if !shownModals.isEmpty {
                dismiss(to: 0, animated: false)
                return true
            }
            presented = []
            guard root != nil else { return false }
            root = nil
            given = [:]
            window.rootViewController = nil
            if let session { app?.close(session, of: id) }
            return true
        }

        private func dismiss(to kept: Int, animated: Bool) {
            guard let presenter = presenter(of: kept) else { return }
            for modal in presented[kept...] { given[ObjectIdentifier(modal.controller)] = nil }
            presented.removeSubrange(kept...)
            presenter.dismiss(animated: animated, completion: beginTransition())
        }

        private func show(_ wanted: Wanted, in window: UIWindow) {
            given = [:]
            let stacks = wanted.window.tabs.map { tab in
                let stack = makeStack(screens(ofTab: tab.id))
                stack.tabBarItem = factory.tabBarItem(for: tab.id)
                if stack.tabBarItem == nil { stack.title = tab.id }
                return (tab: tab.id, stack: stack)
            }
            root = (wanted.root, stacks)
            if stacks.count == 1, stacks[0].tab == WindowState.rootTab {
                window.rootViewController = stacks[0].stack
            } else {
                let tabs = UITabBarController()
                tabs.viewControllers = stacks.map(\.stack)
                tabs.delegate = self
                window.rootViewController = tabs
            }
        }

        private func makeStack(_ screens: [UIViewController]) -> UINavigationController {
            let stack = UINavigationController()
            stack.delegate = self
            given[ObjectIdentifier(stack)] = screens.count
            stack.setViewControllers(screens, animated: false)
            return stack
        }

        private func setStacks(_ wanted: Wanted) -> Bool {
            guard let root else { return false }
            let isOnTop = presented.isEmpty && wanted.modals.isEmpty
            for (tab, stack) in root.stacks {
                let isSeen = isOnTop && tab == wanted.window.selectedTab && isSelected(stack)
                if set(stack, screens(ofTab: tab), animated: isAnimated && isSeen) { return true }
            }
            for (index, modal) in presented.enumerated() {
                guard let stack = modal.controller as? UINavigationController else { continue }
                let isSeen = index == presented.count - 1 && presented.count == wanted.modals.count
                if set(stack, screens(ofModal: index), animated: isAnimated && isSeen) { return true }
            }
            return false
        }

        private func set(_ stack: UINavigationController, _ screens: [UIViewController], animated: Bool) -> Bool {
            let shown = stack.viewControllers
            guard !shown.elementsEqual(screens, by: ===) else { return false }
            given[ObjectIdentifier(stack)] = screens.count
            stack.setViewControllers(screens, animated: animated)
            follow(stack)
            return true
        }

        private var tabs: UITabBarController? { window?.rootViewController as? UITabBarController }

        private func isSelected(_ stack: UINavigationController) -> Bool {
            tabs.map { $0.selectedViewController === stack } ?? true
        }

        private func select(_ wanted: Wanted) -> Bool {
            guard let tabs, let index = root?.stacks.firstIndex(where: { $0.tab == wanted.window.selectedTab }),
                tabs.selectedIndex != index
            else { return false }
            tabs.selectedIndex = index
            return true
        }

        private func present(_ wanted: Wanted) -> Bool {
            let index = presented.count
            guard index < wanted.modals.count, wanted.window.modals.indices.contains(index),
                let presenter = presenter(of: index)
            else { return false }
            let screens = screens(ofModal: index)
            let style = wanted.window.modals[index].style
            let controller: UIViewController
            if screens.count == 1, let alert = screens[0] as? UIAlertController {
                controller = alert
            } else {
                controller = makeStack(screens)
                controller.modalPresentationStyle = style.inUIKit
                #if !os(tvOS)
                    // A popover that belongs to nothing raises an exception.
                    if style == .popover { controller.popoverPresentationController?.sourceView = presenter.view }
                #endif
                controller.presentationController?.delegate = self
            }
            presented.append(Presented(id: wanted.modals[index], controller: controller))
            let isAnimated = isAnimated && index == wanted.modals.count - 1
            presenter.present(controller, animated: isAnimated, completion: beginTransition())
            return true
        }

        /// Lets go of a swipe that is under the finger: what it shows may no longer be wanted.
        func cancelSwipe() {
            #if !os(tvOS)
                let stacks =
                    (root?.stacks.map(\.stack) ?? [])
                    + presented.compactMap { $0.controller as? UINavigationController }
                for stack in stacks where stack.transitionCoordinator?.isInteractive == true {
                    stack.interactivePopGestureRecognizer?.isEnabled = false
                    stack.interactivePopGestureRecognizer?.isEnabled = true
                }
            #endif
        }
    }

    extension ModalStyle {
        /// UIKit's style. Where the system has no such style, the nearest.
        fileprivate var inUIKit: UIModalPresentationStyle {
            #if os(tvOS)
                switch self {
                case .sheet, .fullScreen: .fullScreen
                case .popover, .alert: .overFullScreen
                }
            #else
                switch self {
                case .sheet: .pageSheet
                case .fullScreen: .fullScreen
                case .popover: .popover
                case .alert: .overFullScreen
                }
            #endif
        }
    }
#endif
