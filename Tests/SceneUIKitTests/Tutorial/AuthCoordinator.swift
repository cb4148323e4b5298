import SceneNavigation
import SceneVocabulary

final class AuthCoordinator: FlowCoordinator {
    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        switch intent.name {
        case "signUpRequested": [.push(Destination(id: "createAccount"))]
        case "loginCompleted": [.finish(.completed(FlowCompletion(user: intent.parameters["user"])))]
        case "cancelled": [.finish(.cancelled)]
        // Not for this flow: its parent is asked.
        default: nil
        }
    }
}
