import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// What flows start, the model knows (<doc:/SceneRuntime/Windows>).
@Suite struct StartedFlowHistoryTests {
    private static let app = """
        name: Nesting
        schemes: [nesting]
        tabs: { home: home }
        preconditions: { signedIn: { holds: signedIn, flow: one } }
        destinations:
          home: { tab: home }
          own: { ancestry: [home], preconditions: [signedIn], routes: ["nesting://own"] }
        flows:
          one:
            screens: [first]
            intents: { on: { effects: [{ start: two, parameters: { n: "3" } }] } }
            after: { two: { completed: [{ complete: { user: name } }] } }
          two:
            screens: [{ id: second, parameters: { n: { type: integer, optional: true } } }]
            result: { name: string }
            intents:
              further: { effects: [{ start: three }] }
              done: { parameters: { name: string }, effects: [{ complete: { result: { name: { parameter: name } } } }] }
          three: { screens: [third], intents: { done3: { effects: [complete] } } }
        """

    private static func records() async throws -> (records: [JSONObject], app: AppManifest) {
        let manifest = try AppManifest.read(app).manifest
        let host = try SceneHost(id: "nesting", manifest: manifest)
        try host.connect(scene: "A")
        _ = await host.receipt(
            of: try host.admit(Submission(try .url("nesting://own"), scene: "A")),
            at: .settled
        )
        for intent in [
            Intent(name: "on"), Intent(name: "further"), Intent(name: "done3"),
            Intent(name: "done", parameters: ["name": "mina"]),
        ] {
            _ = await host.receipt(of: try host.admit(Submission(.intent(intent), scene: "A")), at: .settled)
        }
        await host.quiesce()
        #expect(host.session.snapshot.user == "mina")
        await host.drain()
        return (host.records.read(after: 0).records.map(\.json), manifest)
    }

    @Test func `what three flows do that start each other holds`() async throws {
        let (records, app) = try await Self.records()
        let report = checked(records, app: app)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    /// How a flow comes to go back to where it is already.
    enum Occasion: CaseIterable { case swiped, cancelled, completed, tapped }

    static let movesBack = ["back", "{ pop: 1 }", "{ pop: 9 }", "{ popTo: first }", "{ popTo: last }", "popToRoot"]

    private static func tidying(_ move: String, then: String = "") throws -> Club {
        try Club(
            manifest: """
                name: Tidying
                schemes: [tidying]
                tabs: { home: home }
                destinations: { home: { tab: home }, own: { ancestry: current, presentation: sheet, flow: one, routes: ["tidying://own"] } }
                flows:
                  one:
                    screens: [own, last, first]
                    intents:
                      on: { effects: [{ start: two }] }
                      tidied: { effects: [\(move)\(then)] }
                    after: { two: { completed: [\(move)\(then)], cancelled: [\(move)\(then)] } }
                  two: { screens: [second], intents: { done: { effects: [complete] }, gaveUp: { effects: [cancel] } } }
                """
        )
    }

    @Test(arguments: movesBack, Occasion.allCases)
    func `a flow that has nothing to go back to stays as it is and goes on`(move: String, occasion: Occasion)
        async throws
    {
        for then in ["", ", { push: last }"] {
            let club = try Self.tidying(move, then: then)
            try await club.open("own")
            if occasion != .tapped { #expect(try await club.tap("on").outcome == .applied) }
            let receipt =
                switch occasion {
                case .swiped: try await club.act(.gesture(.swipeDown()))
                case .cancelled: try await club.tap("gaveUp")
                case .completed: try await club.tap("done")
                case .tapped: try await club.tap("tidied")
                }
            #expect(receipt.outcome == (occasion == .tapped && then.isEmpty ? .delivered : .applied))
            #expect(try club.shown == "*home: home › sheet one[own\(then.isEmpty ? "" : " › last")]")
            await club.end()
        }
    }

    /// What a flow does when another that it has started ends.
    static let sequels = [
        "{ push: hit }", "{ push: hit }, back", "{ set: found, value: true }", "{ route: other }", "back", "popToRoot",
        "{ replace: hit }",
    ]

    /// Where its screens are that has started the other: it is the tab's, it is pushed in a tab, or it is presented.
    enum Place: String, CaseIterable {
        case root = "{ tab: home, flow: one }"
        case pushed = "{ ancestry: [base], flow: one, routes: [\"tabbed://home\"] }"
        case presented = "{ ancestry: [base], presentation: sheet, flow: one, routes: [\"tabbed://home\"] }"
    }

    @Test(arguments: sequels, Place.allCases)
    func `what follows in a flow is judged wherever its screens are`(sequel: String, place: Place) async throws {
        for occasion in [Occasion.swiped, .cancelled, .completed] {
            var settings = HostSettings()
            settings.snapshotInterval = 4
            let text = """
                name: Tabbed
                schemes: [tabbed]
                facts: { found: { type: boolean } }
                tabs: { home: \(place == .root ? "home" : "base"), more: other }
                destinations:
                  home: \(place.rawValue)
                  \(place == .root ? "" : "base: { tab: home }")
                  other: { tab: more }
                flows:
                  one:
                    screens: [home, hit]
                    intents: { seek: { effects: [{ start: two }] }, deeper: { effects: [{ push: hit }] } }
                    after: { two: { completed: [\(sequel)], cancelled: [\(sequel)] } }
                  two: { screens: [second], intents: { done: { effects: [complete] }, gaveUp: { effects: [cancel] } } }
                """
            let club = try Club(manifest: text, settings: settings)
            if place != .root { try await club.open("home") }
            // Its next screen, pushed in a tab, is the tab's.
            let isDeep = place != .pushed && (sequel == "back" || sequel == "popToRoot")
            if isDeep { try await club.tap("deeper") }
            let before = try club.shown
            #expect(try await club.tap("seek").outcome == .applied)
            switch occasion {
            case .swiped: try await club.act(.gesture(.swipeDown()))
            case .cancelled: try await club.tap("gaveUp")
            default: try await club.tap("done")
            }
            let found = club.host.session.snapshot.facts["found"] != nil
            let isMove = isDeep || ["{ push: hit }", "{ route: other }"].contains(sequel)
            #expect(try club.shown != before || !isMove, "\(before)")
            #expect(found == sequel.contains("found"))
            await club.end()
        }
    }

    @Test func `a history in which that is rejected is noticed, and was right before format 6`() async throws {
        let club = try Self.tidying("popToRoot")
        try await club.open("own")
        try await club.tap("tidied")
        await club.end()
        var records = club.records
        let end = try #require(records.lastIndex { $0["kind"] == "dispatch.ended" })
        records[end]["outcome"] = "rejected"
        records[end]["reason"] = "nothingToPop"
        #expect(!checked(records, app: club.manifest).violated.isEmpty)
        records[0]["format"] = 5
        let report = checked(records, app: club.manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    /// Why the flow that was started ends.
    enum Ending: String, CaseIterable { case intent, report, swipe, nested }

    /// What the one that started it does then is the model's: another screen, or another fact, is noticed.
    @Test(arguments: Ending.allCases)
    func `what follows from the end of a flow that was started is judged`(ending: Ending) async throws {
        let club = try Club()
        try await club.signIn()
        try await club.open("booking")
        try await club.tap("sponsorWanted")
        switch ending {
        case .intent: try await club.tap("named", ["name": "theo"])
        case .report: try await club.act(.finishFlow("sponsor", .completed(FlowCompletion(values: ["name": "theo"]))))
        case .swipe: try await club.act(.gesture(.swipeDown()))
        case .nested:
            // Its own end completes the one that started it, which goes on.
            try await club.tap("searchWanted")
            try await club.tap("found")
        }
        let isCancelled = ending == .swipe
        if isCancelled {
            #expect(club.host.session.snapshot.facts["rated"] == .strings(["never"]))
        } else {
            #expect(try club.window.topmost == Destination(id: "sent", parameters: ["sponsor": "theo"]))
        }
        await club.end()
        var changes = 0
        let changed = club.records.map { record -> JSONObject in
            var record = record
            if isCancelled, record["facts"]?.objectValue?["rated"] != nil {
                record["facts"] = ["rated": ["once"]]
                changes += 1
            }
            if !isCancelled, record["kind"] == "navigation.step" {
                let text = JSONValue.object(record).text()
                let other = text.replacing(#""sponsor":"theo""#, with: #""sponsor":"noor""#)
                if other != text, let object = (try? JSONValue(parsing: other))?.objectValue {
                    record = object
                    changes += 1
                }
            }
            return record
        }
        #expect(changes > 0)
        let violated = checked(changed, app: club.manifest).violated
        #expect(violated.contains(.agreement), "\(violated)")
    }

    /// Somebody swipes while the flow that has ended leaves: that gesture ends at once, and what the event does goes on.
    @Test func `what follows is judged although a gesture ends meanwhile`() async throws {
        let club = try Club()
        try await club.signIn()
        try await club.open("booking")
        try await club.tap("sponsorWanted")
        let hold = try club.host.hold(.transition, scene: "A")
        let ending = try club.host.admit(Submission(.gesture(.swipeDown()), scene: "A"))
        await withCheckedContinuation { continuation in
            let token = club.host.whenCaught(by: hold) { _ in
                continuation.resume()
            } onReleased: {
                continuation.resume()
            }
            #expect(token != nil)
        }
        let other = await club.host.receipt(of: try club.host.admit(Submission(.gesture(.swipeDown()), scene: "A")))
        #expect(other.outcome == .ignored(reason: "inTransition"))
        club.host.release(hold)
        _ = await club.host.receipt(of: ending)
        await club.host.quiesce()
        #expect(club.host.session.snapshot.facts["rated"] == .strings(["never"]))
        await club.end()
    }

    /// A second factor signs in by itself, which opens the gate of the flow that wanted it: that one's end is the same event's
    /// doing, and not late.
    @Test func `a flow may end after the end of another that has opened its gate`() async throws {
        let text = Self.app.replacing("complete: { result: { name", with: "complete: { user: name, result: { name")
        let manifest = try AppManifest.read(text).manifest
        #expect(text != Self.app)
        let host = try SceneHost(id: "nesting", manifest: manifest)
        try host.connect(scene: "A")
        func act(_ intent: Intent) async throws -> Receipt {
            await host.receipt(of: try host.admit(Submission(.intent(intent), scene: "A")))
        }
        _ = await host.receipt(of: try host.admit(Submission(try .url("nesting://own"), scene: "A", eventID: "own")))
        _ = try await act(Intent(name: "on"))
        let done = try await act(Intent(name: "done", parameters: ["name": "mina"]))
        #expect(done.outcome == .applied)
        await host.quiesce()
        #expect(host.session.snapshot.user == "mina" && host.receipt(event: "own")?.outcome == .applied)
        #expect(try host.scene("A").window.description == "*home: home › own")
        await host.drain()
        let report = checked(host.records.read(after: 0).records.map(\.json), app: manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    /// Numbers and words that are handed over are judged like texts.
    @Test(arguments: ["points", "size"])
    func `what is handed over is judged, whatever its type`(name: String) async throws {
        let text = """
            name: Points
            facts: { level: { type: integer, default: 0 }, size: { type: string } }
            tabs: { home: home }
            preconditions: { rich: { holds: { fact: level, greater: 100 }, flow: buy } }
            destinations:
              home: { tab: home }
              own: { ancestry: [home], preconditions: [rich], routes: ["points://own"] }
            schemes: [points]
            flows:
              buy:
                screens: [offer]
                intents: { payTapped: { effects: [{ start: pay }] } }
                after:
                  pay:
                    completed: [{ add: level, value: { parameter: points } }, { set: size, value: { parameter: size } }]
              pay:
                screens: [card]
                result: { points: { type: integer, maximum: 50 }, size: { oneOf: [s, m] } }
            """
        let manifest = try AppManifest.read(text).manifest
        let host = try SceneHost(id: "points", manifest: manifest)
        try host.connect(scene: "A")
        _ = await host.receipt(of: try host.admit(Submission(try .url("points://own"), scene: "A")))
        for action in [
            SceneAction.intent(Intent(name: "payTapped")),
            .finishFlow("pay", .completed(FlowCompletion(values: ["points": "3", "size": "m"]))),
        ] {
            _ = await host.receipt(of: try host.admit(Submission(action, scene: "A")))
        }
        await host.quiesce()
        #expect(host.session.snapshot.facts == ["level": .integer(3), "size": .string("m")])
        await host.drain()
        let records = host.records.read(after: 0).records.map(\.json)
        #expect(checked(records, app: manifest).conclusion == .holds)
        let changed = records.map { record -> JSONObject in
            guard record["kind"] == "session.committed" else { return record }
            var record = record
            record["facts"] = name == "points" ? ["level": 4, "size": "m"] : ["level": 3, "size": "s"]
            return record
        }
        #expect(checked(changed, app: manifest).violated.contains(.agreement))
    }

    /// A history that is taken up in the middle says in its snapshots who has started which flow.
    @Test func `a snapshot says which flows others have started`() async throws {
        var settings = HostSettings()
        settings.snapshotInterval = 50
        let club = try Club(settings: settings)
        try await club.signIn()
        try await club.open("booking")
        try await club.tap("sponsorWanted")
        try await club.tap("searchWanted")
        for _ in 0..<60 { try await club.act(.gesture(.back)) }
        try await club.tap("found")
        await club.end()
        let place = try #require(
            club.records.lastIndex { $0["kind"] == "scene.snapshot" && $0["startedFlows"] != nil }
        )
        #expect(club.records[place]["startedFlows"] == ["sponsor": "join", "search": "sponsor"])
        for (other, invariant) in [(["sponsor": "search"], Invariant.continuity), (["card": "join"], .continuity)] {
            var changed = club.records
            changed[place]["startedFlows"] = JSONValue.object(JSONObject(other.map { ($0.key, .string($0.value)) }))
            #expect(checked(changed).violated.contains(invariant), "\(other)")
        }
        // Taken up there, what follows from the end of the search is known.
        let start = try #require(club.records[..<place].lastIndex { $0["kind"] == "host.snapshot" })
        let rest = club.records[start...].map { record -> JSONObject in
            let text = JSONValue.object(record).text().replacing(#""sponsor":"theo""#, with: #""sponsor":"noor""#)
            return (try? JSONValue(parsing: text))?.objectValue ?? record
        }
        #expect(checked(Array(club.records[start...]), app: club.manifest).violated.isEmpty)
        #expect(checked(rest, app: club.manifest).violated.contains(.agreement))
    }

    /// The flow of a gate that a newer link has taken away is nobody's any more: started by another flow, it stays.
    @Test func `a flow that was shown for a gate before belongs to the one that starts it`() async throws {
        let club = try Club()
        try await club.signIn()
        #expect(try await club.open("guests").outcome == .gated(precondition: "sponsored"))
        #expect(try await club.open("booking").outcome == .gated(precondition: "member"))
        #expect(try await club.tap("sponsorWanted").outcome == .applied)
        let before = try club.shown
        try await club.host.session.commit(set: ["rated": .strings(["c1"])])
        await club.host.quiesce()
        #expect(try club.shown == before)
        try await club.tap("named", ["name": "theo"])
        #expect(try club.window.topmost == Destination(id: "sent", parameters: ["sponsor": "theo"]))
        await club.end()
    }

    @Test func `another flow than the one that is to be started is noticed`() async throws {
        var (records, app) = try await Self.records()
        let flow = try #require(app.flows.firstIndex { $0.name == "one" })
        app.flows[flow].intents[0].effects = [.start(flow: "three")]
        let digest = JSONValue.string(app.digest)
        for place in records.indices where records[place]["manifest"] != nil { records[place]["manifest"] = digest }
        #expect(checked(records, app: app).violated == [.agreement])
    }

    @Test func `a wrong parent is noticed`() async throws {
        var (records, app) = try await Self.records()
        let place = try #require(
            records.firstIndex { $0["kind"] == "coordinator.attached" && $0["flow"] == "three" }
        )
        records[place]["parent"] = "one"
        #expect(!checked(records, app: app).violated.isEmpty)
    }

    @Test("A guest's flow in which a user has started another goes with that user", arguments: ["report", "sign-in"])
    func startedForAnother(way: String) async throws {
        let text = """
            name: Survey
            schemes: [survey]
            tabs: { me: me }
            destinations:
              me: { tab: me, routes: ["survey://me"] }
              survey: { ancestry: [me], presentation: sheet, flow: survey, routes: ["survey://survey"] }
            flows:
              login:
                completionNeedsUser: true
                screens: [who]
                intents: { typed: { parameters: { user: { type: string } }, effects: [{ complete: { user: user } }] } }
              survey:
                screens: [survey, more]
                intents: { asked: { effects: [{ start: login }] } }
                after: { login: { completed: [{ push: more }] } }
            """
        let manifest = try AppManifest.read(text).manifest
        let host = try SceneHost(id: "survey", manifest: manifest)
        try host.connect(scene: "A")
        func act(_ action: SceneAction) async throws -> Outcome {
            let outcome = await host.receipt(of: try host.admit(Submission(action, scene: "A"))).outcome
            await host.quiesce()
            return outcome
        }
        _ = await host.receipt(of: try host.admit(Submission(.url("survey://survey"), scene: "A")))
        _ = try await host.session.signIn(user: "anna")
        await host.quiesce()
        #expect(try await act(.intent(Intent(name: "asked"))) == .applied)
        #expect(try host.scene("A").window.modals.map(\.flow) == ["survey", "login"])
        if way == "report" {
            _ = try await act(.intent(Intent(name: "typed", parameters: ["user": "kim"])))
        } else {
            _ = try await host.session.signIn(user: "kim")
            await host.quiesce()
        }
        #expect(host.session.snapshot.user == "kim")
        #expect(try host.scene("A").window.modals == [])
        await host.drain()
        let report = checked(host.records.read(after: 0).records.map(\.json), app: manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
    }
}
