import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// A window of the club, and what is done in it.
struct Club {
    let host: SceneHost
    let manifest: AppManifest

    /// - Parameter app: The club, `windows`, which opens windows and closes them, or `offers`, whose destinations have variants.
    init(
        app: String = "club",
        settings: HostSettings = HostSettings(),
        _ edit: (inout AppManifest) -> Void = { _ in }
    ) throws {
        var manifest = try RandomWalkTests.app(app)
        edit(&manifest)
        try self.init(manifest, settings: settings)
    }

    init(_ manifest: AppManifest, settings: HostSettings = HostSettings()) throws {
        self.manifest = manifest
        host = try SceneHost(id: "club", manifest: manifest, settings: settings)
        try host.connect(scene: "A")
    }

    /// An app of its own.
    init(manifest text: String, settings: HostSettings = HostSettings()) throws {
        try self.init(AppManifest.read(text).manifest, settings: settings)
    }

    @discardableResult
    func open(_ link: String, in scene: String = "A") async throws -> Receipt {
        await host.receipt(of: try admit(link, in: scene))
    }

    func admit(_ link: String, in scene: String = "A") throws -> SceneHost.Admission {
        try host.admit(Submission(try .url("\(manifest.schemes[0])://\(link)"), scene: scene))
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

    func signIn(_ user: String = "mina", facts: [String: FactValue] = [:]) async throws {
        try await host.session.signIn(user: user, facts: facts)
        await host.quiesce()
    }

    var window: WindowState { get throws { try host.scene("A").window } }

    var shown: String { get throws { try window.description } }

    var records: [JSONObject] {
        var all: [JSONObject] = []
        var page = host.records.read(after: 0)
        while !page.records.isEmpty {
            all += page.records.map(\.json)
            page = host.records.read(after: page.next)
        }
        return all
    }

    /// Ends the host. Its history has to hold, by the model too.
    func end() async {
        await host.quiesce()
        await host.drain()
        let report = checked(records, app: manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
        #expect(checked(records).violated.isEmpty)
    }
}
