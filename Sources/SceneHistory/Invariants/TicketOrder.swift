/// Invariant 1: the tickets of a scene are contiguous, first attempts run in their order, dispatches never overlap.
struct TicketOrder: InvariantCheck {
    let invariant = Invariant.ticketOrder

    /// The sets of URLs that are delivered together.
    private var sets = DeliveredSets()

    mutating func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        sets.judge(record, &findings)
        guard let id = record.scene, let scene = history.scene(of: record) else { return }
        switch record.body {
        case .eventAdmitted:
            guard let ticket = record.ticket, ticket != scene.lastTicket + 1 else { return }
            findings.violated(
                [scene.lastTicketIndex, record.index].filter { $0 > 0 },
                "scene \(id) gave ticket \(ticket), but \(scene.lastTicket + 1) was next"
            )
        case .dispatchBegan(let isResume): judgeBegin(record, isResume: isResume, id, scene, &findings)
        case .dispatchResolved, .dispatchPlanned, .gateParked, .intentBubbled, .windowRequested, .variantChosen:
            judgeMembership(record, id, scene, &findings)
        case .dispatchEnded(let end):
            // An event that is abandoned, or a gesture that is ignored, may never begin.
            let isEarly = end.outcome == .abandoned || end.outcome == .ignored
            if isEarly, let ticket = record.ticket, scene.open[ticket]?.isQueued ?? false { return }
            judgeMembership(record, id, scene, &findings)
        case .navigationStep(_, let cause, _):
            if record.ticket != nil { return judgeMembership(record, id, scene, &findings) }
            if cause == .sweep { judgeSweep(record, id, scene, &findings) }
            if cause == .dispatch {
                findings.violated([record.index], "a step of a dispatch in scene \(id) belongs to no ticket")
            }
        case .sceneSwept, .gateResumed: judgeSweep(record, id, scene, &findings)
        default: return
        }
    }

    func debts(in history: KnownHost, at rest: Rest) -> [Violation] { sets.debts }

    private func judgeBegin(
        _ record: HistoryRecord,
        isResume: Bool,
        _ id: String,
        _ scene: KnownScene,
        _ findings: inout Findings
    ) {
        guard let ticket = record.ticket else { return }
        if let running = scene.dispatch {
            findings.violated(
                [running.began, record.index],
                "in scene \(id) ticket \(ticket) began while ticket \(running.ticket) was dispatched"
            )
        }
        let isAgain = scene.open[ticket].map { $0.isQueued && $0.isCutOff } ?? false
        guard record.attempt == 1 || isAgain && !isResume else { return }
        if isResume {
            findings.violated([record.index], "a resume of ticket \(ticket) is recorded as the first attempt")
        }
        guard let due = scene.firstQueued, due <= ticket else {
            return findings.violated([record.index], "scene \(id) began ticket \(ticket), which was not waiting")
        }
        if due < ticket {
            findings.violated(
                [scene.open[due]?.admitted, record.index].compactMap(\.self),
                "scene \(id) began ticket \(ticket) before ticket \(due)"
            )
        }
    }

    private func judgeMembership(
        _ record: HistoryRecord,
        _ id: String,
        _ scene: KnownScene,
        _ findings: inout Findings
    ) {
        guard !(scene.dispatch?.isMeant(by: record) ?? false), let ticket = record.ticket else { return }
        let attempt = record.attempt.map { ", attempt \($0)," } ?? ""
        findings.violated(
            [scene.dispatch?.began, record.index].compactMap(\.self),
            scene.dispatch.map {
                "a record of ticket \(ticket)\(attempt) stands inside the dispatch of ticket \($0.ticket) in scene \(id)"
            } ?? "a record of ticket \(ticket)\(attempt) stands outside its dispatch in scene \(id)"
        )
    }

    private func judgeSweep(
        _ record: HistoryRecord,
        _ id: String,
        _ scene: KnownScene,
        _ findings: inout Findings
    ) {
        guard let running = scene.dispatch else { return }
        findings.violated(
            [running.began, record.index],
            "scene \(id) was swept while ticket \(running.ticket) was dispatched"
        )
    }
}
