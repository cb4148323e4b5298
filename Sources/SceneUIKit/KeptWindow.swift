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
#endif
