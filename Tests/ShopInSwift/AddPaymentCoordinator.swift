internal import SceneNavigation
internal import SceneRouting

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
