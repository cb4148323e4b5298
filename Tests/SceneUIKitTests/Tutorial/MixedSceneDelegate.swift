import SceneUIKit
import UIKit

final class MixedSceneDelegate: SceneWindowDelegate {
    override class var app: SceneApp? { AppDelegate.app }

    /// Asked of each link first, at launch as later.
    override func handles(_ url: URL, in scene: UIScene) -> Bool { openAsBefore(url) }

    override func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        super.scene(scene, willConnectTo: session, options: connectionOptions)
        // Without a runtime there is no window yet: then the app is what it was.
        guard Self.app == nil, let windowScene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = UINavigationController(rootViewController: PlainController(title: "Account"))
        self.window = window
        window.makeKeyAndVisible()
    }
}
