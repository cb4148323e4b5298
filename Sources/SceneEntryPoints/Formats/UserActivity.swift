internal import SceneRouting
public import StrictJSON

/// A user activity (`NSUserActivity`): a universal link, Handoff, Spotlight, Siri, or one of the app's own.
public struct UserActivity: Hashable, Sendable {
    /// The type of the activity; never empty.
    public var activityType: String
    /// The web page of the activity, an http or https URL.
    public var webpageURL: String?
    /// The data of the activity.
    public var userInfo: UserInfo?
    /// The title of the activity for people.
    public var title: String?
    /// The identifier by which a scene is chosen.
    public var targetContentIdentifier: String?
    /// The identifier by which a stored activity can be deleted.
    public var persistentIdentifier: String?
    /// The page that led to a universal link, an http or https URL.
    public var referrerURL: String?
    /// Whether it comes from another device; `nil` if that was not said.
    public var isHandoff: Bool?
    /// The scene from which it was dragged to where a new window opens; `nil` if it was not.
    public var draggedFrom: String?
    /// The state of a Handoff; ``HandoffStep/arrived`` for any other activity.
    public var handoffStep: HandoffStep

    /// The type of the activity that carries a universal link (`NSUserActivityTypeBrowsingWeb`).
    public static let browsingWeb = AdapterDeclaration.browsingWeb
    /// The type of the activity that opens a Spotlight item (`CSSearchableItemActionType`).
    public static let spotlightItem = "com.apple.corespotlightitem"
    /// The member of `userInfo` that names the Spotlight item (`CSSearchableItemActivityIdentifier`).
    public static let spotlightItemIdentifier = "kCSSearchableItemActivityIdentifier"
    /// The type of the activity that continues a Spotlight search in the app (`CSQueryContinuationActionType`).
    public static let spotlightQuery = "com.apple.corespotlightquerycontinuation"
    /// The member of `userInfo` with the text that was searched for (`CSSearchQueryString`).
    public static let spotlightQueryString = "kCSSearchQueryString"
    /// The type of the activity by which a tap on a Live Activity opens the app (`NSUserActivityTypeLiveActivity`).
    public static let liveActivity = "NSUserActivityTypeLiveActivity"

    /// An activity with these parameters of the call that injects it.
    ///
    /// A Handoff comes in two steps: `announced` means that only its type is known yet, `failure` that the activity will not
    /// come. With either of them only the type can be given.
    /// - Throws: an error with its path if a value has not Apple's format, or if a universal link, a Spotlight item or a
    ///   Spotlight search lacks its URL, identifier or text.
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
        failure: String? = nil,
        draggedFrom: String? = nil
    ) throws(JSONFieldError) {
        try TextFormats.requireText(activityType, "activityType")
        try TextFormats.requireText(targetContentIdentifier, "targetContentIdentifier")
        try TextFormats.requireText(persistentIdentifier, "persistentIdentifier")
        try TextFormats.requireText(draggedFrom, "draggedFrom")
        if draggedFrom != nil, handoff == true {
            throw JSONFieldError(path: "handoff", expected: "nothing, because a Handoff is not dragged", found: "true")
        }
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
                    ("draggedFrom", draggedFrom != nil),
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
        self.draggedFrom = draggedFrom
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

    /// The parameters of the call that injects it.
    var json: JSONObject {
        var object: JSONObject = ["activityType": .string(activityType)]
        object.set("webpageURL", webpageURL)
        object.set("userInfo", userInfo?.json)
        object.set("title", title)
        object.set("targetContentIdentifier", targetContentIdentifier)
        object.set("persistentIdentifier", persistentIdentifier)
        object.set("referrerURL", referrerURL)
        object.set("draggedFrom", draggedFrom)
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
