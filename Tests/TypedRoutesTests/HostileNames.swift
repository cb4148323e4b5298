import SceneRouting

@testable import TypedRoutes

/// Names that mean something else in Swift, are the same identifier, or are none, and an app that has each of them in every place.
enum HostileNames {
    /// What Swift keeps for itself, everywhere or somewhere.
    private static let ofSwift = """
        Any Protocol Self Type actor any as associatedtype associativity async await borrowing break case catch class consume consuming \
        continue convenience copy default defer deinit didSet discard distributed do dynamic each else enum extension fallthrough false \
        fileprivate final for func get guard if import in indirect infix init inout internal is isolated lazy left let macro mutating \
        nil none nonisolated nonmutating open operator optional override package postfix precedence precedencegroup prefix private \
        protocol public repeat required rethrows return right self sending set some static struct subscript super switch then throw \
        throws true try typealias unowned unsafe var weak where while willSet yield
        """

    /// What the standard library gives to the types, and the compiler uses unasked.
    private static let ofLibrary = """
        Actor AllCases Array ArrayLiteralElement BooleanLiteralType Character Codable Comparable CustomStringConvertible Dictionary \
        Element Equatable Error ExpressibleByStringLiteral Float FloatLiteralType Hasher Identifiable IntegerLiteralType KeyPath \
        RawRepresentable RawValue Sequence Set StringLiteralType Task Void allCases debugDescription description flatMap hash \
        hashValue hasher id into lhs map rawValue rhs unsafelyUnwrapped wrapped
        """

    private static let ofNobody = [
        "screen", "result", "intent", "Screen", "name", "values",
        "", "-", "--", "_", "__", "-a-", "1", "1st", "007", "$0", "#if", "@main", "`x`", "\"", "\\(x)", "*/", "//",
        "a\nb",
        "buy-now", "buyNow", "buy_now", "BuyNow", "BUY-NOW", "buy.now", "buynow", "BUYNOW", "buy-now_2", "buy-now-2",
        "é", "e\u{301}", "größe", "ß", "ΑΒΓ", "日本語", "العربية", "हिन्दी", "İ", "ǆ", "👍", "★", "٣", "\u{301}x", "a\u{200D}b",
        "\u{2E2F}", "\u{FEFF}", "\u{202E}x",
    ]

    /// All names, and every identifier in a source of these types: there may be one that hides another.
    static func all(and source: String) -> [String] {
        var all = (ofSwift + " " + ofLibrary).split(separator: " ").map(String.init) + ofNobody
        for line in source.split(separator: "\n") where !line.contains("//") {
            // Every second part is a literal.
            for part in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            where part.offset % 2 == 0 {
                all += part.element.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
            }
        }
        var seen: Set<String> = []
        return all.filter { seen.insert($0).inserted }
    }

    /// An app with these names in every place: destinations, intents, flows, their screens, intents and results, facts, gates, tabs,
    /// parameters of each type and words, of which there is an enumeration with all.
    static func app(_ names: [String]) -> AppManifest {
        /// As many parameters as the compiler reads in one expression in no time.
        let chunks = stride(from: 0, to: names.count, by: 8).map { Array(names[$0..<min($0 + 8, names.count)]) }
        /// With a type of its own if that could hide another: those of the library begin with a capital.
        func words(_ name: String) -> ParameterDeclaration {
            let isType = name.first?.isLowercase != true || ["screen", "result", "é"].contains(name)
            return ParameterDeclaration(name: name, type: isType ? .oneOf([name, "x"]) : .string, isRequired: false)
        }
        func parameters(_ names: [String]) -> [ParameterDeclaration] {
            names.enumerated().map { index, name in
                switch index % 4 {
                case 0: ParameterDeclaration(name: name, type: .string)
                case 1: ParameterDeclaration(name: name, type: .integer(minimum: nil, maximum: nil), defaultValue: "1")
                case 2: ParameterDeclaration(name: name, type: .list(of: .string), isRequired: false)
                default: words(name)
                }
            }
        }
        let every = ParameterDeclaration(name: "every", type: .oneOf(names), defaultValue: names[0])
        return AppManifest(
            name: "Hostile",
            tabs: names.map { TabDeclaration(id: $0, root: $0) },
            destinations: names.map { DestinationDeclaration(id: $0, parameters: [words($0)]) }
                + [DestinationDeclaration(id: "every", parameters: [every])],
            preconditions: names.map { PreconditionDeclaration(name: $0, holds: .always, flow: names[0]) },
            flows: names.map { FlowDeclaration(name: $0, screens: []) }
                + chunks.map { chunk in
                    FlowDeclaration(
                        name: chunk[0] + " and others",
                        screens: chunk.map { FlowScreen(id: $0 + " screen") } + chunk.map { FlowScreen(id: $0) },
                        intents: chunk.map { name in
                            let all = name == chunk[0] ? parameters(chunk) : []
                            return IntentDeclaration(name: name, parameters: all, effects: [])
                        },
                        result: parameters(chunk)
                    )
                },
            intents: names.map { IntentDeclaration(name: $0, effects: []) },
            facts: names.map { FactDeclaration(name: $0, type: .string) }
        )
    }
}
