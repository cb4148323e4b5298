#if canImport(UIKit) && !os(watchOS)
    internal import UIKit

    /// Which scene of the runtime a scene of UIKit is.
    @MainActor
    final class SceneIDs {
        /// The type of the activity by which the app asks for a scene.
        static let activityType = "io.scened.scene"
        private static let key = "scene"

        /// The sessions that the app has asked for, by UIKit's identifier; only those that the system still has.
        private(set) var asked: [String: String] = [:]

        nonisolated init() {}

        /// The ID of a session that UIKit has made is its own.
        func of(_ session: UISceneSession) -> String {
            asked[session.persistentIdentifier] ?? session.persistentIdentifier
        }

        /// Notes the scene for which a session was asked for, if it was.
        func note(_ session: UISceneSession, _ activities: Set<NSUserActivity>) {
            guard let activity = activities.first(where: { $0.activityType == Self.activityType }),
                let id = activity.userInfo?[Self.key] as? String
            else { return }
            let open = Set(UIApplication.shared.openSessions.map(\.persistentIdentifier))
            asked = asked.filter { open.contains($0.key) }
            asked[session.persistentIdentifier] = id
        }

        /// Forgets a session that the system no longer has.
        func forget(_ session: UISceneSession) { asked[session.persistentIdentifier] = nil }

        static func activity(for id: String) -> NSUserActivity {
            let activity = NSUserActivity(activityType: activityType)
            activity.userInfo = [key: id]
            return activity
        }
    }
#endif
