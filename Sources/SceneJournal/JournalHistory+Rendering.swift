package import StrictJSON

extension JournalHistory {
    /// For a person: per host a line that says what it was and how it ended, and under it what is missing and why.
    package var text: String {
        var lines: [String] = []
        let hosts = Self.count(hosts.count, "host")
        var head = "journal: \(Self.count(records, "record")) of \(hosts)"
        if let first, let last { head += ", \(first) to \(last)" }
        lines.append(head)
        for host in self.hosts { lines += host.lines }
        if suppressed > 0 {
            lines.append(
                "  journald suppressed \(Self.count(suppressed, "message")) by its rate limit: set LogRateLimitIntervalSec=0 for the unit, and RateLimitIntervalSec=0 for its namespace"
            )
        }
        if brief > 0 {
            lines.append(
                "  \(Self.count(brief, "record")) were logged in brief and not judged (logRecords is not whole)"
            )
        }
        if isOverrun { lines.append("  there are more hosts; the later ones were not followed") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The same for a program.
    package var json: JSONValue {
        [
            "records": .integer(records), "brief": .integer(brief), "bad": .integer(bad),
            "suppressed": .integer(suppressed), "overrun": .bool(isOverrun), "hosts": .array(hosts.map(\.json)),
        ]
    }

    fileprivate static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension JournalledHost {
    /// The most gaps shown of one host; the JSON has all that are kept.
    private static let shownGaps = 10

    fileprivate var lines: [String] {
        var origin = [unit ?? "no unit"]
        if let namespace { origin.append("namespace \(namespace)") }
        if let invocation { origin.append("invocation \(invocation)") }
        if let process { origin.append("process \(process)") }
        var lines = [
            "  host \(host): \(origin.joined(separator: ", "))",
            "    records \(firstIndex) to \(lastIndex), \(first) to \(last); \(ending.phrase)",
        ]
        lines += gaps.prefix(Self.shownGaps).map { "    \($0.phrase)" }
        let kept = gaps.prefix(Self.shownGaps).reduce(0) { $0 + $1.count }
        let all = missing.values.reduce(0, +)
        if all > kept {
            lines.append("    and \(all - kept) more are missing in later places")
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
        object["ending"] = .string(ending.name)
        switch ending {
        case .killed(let signal): object["signal"] = .integer(signal)
        case .exited(let status): object["status"] = .integer(status)
        default: break
        }
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
    /// As JSON says it.
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

    /// For a person.
    package var phrase: String {
        switch self {
        case .stopped: "stopped"
        case .replaced: "reset: the same process went on with another host"
        case .killed(let signal): "its process was killed by signal \(signal)"
        case .exited(let status): "its process exited with status \(status) before it had stopped"
        case .machineWentDown: "the machine went down"
        case .succeeded: "another run followed, and nobody says how this one ended"
        case .running: "still running"
        case .continues: "goes on after the time asked for"
        case .unknown: "nobody says whether it ended"
        }
    }
}

extension JournalGap {
    /// For a person.
    package var phrase: String {
        let what = count == 1 ? "record \(first) is missing" : "records \(first) to \(last) are missing"
        return "\(what): \(cause.phrase)"
    }
}

extension JournalGap.Cause {
    fileprivate var phrase: String {
        switch self {
        case .daemon: "the daemon dropped them because journald did not keep up, and said so"
        case .rateLimit: "journald suppressed them by its rate limit, and said so"
        case .rotation: "the journal does not go back that far any more (rotated or vacuumed)"
        case .beforeSince: "they lie before --since; without it the host is judged from its beginning"
        case .tooLong: "too long for the journal; the daemon says so in their place"
        case .unexplained:
            "a gap that nothing in the journal explains: entries were deleted, or journald lost them; it says nothing about the daemon"
        }
    }
}
