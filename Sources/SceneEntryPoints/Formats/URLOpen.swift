public import StrictJSON

/// A URL that was opened in the app.
public struct URLOpen: Hashable, Sendable {
    /// An absolute URL as it was given; only its scheme has been looked at.
    public var url: String
    /// The bundle identifier of the app that asked.
    public var sourceApplication: String?

    /// Reads the parameters of the call.
    /// - Throws: when `url` has no scheme or `sourceApplication` is empty.
    public init(url: String, sourceApplication: String? = nil) throws(JSONFieldError) {
        try URLScheme.check(url, at: "url")
        try CallParameter.requireText(sourceApplication, "sourceApplication")
        self.url = url
        self.sourceApplication = sourceApplication
    }

    /// The parameters of the call that says it.
    public var json: JSONObject {
        var object: JSONObject = ["url": .string(url)]
        object.set("sourceApplication", sourceApplication)
        return object
    }
}
