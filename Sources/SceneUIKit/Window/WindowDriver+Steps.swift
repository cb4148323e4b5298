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

        /// What UIKit shows over the root, bottom first, with what the app has presented by itself; nothing that is on its way out.
        private var chain: [UIViewController] {
            var chain: [UIViewController] = []
            var next = window?.rootViewController?.presentedViewController
            while let controller = next, !controller.isBeingDismissed {
                chain.append(controller)
                next = controller.presentedViewController
            }
            return chain
        }

        /// The presentations of the runtime that UIKit still shows, bottom first.
        private var shownModals: [Presented] {
            let chain = chain
            return Array(presented.prefix { modal in chain.contains { $0 === modal.controller } })
        }

        /// Waits for what somebody else lets come or go: UIKit takes an alert away by itself, and the app may present what it likes.
        private func waitForOthers(in window: UIWindow) -> Bool {
            var next = window.rootViewController?.presentedViewController
            while let controller = next {
                if controller.isBeingPresented || controller.isBeingDismissed {
                    guard controller.transitionCoordinator != nil else { return false }
                    follow(controller)
                    return true
                }
                next = controller.presentedViewController
            }
            return false
        }

        /// Takes the next step towards what is wanted.
        /// - Returns: Whether there was one.
        func step(in window: UIWindow) -> Bool {
            if waitForOthers(in: window) { return true }
            guard let wanted else { return clear(window) }
            let shown = shownModals
            forget(presented.dropFirst(shown.count))
            presented = shown
            let kept = zip(shown, wanted.modals).prefix { $0.id == $1 }.count
            if shown.count > kept {
                return dismiss(to: kept, animated: isAnimated && kept == wanted.modals.count && root?.id == wanted.root)
            }
            if root?.id != wanted.root || window.rootViewController == nil {
                show(wanted, in: window)
                return true
            }
            return setStacks(wanted) || select(wanted) || present(wanted)
        }

        private func clear(_ window: UIWindow) -> Bool {
            if !shownModals.isEmpty {
                return dismiss(to: 0, animated: false)
            }
            presented = []
            guard root != nil else { return false }
            root = nil
            given = [:]
            window.rootViewController = nil
            if let session { app?.close(session, of: id) }
            return true
        }

        private func dismiss(to kept: Int, animated: Bool) -> Bool {
            let controller = presented[kept].controller
            guard refusedGeneration != generation, let presenter = controller.presentingViewController else {
                return false
            }
            let end = beginTransition()
            presenter.dismiss(animated: animated, completion: end)
            guard controller.isBeingDismissed || controller.presentingViewController == nil else {
                return isRefused("to dismiss \(controller)", end)
            }
            forget(presented[kept...])
            presented.removeSubrange(kept...)
            return true
        }

        /// What is presented no more has no stack that a finger could go back in.
        private func forget(_ gone: ArraySlice<Presented>) {
            for modal in gone { given[ObjectIdentifier(modal.controller)] = nil }
        }

        /// UIKit has not done what it was asked for, and will not say that it is over: nothing waits for that. It is asked again when
        /// the next is wanted.
        private func isRefused(_ what: String, _ end: () -> Void) -> Bool {
            refusedGeneration = generation
            end()
            app?.refuse("UIKit has refused \(what) in \(id)")
            return false
        }

        private func show(_ wanted: Wanted, in window: UIWindow) {
            given = [:]
            let stacks = wanted.window.tabs.map { tab in
                let stack = fill(factory.makeStack(forTab: tab.id), with: screens(ofTab: tab.id))
                // A stack that has none shows that of its first screen.
                let item = factory.tabBarItem(for: tab.id) ?? UITabBarItem()
                if item.title == nil, item.image == nil { item.title = tab.id }
                stack.tabBarItem = item
                return (tab: tab.id, stack: stack)
            }
            root = (wanted.root, stacks)
            if stacks.count == 1, stacks[0].tab == WindowState.rootTab {
                window.rootViewController = stacks[0].stack
            } else {
                let tabs = factory.makeTabBarController()
                tabs.viewControllers = stacks.map(\.stack)
                tabs.delegate = self
                window.rootViewController = tabs
            }
        }

        private func fill(_ stack: UINavigationController, with screens: [UIViewController]) -> UINavigationController {
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
            guard index < wanted.modals.count, let modal = wanted.window.modals.dropFirst(index).first,
                let first = modal.stack.first, refusedGeneration != generation,
                let presenter = chain.last ?? window?.rootViewController
            else { return false }
            let screens = screens(ofModal: index)
            let destination = app?.secrets.revealed(first) ?? first
            let controller: UIViewController
            if screens.count == 1, let alert = screens[0] as? UIAlertController {
                controller = alert
            } else {
                controller = fill(factory.makeStack(presenting: destination), with: screens)
                controller.modalPresentationStyle = modal.style.inUIKit
            }
            #if !os(tvOS)
                // A popover that belongs to nothing raises an exception; on an iPad an action sheet is one.
                controller.popoverPresentationController?.sourceView = presenter.view
            #endif
            factory.willPresent(controller, for: destination)
            if controller is UINavigationController { controller.presentationController?.delegate = self }
            presented.append(Presented(id: wanted.modals[index], controller: controller))
            let end = beginTransition()
            presenter.present(controller, animated: isAnimated && index == wanted.modals.count - 1, completion: end)
            guard presenter.presentedViewController === controller else {
                presented.removeLast()
                given[ObjectIdentifier(controller)] = nil
                return isRefused("to present \(controller)", end)
            }
            return true
        }

        /// Lets go of a swipe that is under the finger: what it shows may no longer be wanted.
        func cancelSwipe() {
            #if !os(tvOS)
                let stacks =
                    (root?.stacks.map(\.stack) ?? [])
                    + presented.compactMap { $0.controller as? UINavigationController }
                for stack in stacks where stack.transitionCoordinator?.isInteractive == true {
                    var recognizers = [stack.interactivePopGestureRecognizer]
                    if #available(iOS 26, visionOS 26, *) {
                        recognizers.append(stack.interactiveContentPopGestureRecognizer)
                    }
                    // One that the app has disabled stays so.
                    for case let recognizer? in recognizers where recognizer.isEnabled {
                        recognizer.isEnabled = false
                        recognizer.isEnabled = true
                    }
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
