import SceneManifest
import SceneRouting
import Testing

/// Names that a manifest cannot give away, because something else is known by them (<doc:/SceneRuntime/Words>).
@Suite("Reserved names")
struct ReservedNameTests {
    /// What outcomes name when it does not hold.
    enum Need: CaseIterable {
        case precondition, condition, root, lock

        /// A manifest with a need of this name in the seventh line.
        func manifest(_ name: String) -> String {
            """
            name: Demo
            schemes: [demo]
            facts: { open: { type: boolean } }
            tabs: { home: home }
            destinations: { home: { tab: home }, item: { ancestry: [home]\(use(name)), routes: ["demo://item"] } }
            flows: { login: { screens: [start], intents: { on: { effects: [complete] } } }
              , \(flow(name)): { screens: [name], intents: { done: { effects: [{ set: open, value: true }, complete] } } } }
            \(declaration(name))
            """
        }

        private func use(_ name: String) -> String {
            switch self {
            case .precondition: ", preconditions: [\(name)]"
            case .condition: ", conditions: [\(name)]"
            case .root, .lock: ""
            }
        }

        private func flow(_ name: String) -> String {
            switch self {
            case .precondition, .condition: "other"
            case .root, .lock: name
            }
        }

        private func declaration(_ name: String) -> String {
            let holds = "{ fact: open, equals: true }"
            return switch self {
            case .precondition: "preconditions: { \(name): { holds: \(holds), flow: login } }"
            case .condition: "conditions: { \(name): { holds: \(holds), reason: it is closed } }"
            case .root: "roots: [{ flow: \(name), when: { not: \(holds) } }]"
            case .lock: "lock: { flow: \(name) }"
            }
        }
    }

    private static func errors(_ text: String) -> [ManifestProblem] {
        AppManifest.problems(in: text).filter { $0.severity == .error }
    }

    @Test(
        "no need has the name of an outcome or of a reason, and the message says where and what would do",
        arguments: Need.allCases
    )
    func needs(need: Need) {
        let words = Reasons.rejected.union(Reasons.ignored).union(Reasons.abandoned)
            .union(OutcomeName.allCases.map(\.rawValue)).union([
                "screenFailed", "seamFailed", "invalidFact", "validationFailed",
            ])
        #expect(words.count > 50)
        for word in words.sorted() {
            let problems = Self.errors(need.manifest(word))
            #expect(problems.count == 1, "\(word): \(problems)")
            let problem = problems.first
            #expect(problem?.message.hasPrefix("'\(word)' is reserved for how events end") == true, "\(problems)")
            #expect(problem?.line == (need == .precondition || need == .condition ? 8 : 7))
            // What it proposes is right.
            let proposal = problem?.expected?.split(separator: "'").dropFirst().first.map(String.init) ?? ""
            #expect(Self.errors(need.manifest(proposal)).isEmpty, "\(proposal)")
        }
    }

    private static func app(tab: String = "home", flow: String = "login", of root: String = "") -> String {
        """
        name: Demo
        schemes: [demo]
        tabs: { \(tab): start }
        destinations: { start: { tab: \(tab)\(root) }, item: { ancestry: current, presentation: sheet, flow: \(flow), routes: ["demo://item"] } }
        flows:
          \(flow): { screens: [item], intents: { done: { effects: [complete] } } }
        """
    }

    static let coordinators: [(text: String, problems: [String])] = [
        (app(), []),
        (
            app(flow: "home"),
            [
                "6:3: error: flows.home: a tab has the name 'home', too, and each has a coordinator of its own; "
                    + "expected another name, such as 'homeFlow'"
            ]
        ),
        // The flow is the tab's.
        (app(flow: "home", of: ", flow: home"), []),
        (
            app(flow: "root"),
            [
                "6:3: error: flows.root: 'root' is reserved for what is above all flows and tabs; "
                    + "expected another name, such as 'rootFlow'"
            ]
        ),
        (
            app(tab: "root"),
            [
                "3:9: error: tabs.root: 'root' is reserved for what is above all flows and tabs; expected another name"
            ]
        ),
    ]

    @Test("no two coordinators have one name", arguments: coordinators)
    func names(text: String, problems: [String]) {
        #expect(Self.errors(text).map(\.description) == problems)
    }
}
