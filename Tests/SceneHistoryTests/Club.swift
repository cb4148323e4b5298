import SceneEntryPoints
import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// A window of the club, and what is done in it.
struct Club {
    let host: SceneHost
    let manifest: AppManifest

    /// - Parameter app: The club, or `windows`, which opens windows and closes them.
    init(
        app: String = "club",
        settings: HostSettings = HostSettings(),
        _ edit: (inout AppManifest) -> Void = { _ in }
    ) throws {
        var manifest = try RandomWalkTests.app(app)
        edit(&manifest)
        self.manifest = manifest
        host = try SceneHost(id: "club", manifest: manifest, settings: settings)
        try host.connect(scene: "A")
    }

    @discardableResult
    func open(_ link: String) async throws -> Receipt {
        await host.receipt(of: try host.admit(Submission(try .url("club://\(link)"), scene: "A")))
    }

    @discardableResult
    func act(_ action: SceneAction) async throws -> Receipt {
        let receipt = await host.receipt(of: try host.admit(Submission(action, scene: "A")))
        await host.quiesce()
        return receipt
    }

    @discardableResult
    func tap(_ intent: String, _ parameters: [String: String] = [:]) async throws -> Receipt {
        try await act(.intent(Intent(name: intent, parameters: parameters)))
    }

    func signIn() async throws {
        try await host.session.signIn(user: "mina")
        await host.quiesce()
    }

    var window: WindowState { get throws { try host.scene("A").window } }

    var shown: String { get throws { try window.description } }

    var records: [JSONObject] { host.records.read(after: 0).records.map(\.json) }

    /// Ends the host. Its history has to hold, by the model too.
    func end() async {
        await host.quiesce()
        await host.drain()
        let report = checked(records, app: manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
        #expect(checked(records).violated.isEmpty)
    }
}
