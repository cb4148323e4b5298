/// A parsed route pattern: the shape of the URLs that the route takes.
///
///     https://shop.example/product/{id}?ref={ref?}#reviews
///     /p/{slug}-{id}
///     qcommerce://deeplink?target={target}&**
///
/// A pattern without a scheme stands for every associated domain over https. One with a scheme of the app takes
/// `qcommerce:deeplink` and `qcommerce:/deeplink` as it takes `qcommerce://deeplink`, and is written with `//`. `{name}` captures; `*` is any segment, `**`
/// any number of segments, at most once in a pattern, and `{name**}` captures these. In the query `{name?}` may be absent,
/// `{name*}` may be repeated, and a final `**` takes every remaining item as the parameter of its name.
struct RoutePattern: Hashable, Sendable {
    enum Origin: Hashable, Sendable {
        /// http or https on this domain; `nil` for every associated domain, `*.example.com` for every subdomain.
        case web(scheme: String, domain: String?)
        /// A custom scheme, in lower case; the host, if there is one, is the first segment.
        case scheme(String)
    }

    enum Segment: Hashable, Sendable {
        case constant(String)
        case capture(String)
        /// Constants and captures in turn, at least one of each.
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
    /// What the fragment must be; `nil` if it does not matter.
    var fragment: Piece?

    var isCustomScheme: Bool {
        if case .scheme = origin { true } else { false }
    }

    /// The names of all captures in the order written.
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

/// Why a text is not a pattern.
struct RoutePatternError: Error, Hashable, Sendable {
    let reason: String
}
