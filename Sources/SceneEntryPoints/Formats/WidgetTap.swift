public import StrictJSON

/// A tap on a widget: its kind, and a URL or user info.
public struct WidgetTap: Hashable, Sendable {
    public var kind: String
    /// The widget's family as the app names it, such as `systemSmall`.
    public var family: String?
    public var url: String?
    public var userInfo: UserInfo?

    /// Reads the parameters of the call.
    public init(
        kind: String,
        family: String? = nil,
        url: String? = nil,
        userInfo: JSONObject? = nil
    ) throws(JSONFieldError) {
        try CallParameter.requireText(kind, "kind")
        try CallParameter.requireText(family, "family")
        if let url { try URLScheme.check(url, at: "url") }
        self.kind = kind
        self.family = family
        self.url = url
        self.userInfo = try UserInfo(optional: userInfo)
    }

    /// The parameters of the call that says it.
    public var json: JSONObject {
        var object: JSONObject = ["kind": .string(kind)]
        object.set("family", family)
        object.set("url", url)
        object.set("userInfo", userInfo?.json)
        return object
    }
}
