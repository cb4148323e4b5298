import NewApp
import SceneEntryPoints
import SceneManifest
import SceneRouting
import SceneRuntime
import SceneTesting
import StrictJSON
import Testing

/// The whole runtime in this process: what a window shows after each thing that somebody does.
@Suite("Coordinators")
struct CoordinatorTests {
    private let manifest: AppManifest
    private let offers = Destination(id: "offers")

    init() throws {
        manifest = try AppManifest.read(App.manifest, file: "NewApp.yaml").manifest
    }

    /// Runs a test of the app, which mentions only what it is about.
    private func inApp(_ body: (AppTest) async throws -> Void) async throws {
        try await withApp(manifest, code: App.code(), adapters: App.adapters, exhaustivity: .off, body)
    }

    private func offer(_ id: String) -> Destination { Destination(id: "offer", parameters: ["id": id]) }

    @Test("a link waits for the sign-in, and goes on by itself; who is known enters no code")
    func linkWaits() async throws {
        try await inApp { app in
            let window = try await app.connect("A")
            let link = try await window.open("newapp://offer/o7")
            #expect(link.outcome == .gated(precondition: "signedIn"))
            try await window.report("named", ["user": "anna"])
            #expect(app.host.session.snapshot.user == "anna")
            window.expect(stack: [offers, offer("o7")], in: "offers")
        }
    }

    @Test("all others enter a code; a wrong one signs nobody in, and the screen stays")
    func codeIsChecked() async throws {
        try await inApp { app in
            let window = try await app.connect("A")
            try await window.open("newapp://offer/o7")
            try await window.report("named", ["user": "theo"])
            let wrong = try await window.report("codeEntered", ["user": "theo", "code": "1"])
            #expect(wrong.outcome == .rejected(reason: "intentFailed"))
            #expect(app.host.session.snapshot.user == nil)
            try await window.report("codeEntered", ["user": "theo", "code": "123456"])
            #expect(app.host.session.snapshot.user == "theo")
        }
    }

    @Test("an offer that is over leads to the one in its place, if there is one")
    func offerIsOver() async throws {
        try await inApp { app in
            let window = try await app.connect("A")
            try await app.signIn("anna")
            try await window.report("offerTaken", ["id": "o1"])
            window.expect(stack: [offers, offer("o2")], in: "offers")
            let over = try await window.report("offerTaken", ["id": "o3"])
            #expect(over.outcome == .rejected(reason: "intentFailed"))
            #expect(app.host.session.snapshot.facts["taken"] == .integer(1))
        }
    }

    @Test("a push for one user shows another nothing")
    func pushForAnother() async throws {
        try await inApp { app in
            let window = try await app.connect("A")
            let push = try EntryEvent.push(payload: [
                "aps": ["alert": "An offer"], "offer": ["id": "o7", "for": "anna"],
            ])
            try await app.signIn("theo")
            #expect(try await window.send(push).outcome == .rejected(reason: "otherUser"))
            try await app.signIn("anna")
            #expect(try await window.send(push).outcome == .applied)
            window.expect(stack: [offers, offer("o7")], in: "offers")
        }
    }
}
