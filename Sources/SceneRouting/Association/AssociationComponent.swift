internal import StrictJSON

/// One rule of an association file: which URLs it is about, and whether they open the app.
struct AssociationComponent: Sendable {
    /// The rule as written, for people.
    let text: String
    let excludes: Bool
    private let path: AssociationPattern
    private let query: Query
    private let fragment: AssociationPattern
    private let isPercentEncoded: Bool

    private enum Query: Sendable {
        case whole(AssociationPattern)
        /// All of these must fit, each every item of its name; an absent item counts as empty.
        case items([(name: String, pattern: AssociationPattern)])
    }

    init(_ json: JSONValue, _ context: AssociationContext, budget: inout Int) {
        text = json.text()
        excludes = context.member("exclude", of: json)?.boolValue ?? false
        isPercentEncoded = context.member("percentEncoded", of: json)?.boolValue ?? true
        let ignoresCase = !(context.member("caseSensitive", of: json)?.boolValue ?? true)
        func pattern(_ text: some StringProtocol) -> AssociationPattern {
            context.pattern(text, ignoresCase: ignoresCase, budget: &budget)
        }
        path = context.member("/", of: json)?.stringValue.map { pattern($0.drop { $0 == "/" }) } ?? .everything
        fragment = context.member("#", of: json)?.stringValue.map { pattern($0) } ?? .everything
        switch context.member("?", of: json) {
        case .string(let whole): query = .whole(pattern(whole))
        case .object(let members):
            // Where one value is no text, the system ignores the whole object.
            let texts = members.map { (name: $0.key, text: $0.value.stringValue) }
            query =
                texts.contains { $0.text == nil }
                ? .whole(.everything) : .items(texts.map { ($0.name, pattern($0.text ?? "")) })
        default: query = .whole(.everything)
        }
    }

    /// A rule in the format before iOS 13: a path, after `NOT ` if the rule excludes.
    init(legacyPath path: String, _ context: AssociationContext, budget: inout Int) {
        text = path
        excludes = path.hasPrefix("NOT ")
        isPercentEncoded = true
        let pattern = excludes ? path.dropFirst(4) : path[...]
        self.path = context.pattern(pattern.drop { $0 == "/" }, ignoresCase: false, budget: &budget)
        query = .whole(.everything)
        fragment = .everything
    }

    /// Whether the rule fits every URL, so that no later rule is ever tried.
    var matchesEverything: Bool {
        guard path.matchesEverything, fragment.matchesEverything else { return false }
        switch query {
        case .whole(let pattern): return pattern.matchesEverything
        case .items(let items): return items.allSatisfy { $0.pattern.matchesEverything }
        }
    }

    /// The segments with which a path begins that fits, and whether they are the whole path; `nil` if the rule does not say, or has
    /// characters that are written as escapes.
    var literalSegments: (segments: [String], isWhole: Bool)? {
        let (text, isWhole) = path.literalBeginning
        guard text.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") }), !path.matchesEverything else {
            return nil
        }
        var segments = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        // What a wildcard follows may go on; a slash at the end has no meaning.
        if !isWhole || segments.last == "" { segments.removeLast() }
        return isWhole || !segments.isEmpty ? (segments, isWhole) : nil
    }

    /// The member of the rule that does not fit the URL; `nil` if all fit.
    func mismatch(_ url: AssociationURL) -> String? {
        let url = isPercentEncoded ? url : url.decoded
        // A trailing slash has no meaning, neither in the pattern nor in the URL.
        guard path.matches(url.path, isPath: true) else { return "/" }
        switch query {
        case .whole(let pattern): guard pattern.matches(url.query) else { return "?" }
        case .items(let items):
            for (name, pattern) in items {
                let values = url.items.filter { $0.name == name }.map(\.value)
                guard values.isEmpty ? pattern.matches("") : values.allSatisfy({ pattern.matches($0) }) else {
                    return "? \(name)"
                }
            }
        }
        return fragment.matches(url.fragment) ? nil : "#"
    }
}
