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
}
