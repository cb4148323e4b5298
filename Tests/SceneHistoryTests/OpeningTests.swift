import SceneEntryPoints
import Basics
import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// A window is there, in the session and in the records, before anything else can happen in it.
@Suite("A window that opens", .timeLimit(.minutes(15)))
struct OpeningTests {
    private static func host() throws -> SceneHost {
        var manifest = try RandomWalkTests.app("club")
        manifest.policies.maximumScenes = 20
        return try SceneHost(id: "club", manifest: manifest)
    }

    private static func expectHolds(_ host: SceneHost) async {
        await host.quiesce()
        await host.drain()
        let report = checked(host.records.read(after: 0).records.map(\.json), app: host.manifest)
        #expect(report.violated.isEmpty, "\(report.text)")
    }

    /// Courts, with help over it.
    private static let saved = WindowState(
        tabs: [
            TabState(
                id: "courts",
                stack: [Destination(id: "courts"), Destination(id: "court", parameters: ["id": "c1"])]
            ),
            TabState(id: "news", stack: [Destination(id: "news")]),
        ],
        selectedTab: "courts"
    )

    @Test("with a saved window is there at once, and takes events warm")
    func given() async throws {
        let host = try Self.host()
        _ = try await host.session.signIn(user: "mina")
        for number in 1...20 {
            let scene = "N\(number)"
            let status = try host.connect(scene: scene, restoring: Self.saved)
            #expect(status.isConnected && status.window == Self.saved)
            _ = try host.admit(Submission(SceneAction.gesture(.back), scene: scene))
        }
        await Self.expectHolds(host)
        let arrivals = host.records.read(after: 0).records.map(\.json).filter { $0["kind"] == "event.admitted" }
        #expect(arrivals.allSatisfy { $0["delivery"] == "warm" })
    }

    @Test("is not quiet before all of it is recorded, however it is opened", arguments: ["connect", "given", "link"])
    func quiet(way: String) async throws {
        let (asked, early) = (Guarded(0), Guarded(false))
        let host = Guarded<SceneHost?>(nil)
        // Coordinators are made while the window opens.
        let code = AppCode { _, _ in
            guard let host = host.withLock({ $0 }) else { return nil }
            let isOver = Guarded(false)
            _ = host.whenQuiet { isOver.withLock { $0 = true } }
            if isOver.withLock({ $0 }) { early.withLock { $0 = true } }
            asked.withLock { $0 += 1 }
            return nil
        }
        let opened = try SceneHost(id: "club", manifest: try RandomWalkTests.app("club"), code: code)
        _ = try await opened.session.signIn(user: "mina")
        await opened.quiesce()
        host.withLock { $0 = opened }
        switch way {
        case "connect": try opened.connect(scene: "A")
        case "given": try opened.connect(scene: "A", restoring: Self.saved)
        default: _ = try opened.admit(Submission(.url("club://court/c1"), scene: nil))
        }
        #expect(asked.withLock { $0 } > 0 && !early.withLock { $0 })
        await Self.expectHolds(opened)
        host.withLock { $0 = nil }
    }
}
