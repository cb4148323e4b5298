public import StrictJSON

/// Several URLs that are opened at once, as UIKit hands them to a scene: a set, so that nobody can say in which order they come.
public struct URLSet: Hashable, Sendable {
    /// How many URLs a set has.
    public static let sizes = 2...32

    /// An event for each URL, in the order given, which means nothing but how the sender names them.
    public let events: [EntryEvent]

    /// The URLs of one delivery, with the parameters of the call that injects it.
    /// - Throws: an error with its path if there are too few or too many, if one has no scheme or occurs twice, if one is an http or
    ///   https URL (such a link comes alone, as a user activity), or if `sourceApplication` is empty.
    public init(_ urls: [String], sourceApplication: String? = nil) throws(JSONFieldError) {
        guard Self.sizes.contains(urls.count) else {
            throw JSONFieldError(
                path: "urls",
                expected: "\(Self.sizes.lowerBound) to \(Self.sizes.upperBound) URLs",
                found: "\(urls.count)"
            )
        }
        try TextFormats.requireText(sourceApplication, "sourceApplication")
        var events: [EntryEvent] = []
        var places: [EntryEvent: Int] = [:]
        for (index, url) in urls.enumerated() {
            let path = JSONPath(.member("urls"), .element(index))
            try URLScheme.check(url, at: path)
            if URLScheme.isWeb(url) {
                throw JSONFieldError(
                    path: path,
                    expected: "URL of a scheme of the app, because a web link comes alone, as a user activity",
                    found: url.quotedForMessage
                )
            }
            let event = try EntryEvent.url(url, sourceApplication: sourceApplication)
            if let other = places.updateValue(index, forKey: event) {
                throw JSONFieldError(
                    path: path,
                    expected: "URL that is not in the set yet",
                    found: "the same as urls[\(other)]"
                )
            }
            events.append(event)
        }
        self.events = events
    }
}
