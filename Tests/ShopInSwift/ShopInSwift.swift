public import SceneNavigation
public import SceneRuntime

/// The built-in shop's coordinators, written by hand: the same app as its manifest alone makes.
public enum ShopInSwift {
    /// Makes the coordinator of each flow, one instance per scene.
    public static let coordinators: FlowCoordinatorFactory = { flow, _ in
        switch flow {
        case "root": ShopRootCoordinator()
        case "home", "orders", "account": TabCoordinator()
        case "auth": AuthCoordinator()
        case "addPayment": AddPaymentCoordinator()
        case "checkout": CheckoutCoordinator()
        default: nil
        }
    }

    /// The app's code, without screens.
    public static let code = AppCode(coordinators: coordinators)
}
