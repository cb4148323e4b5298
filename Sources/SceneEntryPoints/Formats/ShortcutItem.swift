public import StrictJSON

/// A quick action chosen on the app's icon (`UIApplicationShortcutItem`).
public struct ShortcutItem: Hashable, Sendable {
    public var type: String
    public var userInfo: UserInfo?
    public var targetContentIdentifier: String?

    /// Reads the parameters of the call.
    public init(
        type: String,
        userInfo: JSONObject? = nil,
        targetContentIdentifier: String? = nil
    ) throws(JSONFieldError) {
        try CallParameter.requireText(type, "type")
        try CallParameter.requireText(targetContentIdentifier, "targetContentIdentifier")
        self.type = type
        self.userInfo = try UserInfo(optional: userInfo)
        self.targetContentIdentifier = targetContentIdentifier
    }

    /// The parameters of the call that says it.
    public var json: JSONObject {
        var object: JSONObject = ["type": .string(type)]
        object.set("userInfo", userInfo?.json)
        object.set("targetContentIdentifier", targetContentIdentifier)
        return object
    }
}
