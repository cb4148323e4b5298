internal import SceneModel

/// The coordinators of each scene by the records so far, each with its parent.
struct AttachedCoordinators {
    private var parents: [String: [String: String]] = [:]

    mutating func note(_ record: HistoryRecord) {
        guard let id = record.scene else { return }
        switch record.body {
        case .sceneConnected: parents[id] = [:]
        case .sceneDiscarded: parents[id] = nil
        case .sceneSnapshot(let snapshot): parents[id] = snapshot.coordinators
        case .coordinatorAttached(let flow, let parent, _): parents[id]?[flow] = parent
        case .coordinatorDetached(let flow, let parent):
            parents[id]?[flow] = nil
            // A child that stays belongs to its parent's parent.
            parents[id] = parents[id]?.mapValues { $0 == flow ? parent : $0 }
        default: return
        }
    }

    /// Why a scene cannot have these coordinators, as clauses.
    ///
    /// - Parameter owners: Who owns each destination that is shown.
    func objections(in id: String, to owners: [AppModel.Owner]) -> [String] {
        guard let parents = parents[id] else { return [] }
        let due = Dictionary(owners.map { ($0.flow, $0.parent) }) { first, _ in first }
        return Set(due.keys).union(parents.keys).sorted().compactMap { flow in
            switch (parents[flow], due[flow]) {
            case (nil, _): "\(flow) owns something in scene \(id) but has no coordinator"
            case (_, nil): "\(flow) owns nothing in scene \(id) but has a coordinator"
            case (let parent?, let right?):
                parent == right
                    ? nil : "the coordinator of \(flow) in scene \(id) is under \(parent), not under \(right)"
            }
        }
    }
}
