internal import StrictJSON

/// A commit says what it changes and which attempt made it.
extension Continuity {
    /// A commit says which facts it changes.
    func judge(
        _ changed: [String: JSONValue]?,
        _ record: HistoryRecord,
        _ session: KnownSession,
        _ findings: inout Findings
    ) {
        guard let facts = session.facts else { return }
        guard let changed else {
            return findings.violated([record.index], "a commit does not say which facts it changed")
        }
        for (name, value) in changed.sorted(by: { $0.key < $1.key }) where facts[name] ?? .null == value {
            findings.violated([record.index], "a commit changed \(name) to \(value.text()), which it was")
        }
    }

    /// A commit names the attempt that made it.
    func judgeOrigin(
        _ record: HistoryRecord,
        _ origin: HistoryRecord.Origin,
        _ scene: KnownScene?,
        _ findings: inout Findings
    ) {
        let isOfApp = record.scene == HistoryRecord.app
        if origin.scene != (isOfApp ? nil : record.scene) || origin.event != record.event
            || origin.connection != record.connection
        {
            findings.violated([record.index], "a commit's origin is not what the record is about")
        }
        guard let event = origin.event else { return }
        guard let dispatch = scene?.dispatch, let open = scene?.open[dispatch.ticket], open.event == event else {
            return findings.violated([record.index], "a commit came from event \(event), which is not being dispatched")
        }
        judgeHandling(open, dispatch) { before, explanation in
            findings.violated([before, record.index].compactMap(\.self), "event \(event) \(explanation)")
        }
    }
}
