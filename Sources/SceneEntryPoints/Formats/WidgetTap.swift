public import StrictJSON

/// A tap on a widget.
public struct WidgetTap: Hashable, Sendable {
    /// The widget's kind; never empty.
    public var kind: String
    /// The widget's family, such as `systemSmall`.
    public var family: String?
    /// The URL of the part that was tapped (`widgetURL`); it has a scheme.
    public var url: String?
    /// The user info of the widget's activity.
    public var userInfo: UserInfo?

    /// A tap with these parameters of the call that injects it.
    /// - Throws: an error with its path if a text is empty, `url` has no scheme or `userInfo` has another format.
    public init(
        kind: String,
        family: String? = nil,
        url: String? = nil,
        userInfo: JSONObject? = nil
    ) throws(JSONFieldError) {
        try TextFormats.requireText(kind, "kind")
        try TextFormats.requireText(family, "family")
        if let url { try URLScheme.check(url, at: "url") }
        self.kind = kind
        self.family = family
        self.url = url
        self.userInfo = try UserInfo(optional: userInfo)
    }

    /// The parameters of the call that injects it.
    var json: JSONObject {
        var object: JSONObject = ["kind": .string(kind)]
        object.set("family", family)
        object.set("url", url)
        object.set("userInfo", userInfo?.json)
        return object
    }
}
