import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

/// A host of the built-in shop with windows, and what a test needs to control it: holds instead of sleeps.
struct TestHost {
    let host: SceneHost

    init(
        windows: [String] = ["A", "B"],
        id: String = "test",
        settings: HostSettings = HostSettings(),
        clock: any RuntimeClock = SystemClock(),
        executors: HostExecutors = .pooled(),
        edit: (inout AppManifest) throws -> Void = { _ in },
        coordinators: FlowCoordinatorFactory? = nil
    ) throws {
        var manifest = try AppManifest.builtInShop()
        try edit(&manifest)
        host = try SceneHost(
            id: id,
            manifest: manifest,
            settings: settings,
            clock: clock,
            executors: executors,
            code: AppCode(coordinators: coordinators)
        )
        for window in windows { try host.connect(scene: window) }
    }

    /// Opens a link of the shop in a window and waits for its receipt.
    @discardableResult
    func open(
        _ link: String,
        in scene: String? = "A",
        id: String? = nil,
        until stage: ReceiptStage = .settled
    ) async throws -> Receipt {
        await host.receipt(of: try admit(link, in: scene, id: id), at: stage)
    }

    /// Admits a link of the shop without waiting.
    @discardableResult
    func admit(
        _ link: String,
        in scene: String? = "A",
        id: String? = nil,
        from sender: String? = nil
    ) throws -> SceneHost.Admission {
        let url = link.contains(":") ? link : "https://shop.example/\(link)"
        return try host.admit(Submission(try .url(url), scene: scene, eventID: id, sender: sender))
    }

    /// Does something in a window and waits for its receipt.
    @discardableResult
    func act(
        _ action: SceneAction,
        in scene: String? = "A",
        id: String? = nil,
        until stage: ReceiptStage = .settled
    ) async throws -> Receipt {
        await host.receipt(of: try admit(action, in: scene, id: id), at: stage)
    }

    /// Admits what happens in a window without waiting.
    @discardableResult
    func admit(_ action: SceneAction, in scene: String? = "A", id: String? = nil) throws -> SceneHost.Admission {
        try host.admit(Submission(action, scene: scene, eventID: id))
    }

    /// The topmost screen reports an intent.
    @discardableResult
    func tap(_ intent: String, _ parameters: [String: String] = [:], in scene: String = "A") async throws -> Receipt {
        try await act(.intent(Intent(name: intent, parameters: parameters)), in: scene)
    }

    /// Holds what reaches a point until the hold is released.
    func hold(
        _ point: HoldPoint,
        scene: String? = nil,
        event: String? = nil,
        kind: DispatchKind? = nil
    ) throws -> Hold {
        let id = try #require(try host.checkpoints.hold(point, scene: scene, event: event, kind: kind))
        return Hold(id: id, checkpoints: host.checkpoints)
    }

    struct Hold {
        let id: String
        let checkpoints: Checkpoints

        /// Returns when something has been caught.
        func caught() async -> HeldDispatch {
            await withCheckedContinuation { continuation in
                _ = checkpoints.claim(id) { continuation.resume(returning: $0) }
            }
        }

        func release() {
            checkpoints.release(id)
        }
    }

    func window(_ scene: String = "A") throws -> WindowState { try host.scene(scene).window }

    /// What is in front of a window: `home › cart › auth[login]`.
    func shown(_ scene: String = "A") throws -> String { WindowText(try window(scene)).front.description }

    /// Every record so far.
    var records: [Record] { host.records.read(after: 0).records }

    func records(of kind: RecordKind, scene: String? = nil) -> [Record] {
        records.filter { $0.kind == kind && (scene == nil || $0.subject.scene == scene) }
    }
}
