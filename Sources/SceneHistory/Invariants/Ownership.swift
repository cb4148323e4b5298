/// Invariant 13: what one user did in a window commits and shows nothing for the next.
struct Ownership: InvariantCheck {
    let invariant = Invariant.ownership

    func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        guard let scene = history.scene(of: record) else { return }
        switch record.body {
        case .eventAdmitted(let arrival):
            guard arrival.isAct, record.snapshot == nil else { return }
            findings.doubted("record \(record.index) does not say in which epoch it was admitted")
        case .sessionCommitted:
            // The commit may begin an epoch; the one before it counts.
            judge(record, in: history.session.snapshot?.epoch, scene, "committed", &findings)
        case .navigationStep where record.ticket != nil:
            judge(record, in: record.snapshot?.epoch, scene, "changed the window", &findings)
        default: return
        }
    }

    /// Judges what the dispatch that is going on did in `epoch`. A resume is a matter of the gate.
    private func judge(
        _ record: HistoryRecord,
        in epoch: Int?,
        _ scene: KnownScene,
        _ deed: String,
        _ findings: inout Findings
    ) {
        guard let epoch, let dispatch = scene.dispatch, dispatch.attempt == 1,
            let event = scene.open[dispatch.ticket], event.event == record.event,
            let own = event.epoch, own != epoch
        else { return }
        findings.violated(
            [event.admitted, record.index],
            "event \(event.event) belongs to epoch \(own), but it \(deed) in epoch \(epoch)"
        )
    }
}
