/// A route's pattern, read: which URLs have its shape.
///
///     https://shop.example/product/{id}?ref={ref?}#reviews
///     /p/{slug}-{id}
///     qcommerce://deeplink?target={target}&**
///
/// A pattern without scheme stands for every associated domain over https. `{name}` captures, `*` is any one segment,
/// `**` any run of segments (at most one per pattern), `{name**}` captures such a run. In the query `{name?}` may be
/// absent, `{name*}` may be repeated, and a last `**` takes every remaining item as the parameter of its name.
struct RoutePattern: Hashable, Sendable {
    enum Origin: Hashable, Sendable {
        /// https on this domain; `nil` for every associated domain, `*.example.com` for every subdomain.
        case web(scheme: String, domain: String?)
        /// A custom scheme, in lower case; the host is the first segment.
        case scheme(String)
    }

    enum Segment: Hashable, Sendable {
        case constant(String)
        case capture(String)
        /// Constants and captures in turn, at least one capture and one constant, no two captures adjacent.
        case mixed([Piece])
        case anyOne
        case anyRun(capture: String?)
    }

    enum Piece: Hashable, Sendable {
        case constant(String)
        case capture(String)
    }

    struct QueryItem: Hashable, Sendable {
        enum Value: Hashable, Sendable {
            case constant(String)
            case any
            case capture(String, isOptional: Bool, isRepeated: Bool)
        }

        var name: String
        var value: Value
    }

    var origin: Origin
    var segments: [Segment]
    var query: [QueryItem]
    /// Whether every remaining query item becomes the parameter of its name.
    var takesRemainingItems: Bool
    /// What the fragment must be; `nil` when it does not matter.
    var fragment: Piece?

    var isCustomScheme: Bool {
        if case .scheme = origin { true } else { false }
    }

    /// Every name captured, in the order written; a name may stand there twice only by mistake.
    var captures: [String] {
        var names: [String] = []
        for segment in segments {
            switch segment {
            case .constant, .anyOne, .anyRun(capture: nil): break
            case .capture(let name), .anyRun(capture: .some(let name)): names.append(name)
            case .mixed(let pieces):
                for case .capture(let name) in pieces { names.append(name) }
            }
        }
        for item in query {
            if case .capture(let name, _, _) = item.value { names.append(name) }
        }
        if case .capture(let name) = fragment { names.append(name) }
        return names
    }
}

/// Why a text is no pattern.
struct RoutePatternError: Error, Hashable, Sendable {
    let reason: String
}
