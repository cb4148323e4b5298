internal import SceneHistory

extension SoakHost {
    /// The start of an ID, enough to tell it from others.
    static func short(_ id: String) -> String { id.count > 12 ? String(id.prefix(8)) : id }

    /// The short form of the ID.
    var name: String { Self.short(id) }

    /// The number of violations, over all invariants.
    var violationCount: Int { violations.reduce(0) { $0 + $1.count } }

    /// Each violated invariant, with the first violations and their number.
    var violations: [(invariant: Invariant, shown: [Violation], count: Int)] {
        (report?.verdicts ?? []).compactMap { verdict in
            guard case .violated(let shown, let count) = verdict.verdict else { return nil }
            return (verdict.invariant, shown, count)
        }
    }

    /// Why a verdict on the host is unknown, as a phrase; `nil` if its records are complete and checked.
    ///
    /// A host that the soak killed could not become quiet, and one that stopped may not have sent the records of its end; events
    /// that were open then do not count.
    var doubt: String? {
        guard let report else { return "its records were not checked" }
        if let gap = gaps.first {
            let missing = gaps.reduce(0) { $0 + $1.count }
            return "\(Wording.counted(missing, "record")) missing (\(gap.cause.explanation))"
                + (report.unjudged > 0
                    ? "; so \(Wording.count(report.unjudged)) of \(Wording.count(report.records)) could not be judged"
                    : "")
        }
        guard ending != .killed, ending != .cutOff else { return nil }
        for verdict in report.verdicts {
            if case .unknown(let reason) = verdict.verdict { return reason }
        }
        return nil
    }
}

extension SoakHost.Gap {
    /// How many records are missing.
    package var count: Int { last >= first ? last - first + 1 : 0 }
}

extension SoakHost.Gap.Cause {
    /// Why records are missing, and how to avoid it.
    package var explanation: String {
        switch self {
        case .daemon: "the daemon dropped them because they could not be written fast enough"
        case .rateLimit: "journald's rate limit; raise LogRateLimitBurst in the unit"
        case .rotation: "the journal was rotated or vacuumed; raise SystemMaxUse in its namespace"
        case .reader: "the reader fell behind what the daemon retains; raise retainedRecords or use the journal"
        case .unexplained: "nothing says why"
        }
    }
}

extension SoakRun {
    /// Why events without an answer may have been answered after all; `nil` if they are certainly lost.
    var reasonToDoubtLoss: String? {
        // A generator knows what it sent and received; a journal may lack records.
        guard plan == nil, let host = hosts.first(where: { !$0.gaps.isEmpty }) else {
            if case .failed(let reason) = ending { return "the soak could not continue: \(reason)" }
            return nil
        }
        return "records of \(host.name) are missing, and the events' ends may be among them"
    }
}
