internal import Histogram
internal import SceneHistory
internal import SceneVocabulary

/// The verdict of a soak on the daemon, with reasons.
package struct SoakVerdict: Hashable, Sendable {
    package let conclusion: Conclusion
    /// First what makes the daemon guilty, then what is unknown, each by weight. Empty if the daemon is clean.
    package let reasons: [Reason]
    package let objectives: [SoakObjectiveResult]
    package let trends: [SoakTrend]
    package let totals: SoakTotals

    package enum Conclusion: String, Hashable, Sendable {
        /// Something is proved wrong.
        case guilty
        /// Everything was judged, and nothing is wrong.
        case clean
        /// Nothing is proved wrong, but something could not be judged.
        case unknown
    }

    /// The exit status of `scenectl soak`: 0 clean, 1 guilty, 3 the daemon was away for too long, 4 unknown.
    package func status(of run: SoakRun) -> Int32 {
        if case .failed = run.ending { return 3 }
        return switch conclusion {
        case .clean: 0
        case .guilty: 1
        case .unknown: 4
        }
    }

    /// A reason to find the daemon guilty, or not to know.
    package struct Reason: Hashable, Sendable {
        package let kind: Kind
        /// A phrase without an initial capital or a full stop.
        package let text: String
        /// Whether it makes the daemon guilty; otherwise something is unknown.
        package let isGuilt: Bool

        /// The kinds of reason, the weightiest first.
        package enum Kind: Int, Hashable, Sendable, Comparable, CaseIterable {
            case invariant, vanished, lost
            /// The soak ended before its time, or nothing happened in it, which is why much else is unknown.
            case ended, unapplied
            case objective, leak, drift, gap, unchecked
            /// What was to be broken on purpose was not.
            case fault
            case coverage, trend

            package static func < (one: Kind, other: Kind) -> Bool { one.rawValue < other.rawValue }
        }
    }

    /// Judges a run by its records, its numbers and its plan's objectives.
    package init(of run: SoakRun) {
        totals = SoakTotals(of: run)
        trends = SoakTrend.all(of: run)
        var results: [SoakObjectiveResult] = []
        for text in run.plan?.objectives ?? [] {
            do throws(SoakObjectiveError) {
                for objective in try SoakObjective.parse(text) {
                    results.append(objective.judge(run, totals: totals, trends: trends))
                }
            } catch {
                let state = SoakObjectiveResult.State.unknown("it cannot be read: \(error.problem)")
                results.append(SoakObjectiveResult(objective: text, state: state, seen: nil))
            }
        }
        objectives = results
        let found =
            Self.hosts(of: run) + Self.loss(of: run, totals) + Self.missed(results) + Self.growth(trends, of: run)
            + Self.ending(of: run) + Self.unbroken(in: run) + Self.turnedAway(of: run, totals) + Self.unapplied(in: run)
            + Self.unreached(of: run)
        // Reasons of the same kind stay in the order found.
        reasons =
            Reason.Kind.allCases.flatMap { kind in found.filter { $0.kind == kind && $0.isGuilt } }
            + Reason.Kind.allCases.flatMap { kind in found.filter { $0.kind == kind && !$0.isGuilt } }
        conclusion = reasons.contains(where: \.isGuilt) ? .guilty : reasons.isEmpty ? .clean : .unknown
    }

    // MARK: Reasons

    private static func hosts(of run: SoakRun) -> [Reason] {
        var reasons: [Reason] = []
        for host in run.hosts {
            for violation in host.violations {
                let times = violation.count == 1 ? "" : ", \(Wording.count(violation.count)) times"
                let text =
                    "invariant \(violation.invariant.rawValue) is violated in host \(host.name)\(times): \(violation.shown.first?.explanation ?? violation.invariant.promise)"
                reasons.append(Reason(kind: .invariant, text: text, isGuilt: true))
            }
            if case .vanished(let why) = host.ending {
                let text =
                    "the daemon (host \(host.name)) disappeared at \(Wording.moment(host.end))\(why.map { ": \($0)" } ?? "")"
                reasons.append(Reason(kind: .vanished, text: text, isGuilt: true))
            }
            if let doubt = host.doubt {
                let kind: Reason.Kind = host.gaps.isEmpty ? .unchecked : .gap
                reasons.append(Reason(kind: kind, text: "host \(host.name): \(doubt)", isGuilt: false))
            }
        }
        if run.hosts.isEmpty {
            reasons.append(Reason(kind: .unchecked, text: "no records of any host were seen", isGuilt: false))
        }
        return reasons
    }

    private static func loss(of run: SoakRun, _ totals: SoakTotals) -> [Reason] {
        guard totals.lost > 0 else { return [] }
        let text = "\(Wording.counted(totals.lost, "event")) \(totals.lost == 1 ? "was" : "were") lost"
        guard let doubt = run.reasonToDoubtLoss else { return [Reason(kind: .lost, text: text, isGuilt: true)] }
        return [Reason(kind: .lost, text: "it is unknown whether \(text): \(doubt)", isGuilt: false)]
    }

    private static func missed(_ results: [SoakObjectiveResult]) -> [Reason] {
        results.compactMap { result in
            switch result.state {
            case .met: nil
            case .missed:
                Reason(kind: .objective, text: "\(result.objective) was missed: \(result.seen ?? "?")", isGuilt: true)
            case .unknown(let why):
                Reason(kind: .objective, text: "\(result.objective) cannot be judged: \(why)", isGuilt: false)
            }
        }
    }

    private static func growth(_ trends: [SoakTrend], of run: SoakRun) -> [Reason] {
        var reasons: [Reason] = []
        for trend in trends where trend.state == .growing {
            let kind: Reason.Kind = trend.subject == .latency ? .drift : .leak
            let place = run.hosts.count > 1 ? trend.host.map { " in host \(SoakHost.short($0))" } ?? "" : ""
            let verb = trend.subject.isPlural ? "grow" : "grows"
            let text = "\(trend.subject.noun) \(verb)\(place): \(trend.figures ?? "")"
            reasons.append(Reason(kind: kind, text: text, isGuilt: true))
        }
        let open = SoakTrend.Subject.allCases.filter { subject in
            !SoakTrend.areJudged(trends.filter { $0.subject == subject })
        }
        let unseen = open.filter { subject in !trends.contains { $0.subject == subject } }
        let short = open.filter { !unseen.contains($0) }
        // A soak too short for trends was not run to find them, nor was a journal written for that. Objectives about growth are
        // judged separately.
        let isAsked = run.plan.map { $0.duration >= SoakTrend.shortest } ?? false
        if isAsked, let example = trends.first(where: { short.contains($0.subject) && $0.line == nil }) {
            let what = short.count > 3 ? "anything" : Wording.list(short.map(\.noun))
            let text = "it is unknown whether \(what) grows: \(example.meaning)"
            reasons.append(Reason(kind: .trend, text: text, isGuilt: false))
        }
        if isAsked, unseen.contains(.resident) {
            let text = "it is unknown whether memory grows: there are no samples"
            reasons.append(Reason(kind: .trend, text: text, isGuilt: false))
        }
        return reasons
    }

    /// A run in which many events were refused at the door says little of the app; unless they were chosen to be.
    private static func turnedAway(of run: SoakRun, _ totals: SoakTotals) -> [Reason] {
        let all = totals.answered + totals.refused
        let mix = run.plan?.mix ?? [:]
        let weight = mix.values.reduce(0, +)
        let chosen = weight > 0 ? (mix[ActionKind.mistake.mixName] ?? 0) / weight : 0
        guard Double(totals.refused) > Double(all) * (mostRefused + chosen),
            let (name, _) = totals.errors.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })
        else { return [] }
        let text =
            "\(Wording.count(totals.refused)) of \(Wording.counted(all, "event")) were refused, mostly by \(name)"
        return [Reason(kind: .coverage, text: text, isGuilt: false)]
    }

    /// A run in which nothing was applied says nothing of the app, wherever it comes from.
    private static func unapplied(in run: SoakRun) -> [Reason] {
        let name = OutcomeName.applied.rawValue
        guard let coverage = run.coverage else {
            guard run.intervals.allSatisfy({ $0.outcomes[name, default: 0] == 0 }) else { return [] }
            return [Reason(kind: .unapplied, text: "no event is known to have been applied", isGuilt: false)]
        }
        let applied = coverage.items[.outcomes]?.first { $0.name == name }?.count ?? 0
        return applied > 0 ? [] : [Reason(kind: .unapplied, text: "no event was applied", isGuilt: false)]
    }

    /// A run in which most of the app was never seen says little.
    private static func unreached(of run: SoakRun) -> [Reason] {
        guard let plan = run.plan, let coverage = run.coverage else { return [] }
        let ended = (coverage.items[.outcomes] ?? []).reduce(0) { $0 + $1.count }
        let (reached, all) = coverage.share(of: .destinations)
        // Events that somebody has chosen go where they go, and few events cannot go everywhere.
        guard plan.script == nil, plan.mix.isEmpty, ended >= eventsForEach * all, reached * leastReached < all else {
            return []
        }
        let missed = coverage.missed(.destinations).prefix(5).map { item in
            "\(item.name)\(item.why.map { " (\($0))" } ?? "")"
        }
        let text =
            "only \(Wording.count(reached)) of \(Wording.counted(all, "destination")) were shown, and never \(missed.joined(separator: ", "))"
        return [Reason(kind: .coverage, text: text, isGuilt: false)]
    }

    /// With so many events for each destination of the app most of them should have been shown.
    private static let eventsForEach = 20
    /// No more than this share of the events, besides the mistakes of the mix, may be refused.
    private static let mostRefused = 0.25
    /// One destination in so many has to be shown.
    private static let leastReached = 2

    private static func ending(of run: SoakRun) -> [Reason] {
        var reasons: [Reason] = []
        switch run.ending {
        case .completed: break
        case .failed(let why):
            reasons.append(Reason(kind: .ended, text: "the soak could not continue: \(why)", isGuilt: false))
        case .interrupted:
            let planned = run.plan.map { " of \(Wording.duration($0.end))" } ?? ""
            let text = "the soak was interrupted after \(Wording.duration(run.length))\(planned)"
            reasons.append(Reason(kind: .ended, text: text, isGuilt: false))
        }
        if run.plan != nil, run.latency.totalCount == 0 {
            reasons.append(Reason(kind: .unapplied, text: "nothing was answered after the warm-up", isGuilt: false))
        }
        return reasons
    }

    /// A fault that was asked for and could not be caused leaves open how the daemon stands it.
    private static func unbroken(in run: SoakRun) -> [Reason] {
        let failed = run.faults.filter(\.hasFailed)
        return SoakFault.Kind.allCases.compactMap { kind in
            let faults = failed.filter { $0.kind == kind }
            guard let first = faults.first else { return nil }
            let times = faults.count == 1 ? "" : ", \(Wording.count(faults.count)) times"
            let text =
                "the fault \(kind.rawValue) at \(Wording.moment(first.start)) could not be caused\(times): \(first.note)"
            return Reason(kind: .fault, text: text, isGuilt: false)
        }
    }
}

extension SoakTrend.Subject {
    fileprivate var isPlural: Bool { self != .resident && self != .latency }
}

extension SoakVerdict {
    /// The verdict in one sentence.
    package func sentence(of run: SoakRun) -> String {
        let time = "in \(Wording.duration(run.length))"
        switch conclusion {
        case .guilty:
            let guilt = reasons.filter(\.isGuilt)
            let rest = guilt.count > 2 ? ", and \(guilt.count - 2) more" : ""
            return "Guilty: \(guilt.prefix(2).map(\.text).joined(separator: "; "))\(rest)."
        case .unknown:
            let rest = reasons.count > 1 ? ", and \(reasons.count - 1) more" : ""
            return "Unknown: nothing wrong was found \(time), but \(reasons.first?.text ?? "")\(rest)."
        case .clean:
            let asked =
                objectives.isEmpty
                ? "" : ", \(objectives.count == 1 ? "the objective is" : "all \(objectives.count) objectives are") met"
            // Only a run that was long enough can show this.
            let growth = trends.contains { $0.line != nil } ? ", nothing is seen to grow" : ""
            return
                "Clean: \(time) and \(Wording.counted(totals.answered, "event")) nothing was lost, every invariant holds\(growth)\(asked)."
        }
    }
}
