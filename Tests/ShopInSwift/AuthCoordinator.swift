internal import SceneNavigation
internal import SceneRouting

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
