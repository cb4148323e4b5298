/// What a soak needs besides its plan.
package struct SoakSettings: Sendable {
    package var plan: SoakPlan
    package var faults: [FaultPlan] = []
    /// What users draw from, in place of what is made up for the app; empty for that.
    package var script: [SoakCall] = []
    /// The daemon's socket.
    package var socket: String
    /// How long a daemon may be gone before the soak gives up.
    package var patience = Duration.seconds(60)
    /// How long what is in flight may take after the load has ended.
    package var drain = Duration.seconds(30)
    /// Where intervals and evidence are written as they come; `nil` for nowhere.
    package var directory: String?

    package init(plan: SoakPlan, socket: String) {
        self.plan = plan
        self.socket = socket
    }

    /// The windows, by name.
    var scenes: [String] { (1...max(plan.scenes, 1)).map { "soak-\($0)" } }

    /// Those of one client: each window is in one client's hand where there are enough windows, else clients share.
    func scenes(of client: Int) -> [String] {
        let scenes = scenes
        guard plan.clients < scenes.count else { return [scenes[client % scenes.count]] }
        return stride(from: client, to: scenes.count, by: max(plan.clients, 1)).map { scenes[$0] }
    }
}
