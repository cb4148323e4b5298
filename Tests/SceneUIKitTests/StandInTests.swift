import Testing
import UIKit

extension InUIKit {
    /// The tests of this folder are worth what their stand-in is: each rule with the page of Apple's documentation that says so.
    @Suite("The stand-in does what UIKit documents")
    @MainActor
    struct StandInTests {
        struct Rule: CustomTestStringConvertible, Sendable {
            /// Under https://developer.apple.com/documentation/uikit/, or the message of UIKit.
            let source: String
            let says: String
            let check: @MainActor @Sendable (Stage) throws -> Void
            var testDescription: String { "\(says) (\(source))" }
        }

        @Test("presentations", arguments: presentations)
        func presenting(rule: Rule) throws { try check(rule) }

        @Test("stacks", arguments: stacks)
        func stacking(rule: Rule) throws { try check(rule) }

        @Test("tabs", arguments: tabs)
        func tabbing(rule: Rule) throws { try check(rule) }

        @Test("transitions", arguments: transitions)
        func moving(rule: Rule) throws { try check(rule) }

        @Test("what UIKit complains about is a mistake", arguments: mistakes)
        func complaining(rule: Rule) throws {
            try rule.check(Stage())
            #expect(StandIn.mistakes.count == 1, "\(StandIn.mistakes)")
            StandIn.reset()
        }

        private func check(_ rule: Rule) throws {
            try rule.check(Stage())
            #expect(StandIn.mistakes == [])
            StandIn.reset()
        }

        nonisolated static let presentations: [Rule] = [
            Rule(
                source: "uiviewcontroller/dismiss(animated:completion:)",
                says: "a dismissal lower in the stack takes the child there and all above it"
            ) { stage in
                let chain = stage.chain(3)
                chain[1].dismiss(animated: false)
                #expect(chain[0].presentedViewController === chain[1])
                #expect(chain[1].presentedViewController == nil && chain[2].presentingViewController == nil)
                #expect(chain[2].presentedViewController == nil && chain[3].presentingViewController == nil)
            },
            Rule(
                source: "uiviewcontroller/dismiss(animated:completion:)",
                says: "on the presented controller it is handled by the presenting one"
            ) { stage in
                let chain = stage.chain(2)
                chain[2].dismiss(animated: false)
                #expect(chain[1].presentedViewController == nil && chain[0].presentedViewController === chain[1])
            },
            Rule(
                source: "uiviewcontroller/dismiss(animated:completion:)",
                says: "the completion handler is called once, after the controller has disappeared"
            ) { stage in
                let chain = stage.chain(1)
                chain[0].dismiss(animated: true) { stage.note("done") }
                #expect(stage.calls == [] && chain[1].isBeingDismissed && chain[0].presentedViewController != nil)
                StandIn.finishTransitions()
                #expect(stage.calls == ["done"] && !chain[1].isBeingDismissed)
                #expect(chain[0].presentedViewController == nil)
            },
            Rule(
                source: "uiviewcontroller/present(_:animated:completion:)",
                says: "the completion handler is called once, after the controller has appeared"
            ) { stage in
                let next = UIViewController()
                stage.stack.present(next, animated: true) { stage.note("done") }
                #expect(stage.calls == [] && next.isBeingPresented && stage.stack.presentedViewController === next)
                StandIn.finishTransitions()
                #expect(stage.calls == ["done"] && !next.isBeingPresented)
            },
            Rule(
                source: "uiviewcontroller/present(_:animated:completion:)",
                says: "a child forwards a request up the hierarchy"
            ) { stage in
                let next = UIViewController()
                stage.second.present(next, animated: false)
                #expect(next.presentingViewController === stage.stack)
            },
            Rule(
                source: "uiviewcontroller/presentedviewcontroller",
                says: "is what this controller or one of its ancestors has presented"
            ) { stage in
                let chain = stage.chain(1)
                #expect(stage.second.presentedViewController === chain[1])
            },
            Rule(
                source: "uiviewcontroller/presentingviewcontroller",
                says: "is what has presented this controller or its farthest ancestor"
            ) { stage in
                let inner = UIViewController()
                let next = UINavigationController(rootViewController: inner)
                stage.stack.present(next, animated: false)
                #expect(inner.presentingViewController === stage.stack)
            },
            Rule(
                source: "uiviewcontroller/presentationcontroller",
                says: "before a presentation it is made by the style that is set"
            ) { _ in
                let (sheet, popover) = (UIViewController(), UIViewController())
                sheet.modalPresentationStyle = .pageSheet
                popover.modalPresentationStyle = .popover
                #expect(sheet.presentationController?.presentedViewController === sheet)
                #expect(sheet.popoverPresentationController == nil)
                #expect(popover.popoverPresentationController === popover.presentationController)
                #expect(popover.popoverPresentationController != nil)
            },
            Rule(
                source: "uiadaptivepresentationcontrollerdelegate/presentationcontrollerdiddismiss(_:)",
                says: "a finger's dismissal is told before and after"
            ) { stage in
                #expect(stage.sheet().presentationController?.standInPullDown() == true)
                #expect(stage.calls == ["shouldDismiss", "willDismiss"])
                StandIn.finishTransitions()
                #expect(stage.calls == ["shouldDismiss", "willDismiss", "didDismiss"])
            },
            Rule(
                source: "uiadaptivepresentationcontrollerdelegate/presentationcontrollerdiddismiss(_:)",
                says: "a dismissal by the program is not told"
            ) { stage in
                for isAnimated in [true, false] {
                    _ = stage.sheet()
                    stage.stack.dismiss(animated: isAnimated)
                    StandIn.finishTransitions()
                }
                #expect(stage.calls == [])
            },
            Rule(
                source: "uiadaptivepresentationcontrollerdelegate/presentationcontrollerwilldismiss(_:)",
                says: "there is a transition coordinator then, and a dismissal that is cancelled has not happened"
            ) { stage in
                let sheet = stage.sheet()
                #expect(sheet.presentationController?.standInPullDown(cancelling: true) == true)
                #expect(stage.calls == ["shouldDismiss", "willDismiss"])
                #expect(sheet.transitionCoordinator?.isCancelled == true)
                StandIn.finishTransitions()
                #expect(stage.calls == ["shouldDismiss", "willDismiss"])
                #expect(stage.stack.presentedViewController === sheet && !sheet.isBeingDismissed)
            },
            Rule(
                source: "uiadaptivepresentationcontrollerdelegate/presentationcontrollerdidattempttodismiss(_:)",
                says: "a dismissal that is prevented is told as an attempt"
            ) { stage in
                let sheet = stage.sheet()
                stage.mayDismiss = false
                #expect(sheet.presentationController?.standInPullDown() == false)
                sheet.isModalInPresentation = true
                #expect(sheet.presentationController?.standInPullDown() == false)
                #expect(stage.calls == ["shouldDismiss", "didAttemptToDismiss", "didAttemptToDismiss"])
            },
            Rule(
                source: "uialertcontroller",
                says: "a button takes the alert away, and its handler is called once"
            ) { stage in
                let alert = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
                alert.addAction(UIAlertAction(title: "OK", style: .default) { _ in stage.note("tapped") })
                stage.stack.present(alert, animated: false)
                #expect(alert.standInTap(0) && alert.isBeingDismissed)
                StandIn.finishTransitions()
                #expect(stage.calls == ["tapped"] && stage.stack.presentedViewController == nil)
            },
        ]

        nonisolated static let stacks: [Rule] = [
            Rule(
                source: "uinavigationcontroller/setviewcontrollers(_:animated:)",
                says: "D, A and B over A, B and C is one transition, and then the stack is D, A and B"
            ) { stage in
                let (third, fourth) = (UIViewController(), UIViewController())
                stage.stack.viewControllers = [stage.first, stage.second, third]
                stage.calls = []
                stage.stack.setViewControllers([fourth, stage.first, stage.second], animated: true)
                #expect(StandIn.isTransitioning)
                StandIn.finishTransitions()
                #expect(stage.calls == ["willShow 3", "didShow 3"])
                #expect(stage.stack.viewControllers == [fourth, stage.first, stage.second])
            },
            Rule(
                source: "uinavigationcontroller/setviewcontrollers(_:animated:)",
                says: "there is no transition if the last stays on top"
            ) { stage in
                stage.stack.setViewControllers([UIViewController(), stage.second], animated: true)
                #expect(!StandIn.isTransitioning && stage.calls == [])
            },
            Rule(
                source: "uinavigationcontroller/viewcontrollers",
                says: "set so, the stack changes without animation"
            ) { stage in
                stage.stack.viewControllers = [UIViewController()]
                #expect(!StandIn.isTransitioning && stage.stack.viewControllers.count == 1)
                #expect(stage.second.parent == nil && stage.second.navigationController == nil)
            },
            Rule(
                source: "uiviewcontroller/addchild(_:)",
                says: "a child of another container is removed from that before it is added"
            ) { stage in
                let other = UINavigationController(rootViewController: UIViewController())
                other.viewControllers += [stage.second]
                #expect(stage.second.parent === other && stage.stack.viewControllers == [stage.first])
            },
            Rule(
                source: "uinavigationcontrollerdelegate",
                says: "is told before and after a screen is shown"
            ) { stage in
                stage.stack.pushViewController(UIViewController(), animated: true)
                #expect(stage.calls == ["willShow 3"] && stage.stack.viewControllers.count == 3)
                StandIn.finishTransitions()
                #expect(stage.calls == ["willShow 3", "didShow 3"])
            },
            Rule(
                source: "uinavigationcontroller/popviewcontroller(animated:)",
                says: "the root is not popped"
            ) { stage in
                #expect(stage.stack.popViewController(animated: false) === stage.second)
                #expect(stage.stack.popViewController(animated: false) == nil)
                #expect(stage.stack.viewControllers == [stage.first])
            },
            Rule(
                source: "uinavigationcontroller/poptoviewcontroller(_:animated:)",
                says: "what was popped is returned"
            ) { stage in
                #expect(stage.stack.popToViewController(stage.first, animated: false) == [stage.second])
            },
            Rule(
                source: "uinavigationcontroller/interactivepopgesturerecognizer",
                says: "a swipe takes the screen away, and gives it back if it is cancelled"
            ) { stage in
                #expect(stage.stack.standInBeginSwipe() && stage.stack.viewControllers == [stage.first])
                stage.stack.standInLetGo(cancelling: true)
                StandIn.finishTransitions()
                #expect(stage.stack.viewControllers == [stage.first, stage.second])
            },
            Rule(
                source: "uigesturerecognizer/isenabled",
                says: "disabling the recognizer cancels the swipe"
            ) { stage in
                #expect(stage.stack.standInBeginSwipe())
                stage.stack.interactivePopGestureRecognizer?.isEnabled = false
                #expect(stage.stack.transitionCoordinator?.isCancelled == true)
                StandIn.finishTransitions()
                #expect(stage.stack.viewControllers == [stage.first, stage.second])
                #expect(!stage.stack.standInBeginSwipe())
            },
            Rule(
                source: "uinavigationcontroller/interactivecontentpopgesturerecognizer",
                says: "a swipe from inside has a recognizer of its own"
            ) { stage in
                stage.stack.interactivePopGestureRecognizer?.isEnabled = false
                #expect(stage.stack.standInBeginSwipe(fromEdge: false) && stage.stack.viewControllers == [stage.first])
                stage.stack.interactiveContentPopGestureRecognizer?.isEnabled = false
                #expect(stage.stack.transitionCoordinator?.isCancelled == true)
                StandIn.finishTransitions()
                #expect(!stage.stack.standInBeginSwipe(fromEdge: false))
            },
            Rule(
                source: "uiviewcontroller/addchild(_:)",
                says: "a child has its container as its parent"
            ) { stage in
                let child = UIViewController()
                stage.second.addChild(child)
                #expect(child.parent === stage.second && child.navigationController === stage.stack)
            },
        ]

        nonisolated static let tabs: [Rule] = [
            Rule(
                source: "uitabbarcontrollerdelegate/tabbarcontroller(_:didselect:)",
                says: "is called for a finger, also on the tab that is selected"
            ) { stage in
                let tabs = stage.tabs()
                #expect(tabs.standInTap(1) && tabs.standInTap(1) && tabs.selectedIndex == 1)
                #expect(stage.calls == ["shouldSelect", "didSelect", "shouldSelect", "didSelect"])
            },
            Rule(
                source: "uitabbarcontrollerdelegate/tabbarcontroller(_:didselect:)",
                says: "is not called for the program"
            ) { stage in
                let tabs = stage.tabs()
                tabs.selectedIndex = 2
                #expect(stage.calls == [] && tabs.selectedViewController === tabs.viewControllers?[2])
            },
            Rule(
                source: "uitabbarcontrollerdelegate/tabbarcontroller(_:shouldselect:)",
                says: "false leaves the current tab, and its stack"
            ) { stage in
                let tabs = stage.tabs()
                stage.maySelect = false
                #expect(tabs.standInTap(0) && tabs.standInTap(2) && tabs.selectedIndex == 0)
                #expect(stage.calls == ["shouldSelect", "shouldSelect"])
                #expect((tabs.selectedViewController as? UINavigationController)?.viewControllers.count == 2)
            },
            Rule(
                source: "uiviewcontroller/tabbaritem",
                says: "is made with the title if it was not set, or set to nil"
            ) { _ in
                let controller = UIViewController()
                controller.title = "Home"
                #expect(controller.tabBarItem.title == "Home")
                controller.tabBarItem = nil
                #expect(controller.tabBarItem?.title == "Home")
            },
        ]

        nonisolated static let transitions: [Rule] = [
            Rule(
                source: "uiviewcontrollertransitioncoordinator",
                says: "is there during the transition, and calls each completion once at its end"
            ) { stage in
                #expect(stage.stack.transitionCoordinator == nil)
                stage.stack.pushViewController(UIViewController(), animated: true)
                let coordinator = try #require(stage.stack.transitionCoordinator)
                for _ in 0..<2 {
                    coordinator.animate(alongsideTransition: nil) { stage.note("over \($0.isCancelled)") }
                }
                #expect(!coordinator.initiallyInteractive && coordinator.isAnimated)
                stage.calls = []
                StandIn.finishTransitions()
                #expect(stage.calls.filter { $0 == "over false" }.count == 2)
                #expect(stage.stack.transitionCoordinator == nil)
            },
            Rule(
                source: "uiviewcontrollertransitioncoordinator/notifywheninteractionchanges(_:)",
                says: "the handler is called each time that the finger lets go"
            ) { stage in
                #expect(stage.stack.standInBeginSwipe())
                let coordinator = try #require(stage.stack.transitionCoordinator)
                #expect(coordinator.initiallyInteractive && coordinator.isInteractive)
                stage.calls = []
                coordinator.notifyWhenInteractionChanges { stage.note("\($0.isInteractive) \($0.isCancelled)") }
                stage.stack.standInLetGo(cancelling: true)
                stage.stack.standInTakeHold()
                stage.stack.standInLetGo(cancelling: false)
                #expect(stage.calls == ["false true", "false false"])
                StandIn.finishTransitions()
                #expect(stage.stack.viewControllers == [stage.first])
            },
            Rule(
                source: "uiviewcontrollertransitioncoordinator",
                says: "there is none without animation"
            ) { stage in
                stage.stack.pushViewController(UIViewController(), animated: false)
                #expect(stage.stack.transitionCoordinator == nil && !StandIn.isTransitioning)
            },
        ]

        nonisolated static let mistakes: [Rule] = [
            Rule(
                source: "uinavigationcontroller/pushviewcontroller(_:animated:)",
                says: "pushing what is on the stack raises an exception"
            ) { stage in stage.stack.pushViewController(stage.first, animated: true) },
            Rule(
                source: "uinavigationcontroller/poptoviewcontroller(_:animated:)",
                says: "popping to what is not on the stack raises an exception"
            ) { stage in stage.stack.popToViewController(UIViewController(), animated: true) },
            Rule(
                source: "'nested push animation can result in corrupted navigation bar'",
                says: "changing a stack during its transition"
            ) { stage in
                stage.stack.pushViewController(UIViewController(), animated: true)
                stage.stack.pushViewController(UIViewController(), animated: true)
                StandIn.finishTransitions()
            },
            Rule(
                source: "'Attempt to present … which is already presenting …'",
                says: "presenting twice, of which the second completion is not called"
            ) { stage in
                stage.stack.present(UIViewController(), animated: false)
                stage.stack.present(UIViewController(), animated: false) { Issue.record("called") }
            },
            Rule(
                source: "'Attempt to present … whose view is not in the window hierarchy'",
                says: "presenting from what is in no window"
            ) { _ in UIViewController().present(UIViewController(), animated: false) { Issue.record("called") } },
            Rule(
                source: "'… should have a non-nil sourceView or barButtonItem set before the presentation occurs'",
                says: "a popover that belongs to nothing, such as an action sheet on an iPad"
            ) { stage in
                let sheet = UIAlertController(title: nil, message: nil, preferredStyle: .actionSheet)
                stage.stack.present(sheet, animated: false)
            },
            Rule(
                source: "'Attempt to dismiss … while a presentation or dismissal is in progress'",
                says: "dismissing what is not there yet"
            ) { stage in
                stage.stack.present(UIViewController(), animated: true)
                stage.stack.dismiss(animated: true)
                StandIn.finishTransitions()
            },
        ]
    }
}
