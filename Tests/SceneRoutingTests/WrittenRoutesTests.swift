import SceneManifest
import SceneRouting
import Testing

@Suite("What types in Swift were written from")
struct WrittenRoutesTests {
    /// An app with one of each that the types have.
    private static func app(_ changes: (old: String, new: String)...) throws -> AppManifest {
        let text = """
            format: 2
            version: "1"
            name: Small
            schemes: [small]
            facts:
              count: { type: integer, default: 0 }
            preconditions:
              signedIn: { holds: signedIn, flow: login }
            tabs: { home: home }
            destinations:
              home: { tab: home, routes: ["small://home"] }
              page:
                ancestry: [home]
                parameters: { id: { pattern: "p[0-9]+" }, size: { oneOf: [s, m], default: s } }
                routes: ["small://page/{id}"]
            flows:
              login:
                completionNeedsUser: true
                result: { token: { type: string } }
                screens: [name]
                intents:
                  named: { parameters: { user: { type: string } }, effects: [{ complete: { user: user, result: { token: t } } }] }
            intents:
              shown: { parameters: { id: { pattern: "p[0-9]+" } }, effects: [{ route: page, parameters: { id: { parameter: id } } }] }

            """
        return try AppManifest.read(changes.reduce(text) { $0.replacing($1.old, with: $1.new) }).manifest
    }

    /// What `scenectl app swift` writes of a manifest.
    private static func written(from app: AppManifest) -> WrittenRoutes {
        WrittenRoutes(
            "Small",
            from: "small.yaml",
            DeclaredRoute.all(in: app).map { ($0.name, $0.form) },
            file: "SmallApp/SmallRoutes.swift"
        )
    }

    private static let advice =
        "; expected types written from this manifest: run 'scenectl app swift small.yaml --as Small --output …/SmallRoutes.swift', or build again if the plugin SceneRoutes writes them"

    private static func problems(_ types: AppManifest, _ manifest: AppManifest) -> [String] {
        written(from: types).misfits(manifest).map { "\($0)" }
    }

    @Test("those of the same manifest fit it, and so do those of one that Swift cannot tell from it")
    func fits() throws {
        let app = try Self.app()
        #expect(Self.problems(app, app).isEmpty)
        for change in [
            (old: "p[0-9]+", new: "p[0-9]{1,9}"), ("[s, m]", "[m, s]"), ("version: \"1\"", "version: \"2\""),
            ("default: 0", "default: 7"),
        ] {
            #expect(Self.problems(app, try Self.app(change)).isEmpty, "\(change)")
        }
    }

    /// What is added to a manifest, the key of the problem, and what it is called.
    static let added: [(old: String, new: String, key: String, title: String)] = [
        (
            "destinations:\n", "destinations:\n  more: { ancestry: [home], routes: [\"small://more\"] }\n",
            "destinations", "destination 'more'"
        ),
        ("\nintents:\n", "\nintents:\n  more: { effects: [{ route: home }] }\n", "intents", "intent 'more'"),
        ("facts:\n", "facts:\n  more: { type: string }\n", "facts", "fact 'more'"),
        (
            "preconditions:\n", "preconditions:\n  more: { holds: signedIn, flow: login }\n", "preconditions",
            "precondition 'more'"
        ),
        ("screens: [name]", "screens: [name, more]", "flows", "screen 'login.more'"),
        (
            "    intents:\n", "    intents:\n      more: { effects: [cancel] }\n", "flows", "intent 'login.more'"
        ),
    ]

    @Test("what either of them lacks is a problem that names both and what to run", arguments: added)
    func additions(old: String, new: String, key: String, title: String) throws {
        let (app, larger) = (try Self.app(), try Self.app((old, new)))
        #expect(
            Self.problems(app, larger) == [
                "error: \(key): the \(title) is declared, and the types 'Small' in SmallApp/SmallRoutes.swift lack it\(Self.advice)"
            ]
        )
        #expect(
            Self.problems(larger, app) == [
                "error: \(key): the types 'Small' in SmallApp/SmallRoutes.swift have the \(title), which is not declared\(Self.advice)"
            ]
        )
    }

    @Test("a flow and a tab bring along what they have")
    func flows() throws {
        let app = try Self.app()
        let flow = try Self.app(("flows:\n", "flows:\n  more: { screens: [till] }\n"))
        #expect(Self.written(from: app).misfits(flow).map(\.key) == ["flows", "flows"])
        #expect(Self.written(from: flow).misfits(app).map(\.key) == ["flows", "flows"])
        let tab = try Self.app(
            ("tabs: { home: home }", "tabs: { home: home, more: more }"),
            ("destinations:\n", "destinations:\n  more: { tab: more, routes: [\"small://more\"] }\n")
        )
        #expect(Set(Self.written(from: app).misfits(tab).map(\.key)) == ["destinations", "tabs"])
        #expect(Set(Self.written(from: tab).misfits(app).map(\.key)) == ["destinations", "tabs"])
    }

    /// What is changed in a manifest, what it is called, and its form before and after.
    static let changed: [(old: String, new: String, title: String, before: String, after: String)] = [
        (
            "id: { pattern: \"p[0-9]+\" }, size", "id: { type: integer }, size", "destination 'page'",
            "id: String, size: m|s = s", "id: Int, size: m|s = s"
        ),
        (
            "default: s }", "default: m }", "destination 'page'", "id: String, size: m|s = s",
            "id: String, size: m|s = m"
        ),
        ("[s, m]", "[s, m, l]", "destination 'page'", "id: String, size: m|s = s", "id: String, size: l|m|s = s"),
        (
            "default: s }", "optional: true }", "destination 'page'", "id: String, size: m|s = s",
            "id: String, size: m|s?"
        ),
        (
            "token: { type: string }", "token: { type: string, optional: true }", "flow 'login'", "token: String",
            "token: String?"
        ),
        ("{ type: integer, default: 0 }", "{ type: number, default: 0 }", "fact 'count'", "Int", "Double"),
    ]

    @Test(
        "parameters and facts of another type, or with another default, are a problem that shows both",
        arguments: changed
    )
    func changes(old: String, new: String, title: String, before: String, after: String) throws {
        let (app, other) = (try Self.app(), try Self.app((old, new)))
        let problems = Self.problems(app, other)
        #expect(problems.count == 1)
        #expect(
            problems.first?.hasSuffix(
                "the \(title) is declared with (\(after)), and the types 'Small' in SmallApp/SmallRoutes.swift have it with (\(before))\(Self.advice)"
            ) == true,
            "\(problems)"
        )
    }

    @Test("of a form that is very long, a message shows the beginning")
    func long() throws {
        let words = (1...2_000).map { "w\($0)" }.joined(separator: ", ")
        let other = try Self.app(("[s, m]", "[s, m, \(words)]"))
        let problem = try #require(Self.problems(try Self.app(), other).first)
        #expect(problem.count < 700)
    }
}
