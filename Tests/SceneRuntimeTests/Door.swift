import SceneEntryPoints
import SceneManifest
import SceneRouting
import StrictJSON

/// One way to a destination of the shop: an event that leads to it, and a name for it.
struct Door: Sendable, CustomStringConvertible {
    let name: String
    let event: EntryEvent

    var description: String { name }

    /// Every destination of the built-in shop that has a URL, with parameters that are allowed, and all doors to it.
    static func shop() throws -> [(destination: Destination, doors: [Door])] {
        let manifest = try AppManifest.builtInShop()
        let engine = try RoutingEngine(manifest: manifest)
        return try samples(manifest, engine).map { ($0, try doors(to: $0, engine)) }
    }

    /// The first values of each parameter that are allowed, with and without the optional ones.
    private static func samples(_ manifest: AppManifest, _ engine: RoutingEngine) -> [Destination] {
        let values = ["p1004", "o7", "tea", "SPRING24", "payment"]
        return manifest.destinations.flatMap { declaration -> [Destination] in
            let required = declaration.parameters.filter { $0.isRequired }.map(\.name)
            let optional = declaration.parameters.filter { !$0.isRequired }.map(\.name)
            let sets = optional.isEmpty ? [required] : [required, required + optional]
            return sets.compactMap { names in
                allowed(names, values) { parameters in
                    let destination = Destination(id: declaration.id, parameters: parameters)
                    let isRoutable = !engine.urls(for: destination, context: RoutingContext()).isEmpty
                    let isAllowed = (try? engine.request(for: destination, source: .external)) != nil
                    return isRoutable && isAllowed ? destination : nil
                }
            }
        }
    }

    private static func allowed(
        _ names: [String],
        _ values: [String],
        _ make: ([String: String]) -> Destination?
    ) -> Destination? {
        var candidates: [[String: String]] = [[:]]
        for name in names {
            candidates = candidates.flatMap { known in values.map { known.merging([name: $0]) { $1 } } }
        }
        return candidates.lazy.compactMap(make).first
    }

    private static func doors(to destination: Destination, _ engine: RoutingEngine) throws -> [Door] {
        var doors: [Door] = []
        func add(_ name: String, _ event: EntryEvent) { doors.append(Door(name: name, event: event)) }
        let alert: JSONValue = ["alert": "x"]
        let offer: JSONValue = ["alert": "x", "category": "OFFER"]
        for url in engine.urls(for: destination, context: RoutingContext()) {
            let link = JSONValue.string(url)
            let scheme = String(url.prefix { $0 != ":" })
            add("url \(scheme)", try .url(url, sourceApplication: "com.apple.MobileSMS"))
            if scheme == "https" {
                let type = UserActivity.browsingWeb
                add("universal link", try .activity(activityType: type, webpageURL: url))
                add("universal link by Handoff", try .activity(activityType: type, webpageURL: url, handoff: true))
            }
            add("push \(scheme)", try .push(payload: ["aps": alert, "url": link]))
            add("push \(scheme), action", try .push(payload: ["aps": offer, "url": link], action: "SHOW"))
            add("widget \(scheme)", try .widget(kind: "deals", family: "systemSmall", url: url))
        }
        let parameters = JSONObject(destination.parameters.map { ($0.key, .string($0.value)) })
        add(
            "push route",
            try .push(payload: ["aps": alert, "route": .string(destination.id), "parameters": .object(parameters)])
        )
        let info: JSONObject = ["destination": .string(destination.id), "parameters": .object(parameters)]
        add("Handoff", try .activity(activityType: "com.example.shop.view", userInfo: info, handoff: true))
        add("activity", try .activity(activityType: "com.example.shop.view", userInfo: info))
        if parameters.count <= 1 {
            let identifier = ([destination.id] + destination.parameters.values).joined(separator: "/")
            let info: JSONObject = [UserActivity.spotlightItemIdentifier: .string(identifier)]
            add("Spotlight", try .activity(activityType: UserActivity.spotlightItem, userInfo: info))
        }
        if destination.id == "order" {
            let info: JSONObject = ["order": .string(destination.parameters["id"] ?? "")]
            add("widget info", try .widget(kind: "order-status", userInfo: info))
        }
        if ["cart", "orders"].contains(destination.id) {
            add("quick action", try .shortcut(type: "com.example.shop.\(destination.id)"))
        }
        return doors
    }
}
