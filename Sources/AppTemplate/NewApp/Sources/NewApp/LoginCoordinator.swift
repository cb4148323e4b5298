import SceneNavigation
import SceneRouting

/// Signs in. Whether there is a second screen depends on the user; what is not decided here, the manifest declares.
final class LoginCoordinator: FlowCoordinator {
    private let accounts: any Accounts
    private let declared = ManifestCoordinator(flow: Routes.LoginFlow.name)

    init(accounts: any Accounts) {
        self.accounts = accounts
    }

    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        switch Routes.LoginFlow.Intent(intent) {
        case .named(let user) where !accounts.needsCode(user):
            return [.finish(.completed(FlowCompletion(user: user)))]
        case .codeEntered(let user, let code) where !accounts.accepts(code, of: user):
            // The intent is rejected, nothing is done, and the screen stays.
            throw WrongCode(user: user)
        default:
            return try declared.handle(intent, from: screen, context: context)
        }
    }
}

/// A code that is not the user's.
struct WrongCode: Error, CustomStringConvertible {
    let user: String
    var description: String { "that is not the code of \(user)" }
}
