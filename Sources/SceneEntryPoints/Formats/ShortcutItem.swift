public import StrictJSON

/// A quick action chosen on the app's icon (`UIApplicationShortcutItem`).
public struct ShortcutItem: Hashable, Sendable {
    /// The type by which the app identifies the action; never empty.
    public var type: String
    /// Data of the app's own.
    public var userInfo: UserInfo?
    /// The identifier by which a scene is chosen.
    public var targetContentIdentifier: String?

    /// A quick action with these parameters of the call that injects it.
    /// - Throws: an error with its path if a text is empty or `userInfo` has another format.
    public init(
        type: String,
        userInfo: JSONObject? = nil,
        targetContentIdentifier: String? = nil
    ) throws(JSONFieldError) {
        try TextFormats.requireText(type, "type")
        try TextFormats.requireText(targetContentIdentifier, "targetContentIdentifier")
        self.type = type
        self.userInfo = try UserInfo(optional: userInfo)
        self.targetContentIdentifier = targetContentIdentifier
    }

    /// The parameters of the call that injects it.
    var json: JSONObject {
        var object: JSONObject = ["type": .string(type)]
        object.set("userInfo", userInfo?.json)
        object.set("targetContentIdentifier", targetContentIdentifier)
        return object
    }
}
