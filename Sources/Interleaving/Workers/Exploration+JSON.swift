package import StrictJSON

extension Exploration {
    /// What was found, for the process that forked this one, or for a file: of equal runs the same text. The duration is not in it.
    package var json: JSONValue {
        [
            "seed": .bits(seed), "runs": .integer(runs), "failures": .integer(failures),
            "failedRuns": .array(failedRuns.map { .integer($0) }), "failure": failure?.json ?? .null,
            "isComplete": .bool(isComplete), "summary": summary.map { .string($0) } ?? .null,
            "unseen": unseen.map { .string($0) } ?? .null, "undisturbed": undisturbed.map { .string($0) } ?? .null,
            "longest": .integer(longest), "traceHash": .bits(traceHash), "hadChoices": .bool(hadChoices),
            "wasEnded": .bool(wasEnded), "coverage": coverage?.record ?? .null, "ends": ends.record,
        ]
    }

    package init?(json: JSONValue) {
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
        unseen = json["unseen"]?.stringValue
        undisturbed = json["undisturbed"]?.stringValue
        self.longest = longest
        traceHash = json["traceHash"]?.bitsValue ?? 0
        hadChoices = json["hadChoices"]?.boolValue ?? false
        wasEnded = json["wasEnded"]?.boolValue ?? false
        coverage = ExplorationCoverage(record: json["coverage"])
        ends = ExploredEnds(record: json["ends"])
    }
}

extension ExplorationCoverage {
    fileprivate var record: JSONValue {
        let (kind, policy): (String, String) =
            switch dependency {
            case .everything: ("everything", "")
            case .executors(let mailbox): ("executors", mailbox.rawValue)
            case .unisolated(let mailbox): ("unisolated", mailbox.rawValue)
            case .reported(let mailbox): ("reported", mailbox.rawValue)
            }
        return [
            "dependency": .string(kind), "mailbox": .string(policy), "runs": .integer(runs),
            "failures": .integer(failures), "longest": .integer(longest),
            "mostChoices": .integer(mostChoices),
            "classes": .array(
                occurrences.sorted { $0.key < $1.key }.flatMap { [.bits($0.key), .integer(Int($0.value))] }
            ),
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
        case ("reported", let mailbox?): dependency = .reported(mailbox)
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

extension ExploredEnds {
    fileprivate var record: JSONValue {
        [
            "others": .integer(others),
            "all": .array(
                all.map { end in
                    [
                        .string(end.text), .bool(end.isFailure), .integer(end.runs), .integer(end.example),
                        .string("\(end.code)"),
                    ]
                }
            ),
        ]
    }

    fileprivate init(record json: JSONValue?) {
        let ends = (json?["all"]?.arrayValue ?? []).compactMap { value -> End? in
            guard let parts = value.arrayValue, parts.count == 5, let text = parts[0].stringValue,
                let isFailure = parts[1].boolValue, let runs = parts[2].integerValue,
                let example = parts[3].integerValue,
                let code = parts[4].stringValue.flatMap({ try? ReplayCode(parsing: $0) })
            else { return nil }
            return End(text: text, isFailure: isFailure, runs: runs, example: example, code: code)
        }
        self.init(ends, others: json?["others"]?.integerValue ?? 0)
    }
}
