internal import Basics

/// A table of routes as a large shop with a back office would have it, and links into it.
///
/// A third are constants two to four segments long, a third end in an ID, the rest have an ID in the middle or two of
/// them; siblings share their beginnings, as resources do.
struct RouteTableShape {
    struct Route {
        /// The segments; `:name` captures.
        var segments: [String]
        /// The type of each capture by name, a pattern or `nil` for any text.
        var types: [String: String?]
    }

    let routes: [Route]
    /// Paths to look up; nine of ten exist.
    let paths: [String]

    private static let areas = [
        "catalog", "orders", "account", "promo", "delivery", "returns", "reviews", "stores", "wallet", "support",
        "recipes",
        "lists", "brands", "partners", "courier", "inventory", "pricing", "reports", "campaigns", "loyalty",
    ]
    private static let actions = [
        "edit", "history", "items", "share", "track", "invoice", "notes", "similar", "cancel",
    ]

    init(count: Int, seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var routes: [Route] = []
        var number = 0
        while routes.count < count {
            let area = Self.areas[number % Self.areas.count]
            let resource = "resource\(number / Self.areas.count / 6)"
            let base = [area, resource]
            let id: [String: String?] = ["id": "[a-z][0-9]{1,9}"]
            let shapes: [Route] = [
                Route(segments: base, types: [:]),
                Route(segments: base + [":id"], types: id),
                Route(segments: base + [":id", Self.actions[number % 9]], types: id),
                Route(segments: base + ["overview", Self.actions[(number + 1) % 9]], types: [:]),
                Route(segments: base + [":id", "by", ":name"], types: ["id": "[a-z][0-9]{1,9}", "name": nil]),
                Route(segments: base + ["top"], types: [:]),
            ]
            routes.append(shapes[number / Self.areas.count % 6])
            number += 1
        }
        self.routes = routes
        paths = (0..<4096).map { _ in
            var segments = routes[Int(generator.next() % UInt64(routes.count))].segments.map { segment in
                switch segment {
                case ":id": "p\(generator.next() % 1_000_000)"
                case ":name": "name\(generator.next() % 1000)"
                default: segment
                }
            }
            switch generator.next() % 20 {
            case 0: segments += ["no", "such", "place"]
            case 1: segments[1] = "nowhere"
            default: break
            }
            return "/" + segments.joined(separator: "/")
        }
    }
}
