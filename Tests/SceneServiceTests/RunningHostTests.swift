import SceneEntryPoints
import SceneManifest
import SceneRouting
import SceneRuntime
import SceneService
import Testing

@Suite("The host that runs, and its successor", .timeLimit(.minutes(5)))
struct RunningHostTests {
    private func make(_ id: String) throws -> SceneHost {
        try SceneHost(id: id, manifest: try AppManifest.builtInShop())
    }

    @Test("a host that is replaced is stopped, and let go with its windows, whatever they were doing")
    func replaced() async throws {
        weak var old: SceneHost?
        let running = RunningHost(try make("first")) { _, _ in try make("second") }
        do {
            let host = running.current
            old = host
            for scene in ["A", "B", "C", "D"] { try host.connect(scene: scene) }
            for (link, scene) in [("product/p1", "A"), ("cart", "B"), ("orders", "C")] {
                let event = Submission(try .url("qcommerce://\(link)"), scene: scene)
                _ = await host.receipt(of: try host.admit(event))
            }
            try await host.disconnect(scene: "C")
            _ = try host.hold(.planned, scene: "D")
            _ = try host.admit(Submission(try .url("qcommerce://orders"), scene: "D"))
        }
        let new = try await running.reset(seed: nil)
        #expect(running.current === new)
        #expect(new.scenes.isEmpty)
        // The last of its tasks may be just ending; if something kept it, this would not.
        while old != nil { await Task.yield() }
        await new.drain()
    }
}
