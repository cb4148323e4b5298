public import SceneNavigation
public import SceneRuntime
internal import SceneRouting

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

/// The shop's root: knows which destination an intent means, and nothing of screens.
final class ShopRootCoordinator: FlowCoordinator {
    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        switch intent.name {
        case "productSelected": [.route(try intent.destination("product", taking: "id"))]
        case "categorySelected": [.route(try intent.destination("category", taking: "slug"))]
        case "cartTapped": [.route(Destination(id: "cart"))]
        case "checkoutTapped": [.route(Destination(id: "checkout"))]
        case "orderSelected": [.route(try intent.destination("order", taking: "id"))]
        case "buyNow":
            [.session(.append(fact: "cart", try intent.parameter("id"))), .route(Destination(id: "cart"))]
        case "accountTapped": [.route(Destination(id: "account"))]
        case "signOutTapped": [.session(.signOut)]
        default: nil
        }
    }
}

/// Home, orders and account: their screens report nothing that is theirs alone, so everything goes on to the root.
final class TabCoordinator: FlowCoordinator {}

/// Signing in and signing up, wherever it is needed: it knows neither who started it nor what comes after.
final class AuthCoordinator: FlowCoordinator {
    private enum Screen: String {
        case login, createAccount, emailVerification, password, welcome

        var destination: Destination { Destination(id: rawValue) }
    }

    func start(context: FlowContext) -> [Destination] { [Screen.login.destination] }

    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        switch (intent.name, Screen(rawValue: screen.id)) {
        case ("signUpRequested", .login): [.push(Screen.createAccount.destination)]
        case ("signUpCancelled", .createAccount): [.pop()]
        case ("emailCaptured", .createAccount): [.push(Screen.emailVerification.destination)]
        case ("verificationCancelled", .emailVerification): [.pop()]
        case ("emailVerified", .emailVerification): [.replace(Screen.password.destination)]
        case ("passwordCaptured", .password): [.replace(Screen.welcome.destination)]
        case ("loginCompleted", .login), ("signUpCompleted", .welcome):
            [.finish(.completed(FlowCompletion(user: try intent.parameter("user"))))]
        case ("cancelled", _): [.finish(.cancelled)]
        default: nil
        }
    }
}

/// Asks for a payment method.
final class AddPaymentCoordinator: FlowCoordinator {
    func start(context: FlowContext) -> [Destination] { [Destination(id: "paymentForm")] }

    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        switch intent.name {
        case "paymentAdded":
            [
                .session(.set(fact: "paymentMethod", .string(try intent.parameter("method")))),
                .finish(.completed(FlowCompletion())),
            ]
        case "cancelled": [.finish(.cancelled)]
        default: nil
        }
    }
}

/// Buys what is in the cart. When it is done the cart is empty and the order is shown.
final class CheckoutCoordinator: FlowCoordinator {
    func start(context: FlowContext) -> [Destination] { [Destination(id: "checkout")] }

    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        switch intent.name {
        case "orderPlaced":
            [
                .session(.set(fact: "order", .string(try intent.parameter("order")))),
                .finish(.completed(FlowCompletion())),
            ]
        case "cancelled": [.finish(.cancelled)]
        default: nil
        }
    }

    func finished(_ result: FlowResult, context: FlowContext) -> [FlowCommand] {
        guard case .completed(let completion) = result else { return [] }
        let emptied = FlowCommand.session(.reset(fact: "cart"))
        guard case .string(let order)? = completion.facts["order"] ?? context.session.facts["order"] else {
            return [emptied]
        }
        return [emptied, .route(Destination(id: "order", parameters: ["id": order]))]
    }
}

extension Intent {
    /// A parameter that the intent cannot be without.
    func parameter(_ name: String) throws -> String {
        guard let value = parameters[name] else { throw MissingParameter(intent: self.name, parameter: name) }
        return value
    }

    /// The destination of this name that takes one parameter of the intent.
    func destination(_ id: String, taking parameter: String) throws -> Destination {
        Destination(id: id, parameters: [parameter: try self.parameter(parameter)])
    }
}

/// An intent that its screen should not have reported so.
struct MissingParameter: Error, CustomStringConvertible {
    let intent: String
    let parameter: String
    var description: String { "\(intent) needs '\(parameter)'" }
}
