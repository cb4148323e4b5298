#if canImport(UIKit) && !os(watchOS)
    internal import SceneNavigation
    public import SceneRouting
    public import UIKit

    /// Makes an app's view controllers. One factory serves one window.
    ///
    /// It must return at once and not report anything. It must not keep what it makes; the window's containers do.
    @MainActor
    public protocol SceneScreenFactory: AnyObject {
        /// Makes the view controller of a destination, new and in no container yet. What is presented as an alert may be a
        /// `UIAlertController`, with the actions that ``WindowHandle/alertAction(_:style:reporting:)`` makes.
        ///
        /// - Parameters:
        ///   - destination: What the screen shows.
        ///   - flow: The flow whose coordinator owns the screen, or the tab's name.
        /// - Throws: Why there can be none. The event ends as `rejected` with a reason that begins with `screenFailed`, and the
        ///   window stays as it was.
        func makeScreen(for destination: Destination, flow: String) throws -> UIViewController

        /// Gives a view controller, which stays where it is, the parameters of `destination`, which has the same name.
        ///
        /// - Throws: Why it cannot, with the same effect as for ``makeScreen(for:flow:)``.
        func update(_ screen: UIViewController, to destination: Destination) throws

        /// What the bar shows for a tab. The default is the tab's name.
        func tabBarItem(for tab: String) -> UITabBarItem?

        /// Makes the empty stack of a tab, or of a window without tabs: `root`. The default is a plain one. The library is its delegate.
        func makeStack(forTab tab: String) -> UINavigationController

        /// Makes the empty stack of a presentation that begins with this destination. The default is a plain one.
        func makeStack(presenting destination: Destination) -> UINavigationController

        /// Makes the controller of the tabs, without any. The default is a plain one. The library is its delegate.
        func makeTabBarController() -> UITabBarController

        /// What is presented, a stack or an alert, is about to be, in the style of the manifest: here it gets its detents, where a popover
        /// points, or a style and transition of the app's own. The delegate of its presentation controller is the library's.
        func willPresent(_ controller: UIViewController, for destination: Destination)
    }

    extension SceneScreenFactory {
        /// Returns `nil`: the bar shows the tab's name.
        public func tabBarItem(for tab: String) -> UITabBarItem? { nil }

        /// Returns a plain stack.
        public func makeStack(forTab tab: String) -> UINavigationController { UINavigationController() }

        /// Returns a plain stack.
        public func makeStack(presenting destination: Destination) -> UINavigationController {
            UINavigationController()
        }

        /// Returns a plain controller.
        public func makeTabBarController() -> UITabBarController { UITabBarController() }

        /// Does nothing.
        public func willPresent(_ controller: UIViewController, for destination: Destination) {}
    }

    /// The runtime's side of an app's factory. The runtime calls it on the scene's executor, which is the main actor's.
    final class ScreenFactoryOnMain: ScreenFactory {
        private let factory: Carried<any SceneScreenFactory>

        private let secrets: SecretRevealing

        init(_ factory: any SceneScreenFactory, _ secrets: SecretRevealing) {
            self.factory = Carried(value: factory)
            self.secrets = secrets
        }

        func makeScreen(for destination: Destination, flow: String) throws -> AnyObject {
            let (factory, destination) = (self.factory, secrets.revealed(destination))
            return try MainActor.assumeIsolated {
                Carried(value: try factory.value.makeScreen(for: destination, flow: flow) as AnyObject)
            }.value
        }

        func update(_ screen: AnyObject, to destination: Destination) throws {
            let (factory, screen) = (self.factory, Carried(value: screen))
            let destination = secrets.revealed(destination)
            try MainActor.assumeIsolated {
                guard let screen = screen.value as? UIViewController else { return }
                try factory.value.update(screen, to: destination)
            }
        }
    }
#endif
