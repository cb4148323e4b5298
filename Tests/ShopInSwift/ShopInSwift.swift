public import SceneNavigation
public import SceneRuntime
internal import SceneRouting

/// The built-in shop's coordinators, written by hand: the same app as its manifest alone makes. `ShopRoutes.swift` has what the manifest
/// declares, as types.
public enum ShopInSwift {
    /// Makes the coordinator of each flow, one instance per scene.
    public static let coordinators: FlowCoordinatorFactory = { flow, _ in
        switch Shop.Flow(rawValue: flow) {
        case .root?: ShopRootCoordinator()
        case .home?, .orders?, .account?: TabCoordinator()
        case .auth?: AuthCoordinator()
        case .addPayment?: AddPaymentCoordinator()
        case .checkout?: CheckoutCoordinator()
        case nil: nil
        }
    }

    /// The app's code, without screens.
    public static let code = AppCode(coordinators: coordinators, routes: Shop.written)
}

/// The shop's root: knows which destination an intent means, and nothing of screens.
final class ShopRootCoordinator: FlowCoordinator {
    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) -> [FlowCommand]? {
        switch Shop.Intent(intent) {
        case .productSelected(let id)?: [.route(Shop.Destination.product(id: id))]
        case .categorySelected(let slug)?: [.route(Shop.Destination.category(slug: slug))]
        case .cartTapped?: [.route(Shop.Destination.cart)]
        case .checkoutTapped?: [.route(Shop.Destination.checkout)]
        case .orderSelected(let id)?: [.route(Shop.Destination.order(id: id))]
        case .buyNow(let id)?: [.session(.append(Shop.Fact.cart, id)), .route(Shop.Destination.cart)]
        case .accountTapped?: [.route(Shop.Destination.account)]
        case .signOutTapped?: [.session(.signOut)]
        case .addedToCart(let id)?: [.session(.append(Shop.Fact.cart, id))]
        case .reviewed(let text)?: [.session(.set(Shop.Fact.review, text))]
        case nil: nil
        }
    }
}

/// Home, orders and account: their screens report nothing that is theirs alone, so everything goes on to the root.
final class TabCoordinator: FlowCoordinator {}

/// Signing in and signing up, wherever it is needed: it knows neither who started it nor what comes after.
final class AuthCoordinator: FlowCoordinator {
    private typealias Screen = Shop.AuthFlow.Screen

    func start(context: FlowContext) -> [Destination] { [Screen.login.destination] }

    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) -> [FlowCommand]? {
        switch (Shop.AuthFlow.Intent(intent), Screen(screen)) {
        case (.signUpRequested?, .login?): [.push(Screen.createAccount)]
        case (.signUpCancelled?, .createAccount?): [.pop()]
        case (.emailCaptured?, .createAccount?): [.push(Screen.emailVerification)]
        case (.verificationCancelled?, .emailVerification?): [.pop()]
        case (.emailVerified?, .emailVerification?): [.replace(Screen.password)]
        case (.passwordCaptured?, .password?): [.replace(Screen.welcome)]
        case (.loginCompleted(let user)?, .login?), (.signUpCompleted(let user)?, .welcome?):
            [.finish(.completed(FlowCompletion(user: user)))]
        case (.cancelled?, _): [.finish(.cancelled)]
        default: nil
        }
    }
}

/// Asks for a payment method.
final class AddPaymentCoordinator: FlowCoordinator {
    func start(context: FlowContext) -> [Destination] { [Shop.AddPaymentFlow.Screen.paymentForm.destination] }

    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) -> [FlowCommand]? {
        switch Shop.AddPaymentFlow.Intent(intent) {
        case .paymentAdded(let method)?:
            [.session(.set(Shop.Fact.paymentMethod, method)), .finish(.completed(FlowCompletion()))]
        case .cancelled?: [.finish(.cancelled)]
        case nil: nil
        }
    }
}

/// Buys what is in the cart. When it is done the cart is empty and the order is shown.
final class CheckoutCoordinator: FlowCoordinator {
    func start(context: FlowContext) -> [Destination] { [Shop.CheckoutFlow.Screen.checkout.destination] }

    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) -> [FlowCommand]? {
        switch Shop.CheckoutFlow.Intent(intent) {
        case .orderPlaced(let order)?:
            [.session(.set(Shop.Fact.order, order)), .finish(.completed(FlowCompletion()))]
        case .cancelled?: [.finish(.cancelled)]
        case nil: nil
        }
    }

    func finished(_ result: FlowResult, context: FlowContext) -> [FlowCommand] {
        guard case .completed(let completion) = result else { return [] }
        let emptied = FlowCommand.session(.reset(Shop.Fact.cart))
        guard let order = completion.facts[Shop.Fact.order] ?? context.session.facts[Shop.Fact.order] else {
            return [emptied]
        }
        return [emptied, .route(Shop.Destination.order(id: order))]
    }
}
