internal import CommandConsole
internal import SceneHistory

extension HistoryReport {
    /// The verdicts for a CI system: a case for each invariant of each host, and for what of the history is no history.
    /// - Parameter file: The path of the history; `nil` if it is no file.
    func cases(file: String?) -> [CaseReport.Case] {
        var cases = hosts.flatMap { host in
            host.verdicts.map { report in
                let name = "\(report.invariant.rawValue) \(report.invariant.promise)"
                return CaseReport.Case(
                    hosts.count == 1 ? name : "host \(host.host): \(name)",
                    report.verdict.outcome,
                    file: file
                )
            }
        }
        if badLineCount > 0 {
            let text = badLines.map(\.description) + (badLineCount > badLines.count ? ["…"] : [])
            let message = "\(badLineCount) \(badLineCount == 1 ? "line is" : "lines are") no record"
            cases.append(
                CaseReport.Case(
                    "every line is a record",
                    .unjudged(message, text: text.joined(separator: "\n")),
                    file: file,
                    line: badLines.first?.line
                )
            )
        }
        if isOverrun {
            cases.append(
                CaseReport.Case(
                    "every host is judged",
                    .unjudged("more than \(HistoryChecker.mostHosts) hosts; the later ones were not checked"),
                    file: file
                )
            )
        }
        if hosts.isEmpty { cases.append(CaseReport.Case("there are records", .unjudged("no records"), file: file)) }
        return cases
    }
}

extension Verdict {
    fileprivate var outcome: CaseReport.Outcome {
        switch self {
        case .holds: return .passed
        case .unknown(let reason): return .unjudged(reason)
        case .violated(let violations, let count):
            var lines = violations.map { violation in
                let noun = violation.records.count == 1 ? "record" : "records"
                return "\(noun) \(violation.records.map(String.init).joined(separator: ", ")): \(violation.explanation)"
            }
            if count > violations.count { lines.append("and \(count - violations.count) more") }
            return .failed(CaseReport.message(lines), text: lines.joined(separator: "\n"))
        }
    }
}
