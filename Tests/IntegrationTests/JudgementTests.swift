import Foundation
import SceneClient
import SceneVocabulary
import StrictJSON
import TestFixtures
import Testing

/// What is asked first, and which reason is given, in an app with a place for each kind of condition behind the same gate.
@Suite("The order of gates and refusals, over the socket", .timeLimit(.minutes(15)))
struct JudgementTests {
    private static let app = """
        format: 2
        version: "1"
        name: Lido
        appIDs: [ABCDE12345.com.example.lido]
        schemes: [lido]
        facts:
          flooded: { type: boolean, scope: app, default: false }
          swimmer: { type: boolean }
        preconditions:
          signedIn: { holds: signedIn, flow: login }
        conditions:
          season:
            holds: { period: { from: "2027-05-01T08:00Z", until: "2027-09-01T00:00Z" } }
            reason: the lido is closed in winter
          current: { holds: { appVersion: { greaterOrEqual: "2.1" } }, reason: the app is too old }
          dry: { holds: { fact: flooded, equals: false }, reason: the lido is flooded }
          swims: { holds: { fact: swimmer, equals: true }, reason: for swimmers alone }
        tabs: { home: home }
        destinations:
          home: { tab: home, routes: ["lido://home"] }
          pool: { ancestry: [home], preconditions: [signedIn], conditions: [season], routes: ["lido://pool"] }
          sauna: { ancestry: [home], preconditions: [signedIn], conditions: [current], routes: ["lido://sauna"] }
          meadow: { ancestry: [home], preconditions: [signedIn], conditions: [dry], routes: ["lido://meadow"] }
          tower: { ancestry: [home], preconditions: [signedIn], conditions: [swims], routes: ["lido://tower"] }
          slide: { ancestry: [home], preconditions: [signedIn], conditions: [swims, dry], routes: ["lido://slide"] }
        flows:
          login: { completionNeedsUser: true, screens: [name] }
        intents:
          # The storm: the lido is flooded and everybody has to leave, in one commit.
          stormed: { effects: [{ set: flooded, value: true }, { set: swimmer, value: false }, signOut] }
          tired: { effects: [{ set: swimmer, value: false }, { set: flooded, value: true }] }
        """

    private static func run(
        version: String,
        start: String = "2027-04-30T20:00Z",
        _ body: (LiveDaemon, SceneClient) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/lido.yaml"
        try app.write(toFile: file, atomically: true, encoding: .utf8)
        let arguments = ["--app", file, "--clock", "virtual", "--start", start, "--app-version", version]
        try await LiveDaemon.run(arguments) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            try await body(daemon, client)
        }
    }

    /// The reason of a rejection, or what else has become of a link.
    private func open(_ place: String, _ client: SceneClient) async throws -> String {
        let receipt = try await client.openURL("lido://\(place)", .init(scene: "A"))
        return receipt.reason ?? receipt.precondition ?? "\(receipt.outcome)"
    }

    @Test("a gate that looks at a parameter opens for that value alone, by its flow or by a commit elsewhere")
    func parameterOfAGate() async throws {
        try await LiveDaemon.run(["--app", "club"]) { daemon in
            let client = try await daemon.client()
            for scene in ["A", "B"] { _ = try await client.connect(scene: scene) }
            _ = try await client.signIn(user: "mina")
            let seven = try await client.openURL("club://locker/7", .init(scene: "A", event: "seven"))
            let eight = try await client.openURL("club://locker/8", .init(scene: "B", event: "eight"))
            #expect(seven.precondition == "key" && eight.precondition == "key")
            // The flow is shown for the value.
            #expect(try await client.scene("B").window?.trail.last == "desk(locker: 8)")
            _ = try await client.sendIntent("handedOut", parameters: ["locker": "7"], .init(scene: "A"))
            try await client.quiesce()
            #expect(try await client.receipt(of: "seven").outcome == .applied)
            #expect(try await client.scene("A").window?.trail == ["courts", "locker(locker: 7)"])
            #expect(try await client.receipt(of: "eight").outcome == .gated)
            _ = try await client.commit(set: ["keys": ["7", "8"]])
            try await client.quiesce()
            #expect(try await client.receipt(of: "eight").outcome == .applied)
            #expect(try await client.scene("B").window?.trail == ["courts", "locker(locker: 8)"])
        }
    }

    @Test("the time is judged before anybody is asked to sign in, to the second")
    func time() async throws {
        try await Self.run(version: "2.1") { _, client in
            #expect(try await open("pool", client) == "season")
            try await client.advance(toDate: "2027-05-01T07:59:59Z")
            #expect(try await open("pool", client) == "season")
            #expect(try await client.scene("A").parked.isEmpty)
            try await client.advance(by: .seconds(1))
            #expect(try await open("pool", client) == "signedIn")
            // The season ends while somebody types a name: a resume judges all again.
            try await client.advance(toDate: "2027-09-01T00:00Z")
            let waits = try #require(try await client.scene("A").parked.first?.event)
            _ = try await client.completeFlow("login", user: "mina", .init(scene: "A"))
            try await client.quiesce()
            let ended = try await client.receipt(of: waits)
            #expect(ended.outcome == .rejected && ended.reason == "season")
            #expect(try await client.scene("A").window?.trail == ["home"])
        }
    }

    @Test(
        "the app's version is judged before anybody is asked to sign in",
        arguments: [("2.0.9", "current"), ("2.1", "signedIn"), ("2.10", "signedIn")]
    )
    func version(version: String, says: String) async throws {
        try await Self.run(version: version) { _, client in
            #expect(try await open("sauna", client) == says)
            #expect(try await client.scene("A").parked.count == (says == "signedIn" ? 1 : 0))
            _ = try await client.signIn(user: "mina")
            try await client.quiesce()
            #expect(try await open("sauna", client) == (says == "signedIn" ? "unchanged" : "current"))
        }
    }

    /// A place, and what takes it away: everything that it needs fails in one commit.
    static let swept = [
        ("meadow", "stormed", "dry"), ("tower", "stormed", "signedIn"), ("slide", "stormed", "dry"),
        ("slide", "tired", "dry"), ("tower", "tired", "swims"),
    ]

    @Test(
        "a sweep gives the first reason in the same order: what looks at nobody, the gates, what looks at the user",
        arguments: swept
    )
    func sweep(place: String, intent: String, reason: String) async throws {
        try await Self.run(version: "2.1") { daemon, client in
            _ = try await client.connect(scene: "B")
            // Of nobody it is not known whether she swims, but she is asked to sign in first.
            #expect(try await open("tower", client) == "signedIn")
            _ = try await client.signIn(user: "mina", facts: ["swimmer": true])
            try await client.quiesce()
            #expect(["applied", "unchanged"].contains(try await open(place, client)))
            let signedIn = intent == "tired"
            let newest = try #require(try await daemon.records().last?["index"]?.integerValue)
            _ = try await client.sendIntent(intent, .init(scene: "B"))
            try await client.quiesce()
            let record = try await daemon.record("scene.swept", after: newest, scene: "A")
            #expect(record["removed"]?.arrayValue?.map { $0["destination"]?["id"] } == [.string(place)])
            #expect(record["removed"]?[0]?["reason"] == .string(reason), "\(record)")
            // A link there is told the same.
            #expect(try await open(place, client) == reason)
            #expect(try await client.session().user == (signedIn ? "mina" : nil))
        }
    }
}
