import SceneEntryPoints
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import StrictJSON

/// A row of the page of the doors: something that comes in, and how it is sent.
struct PageRow: Sendable {
    /// The kind of the event; `nil` for one that the app itself makes.
    let kind: EntryKind?
    let name: String
    /// Sends it to window A, or lets the host choose, and waits for the receipts.
    let send: @Sendable (_ host: SceneHost, _ isNamed: Bool) async throws -> [Receipt]
    /// Whether it concerns window A by itself: nothing is named besides, and no other window could take it.
    var isBound = false

    /// An event of this kind. One that nobody can write down is malformed, too.
    init(_ kind: EntryKind, _ name: String, isBound: Bool = false, _ event: @escaping @Sendable () throws -> EntryEvent)
    {
        (self.kind, self.name, self.isBound) = (kind, name, isBound)
        send = { host, isNamed in
            let admission = try host.admit(Submission(try event(), scene: isNamed ? "A" : nil))
            return [await host.receipt(of: admission)]
        }
    }

    private init(
        _ kind: EntryKind?,
        _ name: String,
        isBound: Bool = false,
        send: @escaping @Sendable (SceneHost, Bool) async throws -> [Receipt]
    ) {
        (self.kind, self.name, self.send, self.isBound) = (kind, name, send, isBound)
    }

    // MARK: - Every row

    static let all = links + places + others + windows + malformed + samples

    /// Where a link or a place leads.
    private enum Lead: String, CaseIterable {
        case somewhere = "", gated = " behind a gate", unknown = " that leads nowhere"
        case invalid = " with a parameter that is not allowed", malformed = " that is malformed"
        case foreign = " that no domain vouches for"

        /// The link; `nil` if there is none such.
        func link(isWeb: Bool) -> String? {
            let path: String? =
                switch self {
                case .somewhere: "product/p1"
                case .gated: "cart"
                // It has to be in the association file.
                case .unknown: isWeb ? "product/p1/x" : "nowhere"
                case .invalid: "product/tea"
                case .malformed: "product/%zz"
                case .foreign: isWeb ? "help/me" : nil
                }
            return path.map { (isWeb ? "https://shop.example/" : "qcommerce://") + $0 }
        }

        /// The destination by its name; `nil` if there is none such.
        var place: (id: String, parameter: String)? {
            switch self {
            case .somewhere: ("product", "p1")
            case .gated: ("order", "o1")
            case .unknown: ("nowhere", "n1")
            case .invalid: ("product", "tea")
            case .malformed, .foreign: nil
            }
        }
    }

    /// Every way in which a link comes in × everywhere it may lead.
    private static var links: [PageRow] {
        let alert: JSONValue = ["alert": "x"]
        let offer: JSONValue = ["alert": "x", "category": "OFFER"]
        let web = UserActivity.browsingWeb
        let ways: [(EntryKind, String, isWeb: Bool?, @Sendable (String) throws -> EntryEvent)] = [
            (.url, "a URL", nil, { try .url($0) }),
            (.activity, "a universal link", true, { try .activity(activityType: web, webpageURL: $0) }),
            (
                .activity, "a universal link by Handoff", true,
                { try .activity(activityType: web, webpageURL: $0, handoff: true) }
            ),
            (
                .push, "a notification, tapped, with a URL", nil,
                { try .push(payload: ["aps": alert, "url": .string($0)]) }
            ),
            (
                .push, "an action of a notification, in the foreground, with a URL", false,
                { try .push(payload: ["aps": offer, "url": .string($0)], action: "SHOW") }
            ),
            (.widget, "a widget with a URL", nil, { try .widget(kind: "deals", url: $0) }),
        ]
        return ways.flatMap { kind, name, web, event in
            (web.map { [$0] } ?? [false, true]).flatMap { isWeb in
                Lead.allCases.compactMap { lead in
                    lead.link(isWeb: isWeb).map { link in
                        let origin = web == nil && isWeb ? "\(name) of the web" : name
                        return PageRow(kind, origin + lead.rawValue) { try event(link) }
                    }
                }
            }
        }
    }

    /// Every way in which a destination comes in by its name × everywhere it may lead.
    private static var places: [PageRow] {
        let type = "com.example.shop.view"
        @Sendable func info(_ place: (id: String, parameter: String)) -> JSONObject {
            ["destination": .string(place.id), "parameters": ["id": .string(place.parameter)]]
        }
        let ways:
            [(EntryKind, String, isBound: Bool, @Sendable ((id: String, parameter: String)) throws -> EntryEvent)] = [
                (.activity, "an activity", false, { try .activity(activityType: type, userInfo: info($0)) }),
                (
                    .activity, "a Handoff", false,
                    { try .activity(activityType: type, userInfo: info($0), handoff: true) }
                ),
                (
                    .activity, "an activity, dragged out of the window", true,
                    { try .activity(activityType: type, userInfo: info($0), draggedFrom: "A") }
                ),
                (
                    .activity, "a Spotlight item", false,
                    {
                        let item: JSONObject = [
                            UserActivity.spotlightItemIdentifier: .string("\($0.id)/\($0.parameter)")
                        ]
                        return try .activity(activityType: UserActivity.spotlightItem, userInfo: item)
                    }
                ),
                (
                    .push, "a notification, tapped, with a route", false,
                    {
                        let parameters: JSONValue = ["id": .string($0.parameter)]
                        let payload: JSONObject = [
                            "aps": ["alert": "x"], "route": .string($0.id), "parameters": parameters,
                        ]
                        return try .push(payload: payload)
                    }
                ),
            ]
        return ways.flatMap { kind, name, isBound, event in
            Lead.allCases.compactMap { lead in
                lead.place.map { place in PageRow(kind, name + lead.rawValue, isBound: isBound) { try event(place) } }
            }
        }
    }

    private static var others: [PageRow] {
        let alert: JSONValue = ["alert": "x"]
        let (order, offer, review): (JSONValue, JSONValue, JSONValue) = (
            ["alert": "x", "category": "ORDER"], ["alert": "x", "category": "OFFER"],
            ["alert": "x", "category": "REVIEW"]
        )
        let view = "com.example.shop.view"
        let link: JSONValue = "qcommerce://product/p1"
        var rows = [
            PageRow(.activity, "an activity that no adapter takes") {
                try .activity(activityType: "com.example.other")
            },
            PageRow(.activity, "a Handoff, announced") { try .activity(activityType: view, announced: true) },
            PageRow(.activity, "a Handoff that failed") { try .activity(activityType: view, failure: "gone") },
            PageRow(.activity, "a search continued from Spotlight") {
                let query: JSONObject = [UserActivity.spotlightQueryString: "tea"]
                return try .activity(activityType: UserActivity.spotlightQuery, userInfo: query)
            },
            PageRow(.push, "an action of a notification, in the background") {
                try .push(payload: ["aps": offer, "url": link, "product": "p1"], action: "ADD_TO_CART")
            },
            PageRow(.push, "an action in the background with a parameter that is not allowed") {
                try .push(payload: ["aps": offer, "product": "tea"], action: "ADD_TO_CART")
            },
            PageRow(.push, "an action of a notification with a text") {
                try .push(payload: ["aps": review], action: "REPLY", text: "Lovely")
            },
            PageRow(.push, "an action of a notification that does nothing") {
                try .push(payload: ["aps": order, "url": link], action: "CANCEL")
            },
            PageRow(.push, "a notification, tapped, that no adapter takes") { try .push(payload: ["aps": alert]) },
            PageRow(.push, "a notification, presented") {
                try .push(payload: ["aps": alert, "url": link], interaction: "present")
            },
            PageRow(.push, "a notification, dismissed") {
                try .push(payload: ["aps": order, "url": link], interaction: "dismiss")
            },
            PageRow(.push, "a VoIP push") { try .push(payload: ["caller": "Ann"], voip: true) },
            PageRow(.widget, "a widget with information") {
                try .widget(kind: "order-status", userInfo: ["order": "o1"])
            },
            PageRow(.widget, "a widget with information that is not allowed") {
                try .widget(kind: "order-status", userInfo: ["order": "tea"])
            },
            PageRow(.widget, "a widget with nothing") { try .widget(kind: "clock") },
            PageRow(.shortcut, "a quick action") { try .shortcut(type: "com.example.shop.orders") },
            PageRow(.shortcut, "a quick action behind a gate") { try .shortcut(type: "com.example.shop.cart") },
            PageRow(.shortcut, "a quick action that no adapter takes") { try .shortcut(type: "com.example.other") },
        ]
        for identifier in ["category/tea", "promo/SPRING", "settings/privacy", "home"] {
            rows.append(
                PageRow(.activity, "a Spotlight item, `\(identifier)`") {
                    let item: JSONObject = [UserActivity.spotlightItemIdentifier: .string(identifier)]
                    return try .activity(activityType: UserActivity.spotlightItem, userInfo: item)
                }
            )
        }
        for (name, aps) in silentPayloads {
            rows.append(PageRow(.push, name) { try .push(payload: ["aps": aps, "url": link]) })
            rows.append(
                PageRow(.push, "\(name), tapped all the same") {
                    try .push(payload: ["aps": aps, "url": link], interaction: "open")
                }
            )
        }
        return rows
    }

    /// Pushes that show no notification.
    private static let silentPayloads: [(name: String, aps: JSONValue)] =
        [
            ("a background push", ["content-available": 1]), ("a badge", ["badge": 3]),
            ("a sound", ["sound": "default"]),
        ]
        + ["start", "update", "end"].map { event in
            var aps: JSONObject = [
                "alert": "x", "event": .string(event), "timestamp": 1, "content-state": [:],
            ]
            if event == "start" { (aps["attributes-type"], aps["attributes"]) = ("Delivery", [:]) }
            return ("a push for a Live Activity, \(event)", .object(aps))
        }

    /// The intent of ``windows``, which the shop does not have.
    static let besideTapped = IntentDeclaration(
        name: "besideTapped",
        effects: [.openWindow(destination: "product", parameters: ["id": .literal(.string("p1"))])]
    )

    /// What comes in several pieces, or from the app.
    private static var windows: [PageRow] {
        func set(_ name: String, _ urls: [String]) -> PageRow {
            PageRow(.url, name) { host, isNamed in
                var receipts: [Receipt] = []
                for admission in try host.admit(SetSubmission(try URLSet(urls), scene: isNamed ? "A" : nil)) {
                    receipts.append(await host.receipt(of: admission))
                }
                return receipts
            }
        }
        return [
            set("several URLs at once", ["qcommerce://product/p1", "qcommerce://promo/SPRING"]),
            set("several URLs at once, behind a gate", ["qcommerce://cart", "qcommerce://order/o1"]),
            set("several URLs at once that lead nowhere", ["qcommerce://nowhere", "qcommerce://anywhere"]),
            set("several URLs at once, one of the web", ["qcommerce://cart", "https://shop.example/product/p1"]),
            PageRow(nil, "a window that the app asks for", isBound: true) { host, _ in
                let tap = Submission(.intent(Intent(name: besideTapped.name)), scene: "A")
                _ = await host.receipt(of: try host.admit(tap))
                await host.quiesce()
                return host.records.read(after: 0).records.compactMap { record in
                    guard case .eventAdmitted(let arrival) = record.body, arrival.isForRequestedWindow else {
                        return nil
                    }
                    return record.subject.event.flatMap { host.receipt(event: $0) }
                }
            },
        ]
    }

    /// What nobody could have done, or written down.
    private static var malformed: [PageRow] {
        let offer: JSONValue = ["alert": "x", "category": "OFFER"]
        return [
            PageRow(.url, "what is no URL") { try .url("cart") },
            PageRow(.activity, "a universal link without a URL") {
                try .activity(activityType: UserActivity.browsingWeb)
            },
            PageRow(.activity, "a universal link to no web page") {
                try .activity(activityType: UserActivity.browsingWeb, webpageURL: "qcommerce://cart")
            },
            PageRow(.activity, "a Spotlight item without an identifier") {
                try .activity(activityType: UserActivity.spotlightItem)
            },
            PageRow(.activity, "a Handoff, announced with its activity") {
                try .activity(activityType: "com.example.shop.view", title: "Tea", announced: true)
            },
            PageRow(.push, "a push without 'aps'") { try .push(payload: ["url": "qcommerce://cart"]) },
            PageRow(.push, "a push for another app") {
                try .push(payload: ["aps": offer, "Simulator Target Bundle": "com.example.other"])
            },
            PageRow(.push, "an action that the category does not have") {
                try .push(payload: ["aps": offer], action: "REPLY")
            },
            PageRow(.push, "a text for an action that takes none") {
                try .push(payload: ["aps": offer], action: "SHOW", text: "Lovely")
            },
            PageRow(.push, "a dismissal of which the app does not hear") {
                try .push(payload: ["aps": offer], interaction: "dismiss")
            },
            PageRow(.widget, "a widget without a kind") { try .widget(kind: "", url: "qcommerce://cart") },
            PageRow(.shortcut, "a quick action without a type") { try .shortcut(type: "") },
        ]
    }

    /// What `scenectl sample` prints.
    private static var samples: [PageRow] {
        SampleEvent.all.map { sample in
            PageRow(sample.kind, "`scenectl sample \(sample.name)`") { try sample.event() }
        }
    }
}
