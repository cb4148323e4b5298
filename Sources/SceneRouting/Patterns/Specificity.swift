/// How narrowly a route describes its URLs. Specificities are totally ordered, the most specific first.
///
/// They are compared in this order:
/// - The origin: a named domain, a wildcard domain, every domain.
/// - Each segment: a constant; one that ignores case; constants and captures; a typed capture (one of, UUID, integer,
///   pattern); any text; `*`; the end of the path; `**`.
/// - The number of constant, then of required, then of optional query items: the more, the more specific.
/// - The fragment, then the market, then the locale: one that is named before none.
/// - The texts of the pattern and of the destination, so that the order in the manifest never decides.
struct Specificity: Hashable, Sendable, Comparable {
    struct Part: Hashable, Sendable, Comparable {
        var rank: Int
        /// Distinguishes parts of the same rank: the type of a capture, the pieces of a segment.
        var text: String = ""

        static func < (one: Part, other: Part) -> Bool {
            one.rank != other.rank ? one.rank < other.rank : one.text < other.text
        }
    }

    var parts: [Part]
    /// Decides between routes with the same parts, which take exactly the same URLs.
    var tieBreak: [String]

    static func < (one: Specificity, other: Specificity) -> Bool {
        for (mine, theirs) in zip(one.parts, other.parts) where mine != theirs { return mine < theirs }
        if one.parts.count != other.parts.count { return one.parts.count < other.parts.count }
        for (mine, theirs) in zip(one.tieBreak, other.tieBreak) where mine != theirs { return mine < theirs }
        return one.tieBreak.count < other.tieBreak.count
    }

    init(_ declaration: RouteDeclaration, pattern: RoutePattern, checks: [String: ParameterCheck]) {
        parts = [Part(rank: Self.originRank(pattern.origin))]
        for (index, segment) in pattern.segments.enumerated() {
            // The host of a custom scheme always ignores case, so it does not count as less specific.
            let isHost = index == 0 && pattern.isCustomScheme
            parts.append(Self.part(segment, ignoresCase: declaration.ignoresCase && !isHost, checks: checks))
        }
        parts.append(Part(rank: Self.end))
        var constants = 0
        var captures = 0
        var optionals = pattern.takesRemainingItems ? 1 : 0
        for item in pattern.query {
            switch item.value {
            case .constant: constants += 1
            case .any, .capture(_, isOptional: false, _): captures += 1
            case .capture: optionals += 1
            }
        }
        parts.append(Part(rank: -constants))
        parts.append(Part(rank: -captures))
        parts.append(Part(rank: -optionals))
        switch pattern.fragment {
        case .constant: parts.append(Part(rank: 0))
        case .capture: parts.append(Part(rank: 1))
        case nil: parts.append(Part(rank: 2))
        }
        parts.append(Part(rank: declaration.markets.isEmpty ? 1 : 0))
        parts.append(Part(rank: declaration.locales.isEmpty ? 1 : 0))
        tieBreak = [declaration.pattern, declaration.destination]
    }

    static let end = 25
    static let anyRun = 30

    private static func originRank(_ origin: RoutePattern.Origin) -> Int {
        switch origin {
        case .scheme: 0
        case .web(_, domain: nil): 1_000_000
        // A longer wildcard is more specific.
        case .web(_, domain: let domain?): domain.hasPrefix("*.") ? 100_000 - domain.utf8.count : 0
        }
    }

    static func part(_ segment: RoutePattern.Segment, ignoresCase: Bool, checks: [String: ParameterCheck]) -> Part {
        switch segment {
        case .constant: return Part(rank: ignoresCase ? 1 : 0)
        case .mixed(let pieces):
            var text = ""
            for piece in pieces {
                switch piece {
                // No URL contains NUL, so this is unambiguous.
                case .constant(let constant): text += constant + "\u{0}"
                case .capture(let name): text += "{\(check(name, checks).orderingText)}\u{0}"
                }
            }
            return Part(rank: ignoresCase ? 3 : 2, text: text)
        case .capture(let name):
            let check = check(name, checks)
            return Part(rank: 10 + check.rank, text: check.orderingText)
        case .anyOne: return Part(rank: 20)
        case .anyRun: return Part(rank: anyRun)
        }
    }

    private static func check(_ name: String, _ checks: [String: ParameterCheck]) -> ParameterCheck {
        checks[name] ?? .string
    }
}

extension ParameterCheck {
    /// A text that is the same for the same type.
    var orderingText: String {
        switch self {
        case .string: "string"
        case .uuid: "uuid"
        case .date: "date"
        case .integer(let minimum, let maximum): "int \(minimum ?? .min) \(maximum ?? .max)"
        case .oneOf(let words): "of \(words.sorted().joined(separator: "\u{0}"))"
        case .pattern(let pattern): "~\(pattern.source)"
        case .list(let element): "list \(element.orderingText)"
        }
    }
}
