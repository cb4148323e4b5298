package import SceneRouting

/// What a soak needs besides its plan.
package struct SoakSettings: Sendable {
    package var plan: SoakPlan
    package var faults: [FaultPlan] = []
    /// The calls that users send; if it is empty, they send actions made for the app.
    package var script: [SoakCall] = []
    /// The daemon's socket.
    package var socket: String
    /// How long the daemon may be away before the soak gives up.
    package var patience = Duration.seconds(60)
    /// How long calls in flight may take after the load has ended.
    package var drain = Duration.seconds(30)
    /// The app by whose manifest the records are judged, besides the one that the daemon runs; `nil` for none.
    package var app: AppManifest?
    /// Reads a manifest as the daemon gives it; `nil` if it cannot be read.
    package var readManifest: @Sendable (String) -> AppManifest? = { _ in nil }
    /// The folder for intervals and evidence, which are written as they come; `nil` for none.
    package var directory: String?
    /// Whether an earlier soak in that folder is removed; otherwise it is refused.
    package var replacesEarlier = false

    package init(plan: SoakPlan, socket: String) {
        self.plan = plan
        self.socket = socket
    }

    /// The IDs of the windows.
    var scenes: [String] { (1...max(plan.scenes, 1)).map { "soak-\($0)" } }

    /// The windows of one client. Clients share windows only if there are more clients than windows.
    func scenes(of client: Int) -> [String] {
        let scenes = scenes
        guard plan.clients < scenes.count else { return [scenes[client % scenes.count]] }
        return stride(from: client, to: scenes.count, by: max(plan.clients, 1)).map { scenes[$0] }
    }
}
