/// Invariant 9: the coordinators attached are those that own something on screen.
///
/// Attachments are recorded before the step that needs them and detachments after it, and one coordinator may take another's place, so
/// they are compared with the window when the scene begins something else. Who owns what after a reload is not known until the next
/// record of the window.
struct Coordinators: InvariantCheck {
    let invariant = Invariant.coordinators

    private struct Attached {
        /// The flows, with the index of the record that attached each, and its parent.
        var flows: [String: (index: Int, parent: String)] = [:]
        /// The flows attached since the window last changed.
        var fresh: Set<String> = []
    }

    private var attached: [String: Attached] = [:]

    mutating func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        switch record.body {
        case .hostQuiet, .hostStopped:
            for (id, scene) in history.resting {
                compare(id, scene, record, history, &findings)
                judgeReleased(id, scene, record, &findings)
            }
            for id in history.restingGone { judgeReleased(id, nil, record, &findings) }
            return
        default: break
        }
        guard let id = record.scene else { return }
        let scene = history.scene(of: record)
        switch record.body {
        case .sceneConnected:
            judgeReleased(id, scene, record, &findings)
            attached[id] = Attached()
        case .sceneSnapshot(let snapshot) where history.isOwed(id):
            // The coordinators of a host that goes on after its end are new.
            attached[id] = Attached(flows: snapshot.coordinators.mapValues { (record.index, $0) })
            judgeOwners(snapshot, id, record, &findings)
        case .sceneSnapshot(let snapshot):
            judge(snapshot, id, record, &findings)
            if let scene { compare(id, scene, record, history, &findings) }
        case .coordinatorAttached(let flow, let parent, _): attach(flow, parent, id, record, &findings)
        case .coordinatorDetached(let flow, let parent): detach(flow, parent, id, record, &findings)
        case .navigationStep(_, _, let window):
            guard let scene else { return }
            compare(id, scene, record, isStep: true, history, &findings)
            if attached[id]?.fresh.isEmpty == false { attached[id]?.fresh = [] }
            for flow in unattached(window, attached[id]) {
                findings.violated([record.index], "\(flow) owns something in scene \(id) but has no coordinator")
            }
        // Whatever happens at another place may come in between.
        case .eventAdmitted, .sessionCommitted, .adapterSkipped, .violation, .manifestLoaded, .hostSnapshot: return
        case .dispatchEnded where scene?.dispatch == nil: return
        default: if let scene { compare(id, scene, record, history, &findings) }
        }
    }

    /// The coordinators of a host that goes on after its end are those of what it shows.
    private func judgeOwners(
        _ snapshot: HistorySceneSnapshot,
        _ id: String,
        _ record: HistoryRecord,
        _ findings: inout Findings
    ) {
        let owners = snapshot.isConnected ? Set(snapshot.window.owners) : []
        for flow in owners.symmetricDifference(snapshot.coordinators.keys).sorted() {
            findings.violated(
                [record.index],
                owners.contains(flow)
                    ? "\(flow) owns something in scene \(id) but has no coordinator"
                    : "the coordinator of \(flow) owns nothing in scene \(id)"
            )
        }
        for (flow, parent) in snapshot.coordinators.sorted(by: { $0.key < $1.key })
        where parent != "root" && snapshot.coordinators[parent] == nil {
            findings.violated(
                [record.index],
                "\(flow) was attached to \(parent), which has no coordinator in scene \(id)"
            )
        }
    }

    /// A snapshot has the coordinators that are attached.
    private mutating func judge(
        _ snapshot: HistorySceneSnapshot,
        _ id: String,
        _ record: HistoryRecord,
        _ findings: inout Findings
    ) {
        guard let attached = attached[id] else {
            attached[id] = Attached(flows: snapshot.coordinators.mapValues { (record.index, $0) })
            return
        }
        let parents = attached.flows.mapValues(\.parent)
        for flow in Set(parents.keys).union(snapshot.coordinators.keys).sorted()
        where parents[flow] != snapshot.coordinators[flow] {
            findings.violated(
                [attached.flows[flow]?.index, record.index].compactMap(\.self),
                "a snapshot of scene \(id) has the coordinator of \(flow) \(under(snapshot.coordinators[flow])), but it was \(under(parents[flow]))"
            )
        }
    }

    private func under(_ parent: String?) -> String { parent.map { "under \($0)" } ?? "not attached" }

    /// A window's coordinators are released with it.
    private func judgeReleased(
        _ id: String,
        _ scene: KnownScene?,
        _ record: HistoryRecord,
        _ findings: inout Findings
    ) {
        guard scene?.phase != .connected, let attached = attached[id] else { return }
        for (flow, attachment) in attached.flows.sorted(by: { $0.key < $1.key }) {
            findings.violated(
                [attachment.index, record.index],
                "the coordinator of \(flow) was not detached when the window of scene \(id) was released"
            )
        }
    }

    private mutating func attach(
        _ flow: String,
        _ parent: String,
        _ id: String,
        _ record: HistoryRecord,
        _ findings: inout Findings
    ) {
        if let before = attached[id]?.flows[flow] {
            findings.violated(
                [before.index, record.index],
                "the coordinator of \(flow) was attached twice in scene \(id)"
            )
        }
        if parent != "root", attached[id]?.flows[parent] == nil {
            findings.violated(
                [record.index],
                "\(flow) was attached to \(parent), which has no coordinator in scene \(id)"
            )
        }
        attached[id]?.flows[flow] = (record.index, parent)
        attached[id]?.fresh.insert(flow)
    }

    private mutating func detach(
        _ flow: String,
        _ parent: String,
        _ id: String,
        _ record: HistoryRecord,
        _ findings: inout Findings
    ) {
        let before = attached[id]?.flows.removeValue(forKey: flow)
        // A child that stays belongs to its parent's parent.
        for (child, attachment) in attached[id]?.flows ?? [:] where attachment.parent == flow {
            attached[id]?.flows[child]?.parent = parent
        }
        if before == nil {
            findings.violated(
                [record.index],
                "the coordinator of \(flow) was detached in scene \(id) but was not attached"
            )
        } else if let before, before.parent != parent {
            findings.violated(
                [before.index, record.index],
                "the coordinator of \(flow) was attached to \(before.parent) in scene \(id) but detached from \(parent)"
            )
        }
    }

    /// - Parameter isStep: Whether the record is the step for which something may have been attached.
    private func compare(
        _ id: String,
        _ scene: KnownScene,
        _ record: HistoryRecord,
        isStep: Bool = false,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        guard scene.phase == .connected, let attached = attached[id], let window = scene.window,
            scene.windowReloads == history.session.reloads
        else { return }
        let leaked = attached.flows.lazy.filter {
            !window.isOwner($0.key) && !(isStep && attached.fresh.contains($0.key))
        }
        for (flow, attachment) in leaked.sorted(by: { $0.key < $1.key }) {
            findings.violated(
                [attachment.index, scene.windowIndex, record.index],
                "the coordinator of \(flow) no longer owns anything in scene \(id) but was not detached"
            )
        }
        for flow in unattached(window, attached) {
            findings.violated(
                [scene.windowIndex, record.index],
                "\(flow) owns something in scene \(id) but has no coordinator"
            )
        }
    }

    /// The flows that own something but have no coordinator, sorted.
    private func unattached(_ window: HistoryWindow, _ attached: Attached?) -> [String] {
        var flows: Set<String> = []
        var last: String?
        for flow in window.owners where flow != last {
            last = flow
            if attached?.flows[flow] == nil { flows.insert(flow) }
        }
        return flows.sorted()
    }
}
