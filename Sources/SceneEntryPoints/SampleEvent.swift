internal import StrictJSON

/// A sample event for the built-in shop; there is one for each kind of thing that iOS delivers.
package struct SampleEvent: Sendable {
    /// Its name, by which it is asked for.
    package let name: String
    /// What it is, in a few words.
    package let about: String
    /// Its kind.
    package let kind: EntryKind
    /// The JSON that its subcommand reads on standard input.
    package let text: String

    /// The event that its text describes.
    /// - Throws: What is wrong with the text.
    package func event() throws -> EntryEvent { try EntryEvent(json: try JSONValue(parsing: text).objectValue ?? [:]) }

    /// The sample of this name; `nil` if there is none.
    package static func named(_ name: String) -> SampleEvent? { all.first { $0.name == name } }

    /// Every sample, in the order shown.
    package static let all: [SampleEvent] = [
        SampleEvent(
            name: "url",
            about: "a URL of the app's own scheme",
            kind: .url,
            text: #"{"url": "qcommerce://product/p1004", "sourceApplication": "com.apple.MobileSMS"}"#
        ),
        SampleEvent(
            name: "link",
            about: "a universal link, tapped on a web page",
            kind: .activity,
            text: """
                {"activityType": "NSUserActivityTypeBrowsingWeb", "webpageURL": "https://shop.example/category/tea", \
                "referrerURL": "https://news.example/tea"}
                """
        ),
        SampleEvent(
            name: "push",
            about: "a notification that is tapped, as in an .apns file",
            kind: .push,
            text: """
                {"aps": {"alert": {"title": "On sale", "body": "Tea, today only"}, "badge": 1, "sound": "default", \
                "thread-id": "sale", "category": "OFFER", "interruption-level": "active", "relevance-score": 0.5}, \
                "url": "https://shop.example/product/p1004", "Simulator Target Bundle": "com.example.shop"}
                """
        ),
        SampleEvent(
            name: "push-route",
            about: "a notification that names a destination instead of a URL",
            kind: .push,
            text: #"{"aps": {"alert": "Your order is here"}, "route": "order", "parameters": {"id": "o7"}}"#
        ),
        SampleEvent(
            name: "push-reply",
            about: "an action with text input, chosen on a notification",
            kind: .push,
            text: """
                {"payload": {"aps": {"alert": "How was the tea?", "category": "REVIEW"}, "url": "qcommerce://orders"}, \
                "interaction": "action", "action": "REPLY", "text": "Lovely"}
                """
        ),
        SampleEvent(
            name: "push-silent",
            about: "a silent push, which only wakes the app",
            kind: .push,
            text: #"{"aps": {"content-available": 1}, "refresh": "orders"}"#
        ),
        SampleEvent(
            name: "push-voip",
            about: "a VoIP push",
            kind: .push,
            text: #"{"payload": {"aps": {}, "caller": "The courier"}, "voip": true}"#
        ),
        SampleEvent(
            name: "push-live",
            about: "an update of a Live Activity",
            kind: .push,
            text: """
                {"payload": {"aps": {"alert": {"title": {"loc-key": "ARRIVING", "loc-args": ["12:30"]}, "sound": "bell.caf"}, \
                "event": "update", "timestamp": 1767225600, "content-state": {"stops": 2}, "stale-date": 1767226200}}, \
                "interaction": "present"}
                """
        ),
        SampleEvent(
            name: "live-activity",
            about: "a Live Activity that is tapped; the shop handles none",
            kind: .activity,
            text: #"{"activityType": "NSUserActivityTypeLiveActivity", "webpageURL": "https://shop.example/orders"}"#
        ),
        SampleEvent(
            name: "handoff",
            about: "an activity continued from another device",
            kind: .activity,
            text: """
                {"activityType": "com.example.shop.view", "title": "Tea", "userInfo": {"destination": "category", \
                "parameters": {"slug": "tea"}, "seen": {"$date": "2026-01-01T00:00:00Z"}}, \
                "targetContentIdentifier": "category/tea", "handoff": true}
                """
        ),
        SampleEvent(
            name: "handoff-announced",
            about: "a Handoff whose type alone is known so far",
            kind: .activity,
            text: #"{"activityType": "com.example.shop.view", "announced": true}"#
        ),
        SampleEvent(
            name: "handoff-failed",
            about: "a Handoff whose activity never comes",
            kind: .activity,
            text: #"{"activityType": "com.example.shop.view", "failure": "the other device is gone"}"#
        ),
        SampleEvent(
            name: "spotlight",
            about: "an item found by Spotlight",
            kind: .activity,
            text: """
                {"activityType": "com.apple.corespotlightitem", \
                "userInfo": {"kCSSearchableItemActivityIdentifier": "product/p1004"}}
                """
        ),
        SampleEvent(
            name: "spotlight-query",
            about: "a Spotlight search continued in the app; the shop handles none",
            kind: .activity,
            text: """
                {"activityType": "com.apple.corespotlightquerycontinuation", "userInfo": {"kCSSearchQueryString": "tea"}}
                """
        ),
        SampleEvent(
            name: "widget",
            about: "a widget with a URL",
            kind: .widget,
            text: #"{"kind": "deals", "family": "systemMedium", "url": "qcommerce://promo/SPRING24"}"#
        ),
        SampleEvent(
            name: "widget-info",
            about: "a widget with user info",
            kind: .widget,
            text: #"{"kind": "order-status", "family": "systemSmall", "userInfo": {"order": "o7"}}"#
        ),
        SampleEvent(
            name: "shortcut",
            about: "a quick action on the app's icon",
            kind: .shortcut,
            text: #"{"type": "com.example.shop.orders", "targetContentIdentifier": "orders"}"#
        ),
    ]
}
