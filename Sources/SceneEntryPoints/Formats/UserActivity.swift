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
    /// The page that led to a universal link, an http or https URL.
    public var referrerURL: String?
    /// Whether it was handed over from another device.
    public var isHandoff: Bool?
    /// How far a Handoff has come; ``HandoffStep/arrived`` for every other activity.
    public var handoffStep: HandoffStep

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
    ///
    /// A Handoff comes in two steps: `announced` says that so far only its type is known, `failure` that the activity will
    /// not come after all. Neither has anything else.
    /// - Throws: when a member is not of Apple's format; a universal link, a Spotlight item and a Spotlight search must have
    ///   what makes them one.
    public init(
        activityType: String,
        webpageURL: String? = nil,
        userInfo: JSONObject? = nil,
        title: String? = nil,
        targetContentIdentifier: String? = nil,
        persistentIdentifier: String? = nil,
        referrerURL: String? = nil,
        handoff: Bool? = nil,
        announced: Bool? = nil,
        failure: String? = nil
    ) throws(JSONFieldError) {
        try CallParameter.requireText(activityType, "activityType")
        try CallParameter.requireText(targetContentIdentifier, "targetContentIdentifier")
        try CallParameter.requireText(persistentIdentifier, "persistentIdentifier")
        try Self.requireWebURL(webpageURL, "webpageURL")
        try Self.requireWebURL(referrerURL, "referrerURL")
        handoffStep = try HandoffStep(announced: announced, failure: failure)
        let isHere = handoffStep == .arrived
        if !isHere {
            try handoffStep.requireNothingElse(
                handoff: handoff,
                [
                    ("webpageURL", webpageURL != nil), ("userInfo", userInfo != nil), ("title", title != nil),
                    ("targetContentIdentifier", targetContentIdentifier != nil),
                    ("persistentIdentifier", persistentIdentifier != nil), ("referrerURL", referrerURL != nil),
                ]
            )
        }
        if isHere, activityType == Self.browsingWeb, webpageURL == nil {
            throw JSONFieldError(path: "webpageURL", expected: "http or https URL", found: "nothing")
        }
        self.activityType = activityType
        self.webpageURL = webpageURL
        self.userInfo = try UserInfo(optional: userInfo)
        self.title = title
        self.targetContentIdentifier = targetContentIdentifier
        self.persistentIdentifier = persistentIdentifier
        self.referrerURL = referrerURL
        isHandoff = isHere ? handoff : true
        for (type, key) in [
            (Self.spotlightItem, Self.spotlightItemIdentifier), (Self.spotlightQuery, Self.spotlightQueryString),
        ] where isHere && activityType == type {
            let value = self.userInfo?[key]
            guard case .string = value else {
                throw JSONFieldError(
                    path: JSONPath("userInfo", .member(key)),
                    expected: "string",
                    found: value?.typeName ?? "nothing"
                )
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
        object.set("referrerURL", referrerURL)
        object["handoff"] = isHandoff.map(JSONValue.bool)
        switch handoffStep {
        case .arrived: break
        case .announced: object["announced"] = true
        case .failed(let reason): object.set("failure", reason)
        }
        return object
    }

    private static func requireWebURL(_ url: String?, _ name: String) throws(JSONFieldError) {
        guard let url, !URLScheme.isWeb(url) else { return }
        throw JSONFieldError(
            path: JSONPath(.member(name)),
            expected: "http or https URL",
            found: url.isEmpty ? "empty string" : url.quotedForMessage
        )
    }
}
