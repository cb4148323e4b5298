import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// What a window shows when one user takes another's place (S9 of <doc:/SceneRuntime/TheSession>).
@Suite("When one user takes another's place", .timeLimit(.minutes(15)))
struct ReplacedUserTests {
    private static let conditions: [FactPredicate] = [
        .signedIn, .not(.signedIn), .present(fact: "pin"), .not(.present(fact: "pin")), .present(fact: "notice"),
        .all([.signedIn, .not(.present(fact: "pin"))]), .any([.not(.signedIn), .present(fact: "pin")]),
        .all([.not(.signedIn), .present(fact: "notice")]), .all([.signedIn, .present(fact: "notice")]),
    ]

    /// The roots of an app: at most two, each while a condition holds that looks at the user, at her fact or at the app's.
    private static let roots: [[RootDeclaration]] =
        [[]] + conditions.map { declared($0) }
        + conditions.flatMap { first in conditions.map { second in declared(first, second) } }

    private static func declared(_ conditions: FactPredicate...) -> [RootDeclaration] {
        zip(["onboarding", "profileSetup"], conditions).map { RootDeclaration(flow: $0, when: $1) }
    }

    @Test("each window has one change of root, to the next user's, and nothing of the first", arguments: roots)
    func anyRoot(roots: [RootDeclaration]) async throws {
        for choice in 0..<8 {
            let app = try Club(app: "login-first") { manifest in
                manifest.facts.append(FactDeclaration(name: "notice", type: .string, scope: .app))
                manifest.flows.append(FlowDeclaration(name: "profileSetup", screens: [FlowScreen(id: "card")]))
                manifest.roots = roots
            }
            let facts = { (has: Bool) -> [String: FactValue] in has ? ["pin": .string("1111")] : [:] }
            if choice & 4 != 0 { try await app.host.session.commit(set: ["notice": .string("new")]) }
            try await app.signIn("mina", facts: facts(choice & 1 != 0))
            // A root flow moves on, tabs get something pushed: nothing of that is the next user's.
            try await app.tap("started")
            try await app.open("account/a1")
            await app.host.quiesce()
            let before = app.records.count
            try await app.signIn("theo", facts: facts(choice & 2 != 0))
            let after = app.records[before...]
            let changes = after.filter { $0["op"]?["name"]?.stringValue == "setRoot" }
            #expect(changes.count <= 1, "\(roots), \(choice): \(changes)")
            let due = app.host.manifest.roots.first { root in
                app.holds(root.when, pin: choice & 2 != 0, notice: choice & 4 != 0)
            }
            let window = try app.window
            #expect(window.tabs.map(\.id) == (due == nil ? ["accounts", "profile"] : ["root"]), "\(roots), \(choice)")
            if let due {
                let start = due.flow == "onboarding" ? "intro" : "card"
                #expect(window.destinations == [Destination(id: start)], "\(roots), \(choice)")
            }
            await app.end()
        }
    }

    @Test(
        "who takes her place by the end of a flow changes the window, also one that looks as before",
        arguments: [true, false]
    )
    func byAFlow(looksAsBefore: Bool) async throws {
        let app = try Club(
            manifest: """
                name: Desk
                schemes: [desk]
                tabs: { home: home, staff: staff }
                roots: [{ flow: welcome, when: { not: signedIn } }]
                destinations:
                  home: { tab: home, routes: ["desk://home"] }
                  staff: { tab: staff, flow: handOver, routes: ["desk://staff"] }
                  case: { ancestry: [home], routes: ["desk://case"] }
                flows:
                  welcome: { screens: [hello], intents: { entered: { effects: [complete] } } }
                  handOver: { completionNeedsUser: true, screens: [staff], intents: { handed: { effects: [cancel] } } }
                """
        )
        try await app.signIn("mina")
        if !looksAsBefore { try await app.open("case") }
        let before = try app.shown
        let receipt = try await app.act(.finishFlow("handOver", .completed(FlowCompletion(user: "theo"))))
        #expect(receipt.outcome == .applied)
        #expect(try (app.shown == before) == looksAsBefore)
        #expect(try app.shown == "*home: home | staff: staff")
        await app.end()
    }
}

extension Club {
    /// Whether a condition holds for somebody who is signed in.
    fileprivate func holds(_ predicate: FactPredicate, pin: Bool, notice: Bool) -> Bool {
        switch predicate {
        case .signedIn: true
        case .present("pin"): pin
        case .present: notice
        case .not(let inner): !holds(inner, pin: pin, notice: notice)
        case .all(let all): all.allSatisfy { holds($0, pin: pin, notice: notice) }
        case .any(let any): any.contains { holds($0, pin: pin, notice: notice) }
        default: false
        }
    }
}
