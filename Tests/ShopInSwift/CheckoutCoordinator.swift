internal import SceneNavigation
internal import SceneRouting

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
