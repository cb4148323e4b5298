internal import SceneEntryPoints
internal import StrictJSON

extension SubmittedEvent {
    /// The names of the connection options that tell a connecting scene of it; empty where no scene connects for it.
    var connectionOptions: [String] {
        switch self {
        case .entry(let event): event.coldDelivery?.options.json.keys ?? []
        case .action: []
        }
    }
}
