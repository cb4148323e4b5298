import SceneManifest
import SceneRouting
import SceneRuntime
import SceneUIKit
import UIKit
import UserNotifications

final class AppDelegate: UIResponder, UIApplicationDelegate {
    static var app: SceneApp?
    private var notifications: SceneNotificationDelegate?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        do {
            let manifest = try AppManifest.read(manifestText).manifest
            let code = AppCode(coordinators: ["auth": { AuthCoordinator() }])
            let app = try SceneApp(id: UUID().uuidString, manifest: manifest, code: code) { ShopScreens($0) }
            app.onRefusal = { print("refused: \($0)") }
            if let user = keptUser { try app.signIn(user) }
            notifications = SceneNotificationDelegate(app: app)
            UNUserNotificationCenter.current().delegate = notifications
            Self.app = app
            return true
        } catch {
            print("no runtime: \(error)")
            return false
        }
    }

    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
        Self.app?.discard(sceneSessions)
    }

    static func keepRecords(in folder: URL) {
        guard let app else { return }
        for (name, text) in [("records.jsonl", app.records), ("bug.jsonl", app.recording)] {
            do {
                try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
            } catch {
                print("no \(name): \(error)")
            }
        }
    }
}
