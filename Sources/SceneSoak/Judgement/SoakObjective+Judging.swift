internal import Histogram
internal import SceneVocabulary

extension SoakObjective {
    /// Compares the limit with what was measured.
    /// - Parameter trends: Those of the run, for metrics of growth.
    func judge(_ run: SoakRun, totals: SoakTotals, trends: [SoakTrend]) -> SoakObjectiveResult {
        switch measure(run, totals, trends) {
        case .unknown(let reason): return SoakObjectiveResult(objective: text, state: .unknown(reason), seen: nil)
        case .value(let value):
            let isMet = comparison.holds(value, limit.value)
            if !isMet, let excuse = excuse(for: value, run) {
                return SoakObjectiveResult(objective: text, state: .unknown(excuse), seen: word(value))
            }
            return SoakObjectiveResult(objective: text, state: isMet ? .met(value) : .missed(value), seen: word(value))
        case .growth(let growth): return judge(growth)
        }
    }

    /// What grows is known within an interval, all of which has to be on the right side of the limit, or all on the wrong one.
    private func judge(_ growth: SoakGrowth) -> SoakObjectiveResult {
        let isMet = comparison.holds(throughout: growth.range, limit.value)
        let (low, high) = (growth.range.lowerBound, growth.range.upperBound)
        let slope = signed(growth.perHour)
        let seen = low == high ? slope : "\(slope), and with 95 % certainty \(signed(low)) to \(signed(high))"
        let longer = isMet == nil && comparison != .equal ? growth.longer(toTellFrom: limit.value) : nil
        let advice =
            comparison == .equal
            ? "an interval is never one number, so compare with < or <="
            : longer.map { "about \(Wording.duration($0)) more would tell" } ?? "a month more would not tell"
        let state: SoakObjectiveResult.State =
            switch isMet {
            case true?: .met(growth.perHour)
            case false?: .missed(growth.perHour)
            case nil: .unknown("\(seen); \(advice)")
            }
        // The reason not to know says it whole.
        let shown = isMet == nil ? slope : seen
        return SoakObjectiveResult(objective: text, state: state, seen: shown, growth: growth, longer: longer)
    }

    private func signed(_ value: Double) -> String { Wording.signed(value, word) }

    /// Why the daemon may not be to blame for a missed latency: the generator itself was late.
    private func excuse(for value: Double, _ run: SoakRun) -> String? {
        let lag: Double
        switch metric {
        case .percentile(let rank, _): lag = Double(run.generatorLag.valueAtPercentile(rank))
        case .mean: lag = run.generatorLag.mean
        default: return nil
        }
        guard lag > 1e6, lag * 2 > value else { return nil }
        return
            "the load generator itself was late, by \(Wording.latency(lag)); try a lower rate or a less busy machine"
    }

    private enum Measurement {
        case value(Double)
        case growth(SoakGrowth)
        case unknown(String)
    }

    private func measure(_ run: SoakRun, _ totals: SoakTotals, _ trends: [SoakTrend]) -> Measurement {
        switch metric {
        case .percentile(let rank, let kind):
            return latency(of: run, kind: kind) { Double($0.valueAtPercentile(rank)) }
        case .mean(let kind): return latency(of: run, kind: kind, \.mean)
        case .lost:
            if totals.lost > 0, let gap = run.reasonToDoubtLoss { return .unknown(gap) }
            return share(totals.lost, totals)
        case .missed: return share(max(0, totals.due - totals.sent), totals)
        case .cutOff: return share(totals.cutOff, totals)
        case .errors(nil): return share(totals.refused, totals)
        case .errors(let name?): return share(totals.errors[name] ?? 0, totals)
        case .outcome(let name): return share(totals.outcomes[name.rawValue] ?? 0, totals)
        case .rate: return totals.seconds > 0 ? .value(totals.rate) : .unknown("the soak ended during the warm-up")
        case .peak(let subject):
            let values = run.intervals.filter { !$0.isWarmUp }.compactMap { $0.sample.flatMap(subject.value) }
            return values.max().map(Measurement.value) ?? .unknown("there are no samples of \(subject.noun)")
        case .growth(let subject):
            return SoakGrowth(of: subject, in: trends).map(Measurement.growth)
                ?? .unknown("there are not enough samples of \(subject.noun)")
        case .violations: return violations(of: run)
        case .gaps: return .value(Double(run.hosts.flatMap(\.gaps).reduce(0) { $0 + $1.count }))
        }
    }

    private func latency(of run: SoakRun, kind: ActionKind?, _ read: (Histogram<UInt64>) -> Double) -> Measurement {
        guard let kind else {
            return run.latency.totalCount > 0 ? .value(read(run.latency)) : .unknown("nothing was answered")
        }
        guard let latency = run.latencyByKind[kind.rawValue], latency.totalCount > 0 else {
            let seen = run.latencyByKind.keys.sorted().joined(separator: ", ")
            return .unknown("no \(kind.rawValue) was answered\(seen.isEmpty ? "" : "; there were \(seen)")")
        }
        return .value(read(latency))
    }

    private func share(_ count: Int, _ totals: SoakTotals) -> Measurement {
        guard limit.isPercent else { return .value(Double(count)) }
        return totals.sent > 0 ? .value(100 * Double(count) / Double(totals.sent)) : .unknown("nothing was sent")
    }

    private func violations(of run: SoakRun) -> Measurement {
        var count = 0
        var doubt: String? = run.hosts.isEmpty ? "no host was seen" : nil
        for host in run.hosts {
            count += host.violationCount
            if host.report == nil { doubt = "the records of \(host.name) were not checked" }
            if let gap = host.gaps.first { doubt = "\(gap.count) records of \(host.name) are missing" }
        }
        // A violation remains one even if records are missing.
        if count == 0, let doubt { return .unknown(doubt) }
        return .value(Double(count))
    }

    private func word(_ value: Double) -> String {
        switch metric.quantity {
        case .time: Wording.latency(value)
        case .share: limit.isPercent ? "\(Wording.number(value, digits: 3)) %" : Wording.count(Int(value))
        case .rate: "\(Wording.number(value, digits: 3))/s"
        case .bytes: Wording.bytes(value)
        case .bytesPerHour: "\(Wording.bytes(value))/h"
        case .count: Wording.count(Int(value))
        case .countPerHour: "\(Wording.number(value, digits: 2))/h"
        }
    }
}
