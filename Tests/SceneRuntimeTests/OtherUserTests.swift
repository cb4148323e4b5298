import SceneEntryPoints
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import StrictJSON
import Testing

/// A push that is for one user (<doc:/SceneRuntime/WayOfAnEvent>).
@Suite("A push for one user", .timeLimit(.minutes(15)))
struct OtherUserTests {
    /// A shop whose pushes name their user.
    private func host(fallback: String? = nil) throws -> TestHost {
        try TestHost(windows: ["A"]) { manifest in
            manifest.fallback = fallback.map { Destination(id: $0) }
            for index in manifest.adapters.indices where manifest.adapters[index].kinds == ["push"] {
                manifest.adapters[index].user = "payload.user"
            }
        }
    }

    private func push(to path: String, for user: JSONValue?) throws -> Submission {
        var payload: JSONObject = ["aps": ["alert": "x"], "url": .string("qcommerce://\(path)")]
        payload["user"] = user
        return Submission(try .push(payload: payload), scene: "A")
    }

    static let cells: [(signedIn: String?, path: String, user: String?, outcome: Outcome)] = [
        ("anna", "product/p1", "anna", .applied),
        ("anna", "product/p1", nil, .applied),
        ("anna", "product/p1", "bert", .rejected(reason: "otherUser")),
        ("anna", "cart", "bert", .rejected(reason: "otherUser")),
        // No gate before it: nobody has to sign in once more for what is not theirs.
        ("anna", "account/delete", "bert", .rejected(reason: "otherUser")),
        ("anna", "product/p1", "Anna", .rejected(reason: "otherUser")),
        (nil, "product/p1", "bert", .applied),
        (nil, "cart", "bert", .gated(precondition: "signedIn")),
    ]

    @Test("is rejected while somebody else is signed in, before any gate; a guest may see it", arguments: cells)
    func outcomes(signedIn: String?, path: String, user: String?, outcome: Outcome) async throws {
        let test = try host()
        if let signedIn { try await test.host.session.signIn(user: signedIn) }
        await test.host.session.markStale()
        let receipt = await test.host.receipt(of: try test.host.admit(push(to: path, for: user.map(JSONValue.string))))
        #expect(receipt.outcome == outcome)
        let admitted = try #require(test.records.last { $0.kind == .eventAdmitted }?.json)
        #expect(admitted["addressee"]?.stringValue == user)
        if case .rejected = outcome {
            #expect(try test.shown() == "home")
            #expect(try test.host.scene("A").activation == .foregroundActive)
        }
    }

    @Test("is decided afresh when its gate opens, and shows the fallback to another")
    func resumed() async throws {
        for (user, outcome, shown) in [
            ("anna", Outcome.applied, "home › cart"),
            ("bert", .rejected(reason: "otherUser"), "home › category(slug: fruit)"),
        ] {
            let test = try TestHost(windows: ["A"]) { manifest in
                manifest.fallback = Destination(id: "category", parameters: ["slug": "fruit"])
                for index in manifest.adapters.indices where manifest.adapters[index].kinds == ["push"] {
                    manifest.adapters[index].user = "payload.user"
                }
            }
            let admission = try test.host.admit(push(to: "cart", for: "anna"))
            #expect(await test.host.receipt(of: admission).outcome == .gated(precondition: "signedIn"))
            try await test.host.session.signIn(user: user)
            #expect(await test.host.receipt(of: admission, at: .finished).outcome == outcome)
            await test.host.quiesce()
            #expect(try test.shown() == shown)
        }
    }

    @Test("is not shown to who signs in before its step")
    func beforeTheStep() async throws {
        let test = try host()
        let hold = try test.hold(.planned, scene: "A")
        let admission = try test.host.admit(push(to: "product/p1", for: "anna"))
        _ = await hold.caught()
        try await test.host.session.signIn(user: "bert")
        hold.release()
        #expect(await test.host.receipt(of: admission).outcome == .rejected(reason: "otherUser"))
        #expect(try test.shown() == "home")
    }

    @Test("whose user is no text, or no name, is not taken")
    func noName() async throws {
        let test = try host()
        for user: JSONValue in [7, ["id": "anna"], "a b"] {
            let receipt = await test.host.receipt(of: try test.host.admit(push(to: "product/p1", for: user)))
            guard case .rejected = receipt.outcome else {
                Issue.record("\(user): \(receipt.outcome)")
                continue
            }
            #expect(try test.shown() == "home")
        }
    }
}
