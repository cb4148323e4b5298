import SceneEntryPoints
import SceneRouting
import StrictJSON

/// The adapters of the shop's manifest as one adapter in Swift.
struct ShopMapping: EntryPointAdapter {
    let name = "shop-in-swift"

    private static let parameters = [
        "product": "id", "category": "slug", "promo": "code", "order": "id", "settings": "section",
    ]

    func adapt(_ event: EntryEvent) -> AdapterAnswer {
        guard let request = request(event) else { return .declined(reason: "not mine") }
        return .request(request)
    }

    private func request(_ event: EntryEvent) -> AdaptedRequest? {
        switch event.content {
        case .url: return nil
        case .push(let push):
            let custom = push.payload.custom
            return link(custom["url"]?.stringValue) ?? go(custom["route"], custom["parameters"])
        case .widget(let tap):
            if let request = link(tap.url) { return request }
            guard tap.kind == "order-status", case .string(let order)? = tap.userInfo?["order"] else { return nil }
            return .destination(Destination(id: "order", parameters: ["id": order]))
        case .activity(let activity): return self.activity(activity)
        case .shortcut(let item):
            let places = ["com.example.shop.cart": "cart", "com.example.shop.orders": "orders"]
            return places[item.type].map { .destination(Destination(id: $0)) }
        }
    }

    private func activity(_ activity: UserActivity) -> AdaptedRequest? {
        let info = activity.userInfo?.json ?? [:]
        if activity.activityType == "com.example.shop.view" { return go(info["destination"], info["parameters"]) }
        guard activity.activityType == UserActivity.spotlightItem else { return nil }
        let parts = (info[UserActivity.spotlightItemIdentifier]?.stringValue ?? "")
            .split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let place = parts.first, !place.isEmpty else { return nil }
        if parts.count == 2, !parts[1].isEmpty, let name = Self.parameters[place] {
            return .destination(Destination(id: place, parameters: [name: parts[1]]))
        }
        return parts.count == 1 ? .destination(Destination(id: place)) : nil
    }

    private func link(_ url: String?) -> AdaptedRequest? { url.flatMap(AdaptedRequest.init(opening:)) }

    private func go(_ place: JSONValue?, _ parameters: JSONValue?) -> AdaptedRequest? {
        guard let id = place?.stringValue else { return nil }
        if let parameters, parameters.objectValue == nil { return nil }
        var texts: [String: String] = [:]
        for (name, value) in parameters?.objectValue ?? [:] { texts[name] = value.stringValue }
        return .destination(Destination(id: id, parameters: texts))
    }
}
