internal import StrictJSON

extension Exploration {
    /// What was found, for the process that forked this one.
    var json: JSONValue {
        [
            "seed": .bits(seed), "runs": .integer(runs), "failures": .integer(failures),
            "failedRuns": .array(failedRuns.map { .integer($0) }), "failure": failure?.json ?? .null,
            "isComplete": .bool(isComplete), "summary": summary.map { .string($0) } ?? .null,
            "longest": .integer(longest), "traceHash": .bits(traceHash), "hadChoices": .bool(hadChoices),
            "wasEnded": .bool(wasEnded), "coverage": coverage?.record ?? .null,
        ]
    }

    init?(json: JSONValue) {
        guard let seed = json["seed"]?.bitsValue, let runs = json["runs"]?.integerValue,
            let failures = json["failures"]?.integerValue, let longest = json["longest"]?.integerValue,
            let failedRuns = json["failedRuns"]?.arrayValue
        else { return nil }
        self.init(seed: seed)
        self.runs = runs
        self.failures = failures
        self.failedRuns = failedRuns.compactMap(\.integerValue)
        failure = ExploredRun(json: json["failure"])
        isComplete = json["isComplete"]?.boolValue ?? false
        summary = json["summary"]?.stringValue
        self.longest = longest
        traceHash = json["traceHash"]?.bitsValue ?? 0
        hadChoices = json["hadChoices"]?.boolValue ?? false
        wasEnded = json["wasEnded"]?.boolValue ?? false
        coverage = ExplorationCoverage(record: json["coverage"])
    }
}

extension ExplorationCoverage {
    fileprivate var record: JSONValue {
        let (kind, policy): (String, String) =
            switch dependency {
            case .everything: ("everything", "")
            case .executors(let mailbox): ("executors", mailbox.rawValue)
            case .unisolated(let mailbox): ("unisolated", mailbox.rawValue)
            }
        return [
            "dependency": .string(kind), "mailbox": .string(policy), "runs": .integer(runs),
            "failures": .integer(failures), "longest": .integer(longest),
            "mostChoices": .integer(mostChoices),
            "classes": .array(occurrences.flatMap { [JSONValue.bits($0.key), .integer(Int($0.value))] }),
        ]
    }

    fileprivate init?(record json: JSONValue?) {
        guard let json, let runs = json["runs"]?.integerValue, let failures = json["failures"]?.integerValue,
            let longest = json["longest"]?.integerValue, let mostChoices = json["mostChoices"]?.integerValue,
            let classes = json["classes"]?.arrayValue
        else { return nil }
        var occurrences: [UInt64: UInt32] = [:]
        for index in stride(from: 0, to: classes.count - 1, by: 2) {
            guard let name = classes[index].bitsValue, let times = classes[index + 1].integerValue else { return nil }
            occurrences[name] = UInt32(clamping: times)
        }
        let dependency: StepDependency
        let mailbox = json["mailbox"]?.stringValue.flatMap(MailboxPolicy.init)
        switch (json["dependency"]?.stringValue, mailbox) {
        case ("executors", let mailbox?): dependency = .executors(mailbox)
        case ("unisolated", let mailbox?): dependency = .unisolated(mailbox)
        default: dependency = .everything
        }
        self.init(
            dependency: dependency,
            runs: runs,
            failures: failures,
            longest: longest,
            mostChoices: mostChoices,
            occurrences: occurrences
        )
    }
}
