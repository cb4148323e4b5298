package import StrictJSON

extension HistoryReport {
    /// ``lines`` as one text.
    package var text: String { lines.joined(separator: "\n") + "\n" }

    /// The report as text: for each host a line for each invariant, followed by its violations.
    package var lines: [String] {
        var lines: [String] = []
        for host in hosts {
            let unjudged = host.unjudged > 0 ? ", \(host.unjudged) of them not judged" : ""
            lines.append("host \(host.host): \(Self.count(host.records, "record"))\(unjudged)")
            // What is missing is mostly missing for all of them.
            var last: String?
            for report in host.verdicts {
                lines += report.lines(after: last)
                if case .unknown(let reason) = report.verdict { last = reason }
            }
        }
        lines += badLines.map(\.description)
        if badLineCount > badLines.count { lines.append("and \(badLineCount - badLines.count) more bad lines") }
        if isOverrun { lines.append("more than \(HistoryChecker.mostHosts) hosts; the later ones were not checked") }
        if hosts.isEmpty { lines.append("no records") }
        return lines
    }

    /// The report as JSON.
    package var json: JSONValue {
        [
            "conclusion": .string("\(conclusion)"), "hosts": .array(hosts.map(\.json)),
            "badLines": [
                "count": .integer(badLineCount),
                "first": .array(badLines.map { ["line": .integer($0.line), "reason": .string($0.reason)] }),
            ],
            "overrun": .bool(isOverrun),
        ]
    }

    fileprivate static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension HostReport {
    /// The host's verdicts as JSON.
    package var json: JSONValue {
        [
            "host": .string(host), "records": .integer(records), "unjudged": .integer(unjudged),
            "invariants": .array(
                verdicts.map { report in
                    var object: JSONObject = [
                        "number": .integer(report.invariant.rawValue), "name": .string(report.invariant.name),
                    ]
                    report.verdict.write(to: &object)
                    return .object(object)
                }
            ),
        ]
    }
}

extension InvariantReport {
    /// - Parameter last: The reason of the unknown verdict before, which is not said again.
    fileprivate func lines(after last: String?) -> [String] {
        let number = (invariant.rawValue < 10 ? " " : "") + String(invariant.rawValue)
        switch verdict {
        case .holds: return ["  \(number)  holds     \(invariant.promise)"]
        case .unknown(let reason):
            return ["  \(number)  unknown   \(invariant.promise)"] + (reason == last ? [] : ["        \(reason)"])
        case .violated(let violations, let count):
            var lines = ["  \(number)  VIOLATED  \(invariant.promise)"]
            for violation in violations {
                let noun = violation.records.count == 1 ? "record" : "records"
                let records = violation.records.map(String.init).joined(separator: ", ")
                lines.append("        \(noun) \(records): \(violation.explanation)")
            }
            if count > violations.count { lines.append("        and \(count - violations.count) more") }
            return lines
        }
    }
}

extension Verdict {
    fileprivate func write(to object: inout JSONObject) {
        switch self {
        case .holds: object["verdict"] = "holds"
        case .unknown(let reason):
            object["verdict"] = "unknown"
            object["reason"] = .string(reason)
        case .violated(let violations, let count):
            object["verdict"] = "violated"
            object["count"] = .integer(count)
            object["violations"] = .array(
                violations.map {
                    [
                        "records": .array($0.records.map(JSONValue.integer)), "explanation": .string($0.explanation),
                    ]
                }
            )
        }
    }
}
