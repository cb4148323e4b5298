import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneRouting
@testable import SceneRuntime
import SceneVocabulary
import StrictJSON
import Testing

/// What is parked behind others, and was held meanwhile.
@Suite(.timeLimit(.minutes(15))) struct HeldParkingTests {
    // For what waits behind another nothing is planned, and nothing moves.
    @Test(arguments: [HoldPoint.admitted, .resolved, .settled], 1...3)
    func `of three events at one gate any may be held at any point, and each goes on in its turn`(
        _ point: HoldPoint,
        _ held: Int
    ) async throws {
        var manifest = try AppManifest.builtInShop()
        manifest.policies.whileGated = .queue
        let host = try SceneHost(id: "held", manifest: manifest)
        try host.connect(scene: "A")
        let hold = try host.hold(point, event: "e\(held)")
        for number in 1...3 {
            let url = "qcommerce://account/settings/profile"
            _ = try host.admit(Submission(.url(url), scene: "A", eventID: "e\(number)"))
        }
        await withCheckedContinuation { continuation in _ = host.whenCaught(by: hold) { _ in continuation.resume() } }
        host.release(hold)
        await host.quiesce()
        try await host.session.signIn(user: "mina")
        await host.quiesce()
        for number in 1...3 { #expect(host.receipt(event: "e\(number)", sender: nil)?.outcome.isTerminal == true) }
        await host.drain()
        let report = checked(host.records.read(after: 0).records.map(\.json), app: manifest)
        #expect(report.violated == [], "\(report.text)")
    }
}
