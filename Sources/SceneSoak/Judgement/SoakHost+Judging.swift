internal import SceneHistory

extension SoakHost {
    /// As much of an ID as tells it from others.
    static func short(_ id: String) -> String { id.count > 12 ? String(id.prefix(8)) : id }

    /// As much of the ID as tells it from others.
    var name: String { Self.short(id) }

    /// What of its records breaks an invariant, all told.
    var violationCount: Int {
        violations.reduce(0) { $0 + $1.count }
    }

    /// Each invariant that is violated, with what shows it.
    var violations: [(invariant: Invariant, shown: [Violation], count: Int)] {
        (report?.verdicts ?? []).compactMap { verdict in
            guard case .violated(let shown, let count) = verdict.verdict else { return nil }
            return (verdict.invariant, shown, count)
        }
    }

    /// Why something cannot be said of it, as a phrase; `nil` where its records are whole and judged.
    ///
    /// A host that was killed on purpose could not come to rest, so what was open then is no doubt.
    var doubt: String? {
        guard let report else { return "its records were not checked" }
        if let gap = gaps.first {
            let missing = gaps.reduce(0) { $0 + $1.count }
            return "\(Wording.counted(missing, "record")) missing (\(gap.cause.explanation))"
        }
        guard ending != .killed else { return nil }
        for verdict in report.verdicts {
            if case .unknown(let reason) = verdict.verdict { return reason }
        }
        return nil
    }
}

extension SoakHost.Gap {
    /// How many records.
    package var count: Int { last >= first ? last - first + 1 : 0 }
}

extension SoakHost.Gap.Cause {
    /// Why records are missing, and what would keep them.
    package var explanation: String {
        switch self {
        case .daemon: "the daemon dropped them because they could not be written fast enough"
        case .rateLimit: "journald's rate limit; raise LogRateLimitBurst in the unit"
        case .rotation: "the journal was rotated or vacuumed; raise SystemMaxUse in its namespace"
        case .reader: "the reader fell behind what the daemon retains; raise its retention or use the journal"
        case .unexplained: "nothing says why"
        }
    }
}

extension SoakRun {
    /// Why events that nothing more was heard of may have been answered all the same.
    var reasonToDoubtLoss: String? {
        // A generator knows what it sent and heard. Who reads a journal knows only what is in it.
        guard plan == nil, let host = hosts.first(where: { !$0.gaps.isEmpty }) else {
            if case .failed(let reason) = ending { return "the soak could not go on: \(reason)" }
            return nil
        }
        return "records of \(host.name) are missing, so an end that is not there may have been written"
    }
}
