/// Invariant 10: the host recorded no violation of a window's rules.
struct WindowRules: InvariantCheck {
    let invariant = Invariant.windowRules
    let standsAlone = true

    func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        guard case .violation(let rule, let cause, let detail) = record.body else { return }
        findings.violated([record.index], "\(rule) in scene \(record.scene ?? "?") by \(cause): \(detail)")
    }
}
