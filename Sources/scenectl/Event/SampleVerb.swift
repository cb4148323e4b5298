internal import ArgumentParser
internal import SceneEntryPoints
internal import SceneRouting
internal import StrictJSON

struct Sample: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample",
        abstract: "Print a sample event, to pipe into its subcommand; needs no daemon.",
        discussion: """
            Examples:
              scenectl sample push | scenectl push -
              scenectl sample handoff | scenectl adapter try --event -

            Samples, and the subcommand that takes each:
            \(SampleEvent.all.map { "  \($0.name.padded(to: 18)) \($0.kind.verb.padded(to: 9)) \($0.about)" }.joined(separator: "\n"))
            """
    )

    @Argument(help: "The sample's name.", completion: .list(SampleEvent.all.map(\.name)))
    var kind: String

    @Flag(help: "Print JSON, as without it.")
    var json = false

    func run() async throws {
        guard let sample = SampleEvent.named(kind) else {
            let names = SampleEvent.all.map(\.name)
            let meant = Spelling.nearest(to: kind, among: names).map { " Did you mean '\($0)'?" } ?? ""
            throw CommandError.usage("No sample '\(kind)'.\(meant) The samples are \(names.joined(separator: ", ")).")
        }
        print(json: try JSONValue(parsing: sample.text))
    }
}

/// A sample event for the built-in shop; there is one for each kind of thing that iOS delivers.
struct SampleEvent {
    let name: String
    let about: String
    let kind: EntryKind
    /// The JSON that its subcommand reads on standard input.
    let text: String

    static func named(_ name: String) -> SampleEvent? { all.first { $0.name == name } }

    static let all: [SampleEvent] = [
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
