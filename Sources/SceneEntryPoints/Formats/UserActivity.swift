public import StrictJSON

/// A user activity (`NSUserActivity`): a universal link, Handoff, Spotlight, Siri, or one of the app's own.
public struct UserActivity: Hashable, Sendable {
    public var activityType: String
    /// An http or https URL, as `NSUserActivity` demands.
    public var webpageURL: String?
    public var userInfo: UserInfo?
    public var title: String?
    public var targetContentIdentifier: String?
    public var persistentIdentifier: String?
    /// Whether it was handed over from another device.
    public var isHandoff: Bool?

    /// The type of the activity that carries a universal link (`NSUserActivityTypeBrowsingWeb`).
    public static let browsingWeb = "NSUserActivityTypeBrowsingWeb"
    /// The type of the activity that opens a Spotlight item (`CSSearchableItemActionType`).
    public static let spotlightItem = "com.apple.corespotlightitem"
    /// The member of `userInfo` that names the Spotlight item (`CSSearchableItemActivityIdentifier`).
    public static let spotlightItemIdentifier = "kCSSearchableItemActivityIdentifier"
    /// The type of the activity that continues a Spotlight search in the app (`CSQueryContinuationActionType`).
    public static let spotlightQuery = "com.apple.corespotlightquerycontinuation"
    /// The member of `userInfo` with the text searched for (`CSSearchQueryString`).
    public static let spotlightQueryString = "kCSSearchQueryString"
    /// The type of the activity by which a tap on a Live Activity opens the app (`NSUserActivityTypeLiveActivity`).
    public static let liveActivity = "NSUserActivityTypeLiveActivity"

    /// Reads the parameters of the call.
    /// - Throws: when a member is not of Apple's format; a universal link, a Spotlight item and a Spotlight search must have
    ///   what makes them one.
    public init(
        activityType: String,
        webpageURL: String? = nil,
        userInfo: JSONObject? = nil,
        title: String? = nil,
        targetContentIdentifier: String? = nil,
        persistentIdentifier: String? = nil,
        handoff: Bool? = nil
    ) throws(EntryFormatError) {
        try CallParameter.requireText(activityType, "activityType")
        try CallParameter.requireText(targetContentIdentifier, "targetContentIdentifier")
        try CallParameter.requireText(persistentIdentifier, "persistentIdentifier")
        if let webpageURL, !URLScheme.isWeb(webpageURL) {
            throw EntryFormatError(
                path: "webpageURL",
                expected: "http or https URL",
                found: webpageURL.isEmpty ? "empty string" : webpageURL.quotedForMessage
            )
        }
        if activityType == Self.browsingWeb, webpageURL == nil {
            throw EntryFormatError(path: "webpageURL", expected: "http or https URL", found: "nothing")
        }
        self.activityType = activityType
        self.webpageURL = webpageURL
        self.userInfo = try UserInfo(optional: userInfo)
        self.title = title
        self.targetContentIdentifier = targetContentIdentifier
        self.persistentIdentifier = persistentIdentifier
        isHandoff = handoff
        for (type, key) in [
            (Self.spotlightItem, Self.spotlightItemIdentifier), (Self.spotlightQuery, Self.spotlightQueryString),
        ] where activityType == type {
            let value = self.userInfo?[key]
            guard case .string = value else {
                throw EntryFormatError(path: "userInfo.\(key)", expected: "string", found: value?.typeName ?? "nothing")
            }
        }
    }

    /// The parameters of the call that says it.
    public var json: JSONObject {
        var object: JSONObject = ["activityType": .string(activityType)]
        object.set("webpageURL", webpageURL)
        object.set("userInfo", userInfo?.json)
        object.set("title", title)
        object.set("targetContentIdentifier", targetContentIdentifier)
        object.set("persistentIdentifier", persistentIdentifier)
        object["handoff"] = isHandoff.map(JSONValue.bool)
        return object
    }
}
