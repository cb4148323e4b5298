public import StrictJSON

/// A URL that was opened in the app.
public struct URLOpen: Hashable, Sendable {
    /// The URL as given. It has a scheme; nothing else of it has been checked.
    public var url: String
    /// The bundle identifier of the app that opened it.
    public var sourceApplication: String?

    /// An opened URL with these parameters of the call that injects it.
    /// - Throws: an error with its path if `url` has no scheme or `sourceApplication` is empty.
    public init(url: String, sourceApplication: String? = nil) throws(JSONFieldError) {
        try URLScheme.check(url, at: "url")
        try TextFormats.requireText(sourceApplication, "sourceApplication")
        self.url = url
        self.sourceApplication = sourceApplication
    }

    /// The scheme in lower case.
    package var scheme: String? { URLScheme.of(url) }

    /// Whether it is an http or https URL, and so a universal link or nothing for an app.
    package var isWeb: Bool { URLScheme.isWeb(url) }

    /// The parameters of the call that injects it.
    var json: JSONObject {
        var object: JSONObject = ["url": .string(url)]
        object.set("sourceApplication", sourceApplication)
        return object
    }
}
