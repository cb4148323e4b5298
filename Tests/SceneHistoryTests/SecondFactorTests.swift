import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// A code that one user typed does nothing for the next (S8 of <doc:/SceneRuntime/TheSession>), in an app other than the shop.
@Suite(.timeLimit(.minutes(15))) struct SecondFactorTests {
    private static let app = """
        name: Bank
        schemes: [bank]
        facts: { verified: { type: boolean }, phone: { type: string } }
        tabs: { accounts: accounts }
        preconditions:
          signedIn: { holds: signedIn, flow: login }
          verified: { holds: { fact: verified, equals: true }, flow: code }
        destinations:
          accounts: { tab: accounts }
          transfer: { ancestry: [accounts], preconditions: [signedIn, verified], routes: ["bank://transfer"] }
        flows:
          login:
            screens: [name]
            intents: { named: { parameters: { user: string }, effects: [{ complete: { user: user } }] } }
          code:
            style: fullScreen
            screens: [code]
            intents:
              codeEntered:
                parameters: { code: { pattern: "[0-9]{6}" } }
                effects: [{ set: verified, value: true }, { set: phone, value: known }, complete]
        """

    @Test(arguments: [HoldPoint.admitted, .transition], ["signs in", "replaces"])
    func `a code of one user verifies nobody else`(point: HoldPoint, how: String) async throws {
        let manifest = try AppManifest.read(Self.app).manifest
        let host = try SceneHost(id: "bank", manifest: manifest)
        try host.connect(scene: "A")
        try await host.session.signIn(user: "mina")
        let link = Submission(try .url("bank://transfer"), scene: "A", eventID: "link")
        #expect(await host.receipt(of: try host.admit(link)).outcome == .gated(precondition: "verified"))
        let hold = try host.hold(point, scene: "A", event: "code")
        let intent = Intent(name: "codeEntered", parameters: ["code": "123456"])
        let code = try host.admit(Submission(.intent(intent), scene: "A", eventID: "code"))
        await withCheckedContinuation { continuation in
            let token = host.whenCaught(by: hold) { _ in
                continuation.resume()
            } onReleased: {
                continuation.resume()
            }
            #expect(token != nil)
        }
        if how == "signs in" { await host.session.signOut() }
        try await host.session.signIn(user: "theo")
        host.release(hold)
        let receipt = await host.receipt(of: code, at: .finished)
        await host.quiesce()
        // What mina had done before she left is hers, and went with her.
        #expect(receipt.outcome == (point == .admitted ? .abandoned(reason: "userLeft") : .applied))
        #expect(host.session.snapshot.user == "theo" && host.session.snapshot.facts.isEmpty)
        #expect(host.receipt(event: "link")?.outcome == .abandoned(reason: "userLeft"))
        #expect(try host.scene("A").window.description == "*accounts: accounts")
        await host.drain()
        let report = checked(host.records.read(after: 0).records.map(\.json), app: manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
    }
}
