import Basics
import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import SceneService
import SceneTesting
import TestFixtures
import Testing

@Suite("Replacing the running host", .timeLimit(.minutes(15)))
struct RunningHostTests {
    private func make(_ id: String, _ code: AppCode = AppCode()) throws -> SceneHost {
        try SceneHost(id: id, manifest: try AppManifest.builtInShop(), code: code)
    }

    @Test("a host that is replaced is stopped, and released with its windows, whatever they were doing")
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
        let new = try await running.reset()
        #expect(running.current === new)
        #expect(new.scenes.isEmpty)
        // The last of its tasks may be just ending; if something kept it, this would not.
        try await until("the old host is gone") { old == nil }
        await new.drain()
    }

    @Test("the screens, factories and seams of its windows are released too, and none counts as leaked")
    func releasesScreens() async throws {
        let living = Living()
        let running = RunningHost(try make("first", living.code)) { _, _ in try make("second", living.code) }
        let records = running.current.records
        do {
            let host = running.current
            for scene in ["A", "B", "C"] { try host.connect(scene: scene) }
            // One at rest, one behind a sheet, one in the middle of a transition.
            for (link, scene) in [("product/p1", "A"), ("cart", "B")] {
                let event = Submission(try .url("qcommerce://\(link)"), scene: scene)
                _ = await host.receipt(of: try host.admit(event))
            }
            let hold = try host.hold(.transition, scene: "C")
            _ = try host.admit(Submission(try .url("qcommerce://orders"), scene: "C"))
            await withCheckedContinuation { continuation in
                _ = host.whenCaught(by: hold) { _ in
                    continuation.resume()
                } onReleased: {
                }
            }
            #expect(
                living.names.isSuperset(of: ["factory of A", "seam of C", "screen product(id: p1)", "screen login"])
            )
        }
        let new = try await running.reset()
        // The last of the old host's tasks may be just ending; what something keeps is named.
        try? await until("everything is gone") { living.names.isEmpty }
        #expect(living.names == [])
        let old = records.read(after: 0).records
        #expect(!old.contains { $0.kind == .violation })
        #expect(old.last?.kind == .hostStopped)
        // The new one makes its own.
        try new.connect(scene: "A")
        await new.quiesce()
        #expect(living.names == ["factory of A", "seam of A", "screen home", "screen orders", "screen account"])
        await new.drain()
    }
}

/// The objects that an app has made for its windows and that still exist.
private final class Living: Sendable {
    private struct Made: @unchecked Sendable {  // A weak reference is loaded atomically, and nothing else is here.
        let name: String
        weak var object: AnyObject?
    }

    private let made = Guarded<[Made]>([])

    var names: Set<String> { Set(made.withLock { $0 }.compactMap { $0.object == nil ? nil : $0.name }) }

    var code: AppCode {
        AppCode(
            screens: { scene in
                let factory = Factory(living: self)
                self.watch(factory, "factory of \(scene.id)")
                return factory
            },
            seam: { scene in
                let seam = SpySeam()
                self.watch(seam, "seam of \(scene.id)")
                return seam
            }
        )
    }

    private func watch(_ object: AnyObject, _ name: String) {
        let new = Made(name: name, object: object)
        made.withLock { $0.append(new) }
    }

    private final class Screen {}

    private final class Factory: ScreenFactory {
        private let living: Living

        init(living: Living) { self.living = living }

        func makeScreen(for destination: Destination, flow: String) throws -> AnyObject {
            let screen = Screen()
            living.watch(screen, "screen \(destination)")
            return screen
        }

        func update(_ screen: AnyObject, to destination: Destination) throws {}
    }
}
