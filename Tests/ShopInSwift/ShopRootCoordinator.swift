internal import SceneNavigation
internal import SceneRouting

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
