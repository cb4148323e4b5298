internal import SceneHistory
package import StrictJSON

extension JournalHistory {
    /// ``lines`` as one text.
    package var text: String { lines.joined(separator: "\n") + "\n" }

    /// The history as text: for each host what it was and how it ended, followed by what is missing and why.
    package var lines: [String] {
        var lines: [String] = []
        let hosts = Self.count(hosts.count, "host")
        var head = "journal: \(Self.count(records, "record")) of \(hosts)"
        if let first, let last { head += ", \(first) to \(last)" }
        lines.append(head)
        for host in self.hosts { lines += host.lines }
        if suppressed > 0 {
            lines.append(
                "  journald suppressed \(Self.count(suppressed, "message")) by its rate limit; set LogRateLimitIntervalSec=0 for the unit, and RateLimitIntervalSec=0 for its namespace"
            )
        }
        if brief > 0 {
            lines.append(
                "  \(Self.count(brief, "record")) were logged in brief and cannot be judged (logRecords is not whole)"
            )
        }
        if isOverrun { lines.append("  there are more hosts, which were not followed") }
        return lines
    }

    /// The history as JSON.
    package var json: JSONValue {
        [
            "records": .integer(records), "brief": .integer(brief), "bad": .integer(bad),
            "suppressed": .integer(suppressed), "overrun": .bool(isOverrun), "hosts": .array(hosts.map(\.json)),
        ]
    }

    fileprivate static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension JournalledHost {
    /// How many gaps of a host the text shows; the JSON has all that are kept.
    private static let shownGaps = 10
    /// How many runs before the last the text shows.
    private static let shownRuns = 3

    fileprivate var lines: [String] {
        var origin = [unit ?? "no unit"]
        if let namespace { origin.append("namespace \(namespace)") }
        if let invocation { origin.append("invocation \(invocation)") }
        if let process { origin.append("process \(process)") }
        var lines = [
            "  host \(host): \(origin.joined(separator: ", "))",
            "    records \(firstIndex) to \(lastIndex), \(first) to \(last); \(ending.phrase)",
        ]
        lines += runs.suffix(Self.shownRuns).map { "    went on with record \($0.next): \($0.ending.phrase)" }
        if restarts > Self.shownRuns { lines.append("    went on \(restarts) times") }
        lines += gaps.prefix(Self.shownGaps).map { "    \($0.phrase)" }
        let kept = gaps.prefix(Self.shownGaps).reduce(0) { $0 + $1.count }
        let all = missing.values.reduce(0, +)
        if all > kept {
            lines.append("    and \(all - kept) more records are missing later")
        }
        return lines
    }

    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "host": .string(host), "records": .integer(records), "firstIndex": .integer(firstIndex),
            "lastIndex": .integer(lastIndex), "first": .integer(Int(clamping: first.microseconds)),
            "last": .integer(Int(clamping: last.microseconds)),
        ]
        object["unit"] = unit.map(JSONValue.string)
        object["invocation"] = invocation.map(JSONValue.string)
        object["boot"] = boot.map(JSONValue.string)
        object["process"] = process.map { .integer(Int($0)) }
        object["namespace"] = namespace.map(JSONValue.string)
        object["started"] = started.map { .integer(Int(clamping: $0.microseconds)) }
        ending.write(to: &object)
        object["restarts"] = .integer(restarts)
        object["runs"] = .array(
            runs.map { run in
                var object: JSONObject = ["next": .integer(run.next)]
                object["invocation"] = run.invocation.map(JSONValue.string)
                object["boot"] = run.boot.map(JSONValue.string)
                object["process"] = run.process.map { .integer(Int($0)) }
                run.ending.write(to: &object)
                return .object(object)
            }
        )
        object["missing"] = .object(
            JSONObject(
                missing.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, .integer($0.value)) }
            )
        )
        object["gaps"] = .array(
            gaps.map {
                [
                    "first": .integer($0.first), "last": .integer($0.last), "cause": .string($0.cause.rawValue),
                    "at": .integer(Int(clamping: $0.at.microseconds)),
                ]
            }
        )
        return .object(object)
    }
}

extension JournalledHost.Ending {
    fileprivate func write(to object: inout JSONObject) {
        object["ending"] = .string(name)
        switch self {
        case .killed(let signal): object["signal"] = .integer(signal)
        case .exited(let status): object["status"] = .integer(status)
        default: break
        }
    }

    /// The ending in JSON.
    package var name: String {
        switch self {
        case .stopped: "stopped"
        case .replaced: "replaced"
        case .killed: "killed"
        case .exited: "exited"
        case .machineWentDown: "machineWentDown"
        case .succeeded: "succeeded"
        case .running: "running"
        case .continues: "continues"
        case .unknown: "unknown"
        }
    }

    /// The ending in text.
    package var phrase: String {
        switch self {
        case .stopped: "stopped"
        case .replaced: "reset: the same process continued with another host"
        case .killed(let signal): "its process was killed by signal \(signal)"
        case .exited(let status): "its process exited with status \(status) before the host had stopped"
        case .machineWentDown: "the machine went down"
        case .succeeded: "another run followed; the journal does not say how this one ended"
        case .running: "still running"
        case .continues: "continues after --until"
        case .unknown: "the journal does not say whether it ended"
        }
    }
}

extension JournalGap {
    /// The gap in text.
    package var phrase: String {
        "\(MissingRecords.phrase(first...max(first, last))): \(cause.phrase)"
    }
}

extension JournalGap.Cause {
    fileprivate var phrase: String {
        switch self {
        case .daemon: "the daemon dropped them because journald did not keep up, as it logged"
        case .rateLimit: "journald suppressed them by its rate limit, as it logged"
        case .rotation: "the journal no longer goes back that far (rotated or vacuumed)"
        case .beforeSince: "they are before --since; without it the host is judged from its beginning"
        case .tooLong: "too long for the journal; their entries are there without them"
        case .unexplained:
            "nothing in the journal explains it: entries were deleted, or journald lost them; this says nothing about the daemon"
        }
    }
}
