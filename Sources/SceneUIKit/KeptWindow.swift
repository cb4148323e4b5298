#if canImport(UIKit) && !os(watchOS)
    internal import SceneNavigation
    internal import SceneRuntime
    internal import StrictJSON
    internal import UIKit

    /// What a window showed and whose it was, as UIKit keeps it from one run of the app to the next.
    struct KeptWindow {
        let state: WindowState
        let owner: WindowOwner?

        /// The type of the activity that carries it.
        static let activityType = "io.scened.window"
        private static let key = "window"

        init(state: WindowState, owner: WindowOwner?) {
            self.state = state
            self.owner = owner
        }

        /// Reads what an earlier run has left; `nil` if it is nothing of ours.
        /// - Throws: What is wrong with it.
        init?(_ activity: NSUserActivity?) throws(JSONFieldError) {
            guard let activity, activity.activityType == Self.activityType,
                let text = activity.userInfo?[Self.key] as? String,
                let json = try? JSONValue(parsing: text)
            else { return nil }
            state = try WindowState(json: json["state"] ?? .null)
            owner = json["host"]?.stringValue.map {
                WindowOwner(host: $0, user: json["user"]?.stringValue, epoch: json["epoch"]?.integerValue ?? 0)
            }
        }

        var activity: NSUserActivity {
            var json: JSONObject = ["state": state.json]
            json["host"] = owner.map { .string($0.host) }
            json["user"] = owner?.user.map(JSONValue.string)
            json["epoch"] = owner.map { .integer($0.epoch) }
            let activity = NSUserActivity(activityType: Self.activityType)
            activity.userInfo = [Self.key: JSONValue.object(json).text()]
            return activity
        }
    }

    /// Which scene of the runtime a scene of UIKit is.
    @MainActor
    enum SceneID {
        /// The type of the activity by which the app asks for a scene.
        static let activityType = "io.scened.scene"
        private static let key = "scene"

        /// The ID of a session that UIKit has made: its own.
        static func of(_ session: UISceneSession) -> String {
            asked[session.persistentIdentifier] ?? session.persistentIdentifier
        }

        /// The sessions that the app has asked for, by UIKit's identifier.
        private static var asked: [String: String] = [:]

        /// Notes the scene for which a session was asked for, if it was.
        static func note(_ session: UISceneSession, _ activities: Set<NSUserActivity>) {
            guard let activity = activities.first(where: { $0.activityType == activityType }),
                let id = activity.userInfo?[key] as? String
            else { return }
            asked[session.persistentIdentifier] = id
        }

        static func activity(for id: String) -> NSUserActivity {
            let activity = NSUserActivity(activityType: activityType)
            activity.userInfo = [key: id]
            return activity
        }
    }
#endif
