internal import StrictJSON

extension Exploration {
    /// What one process tells another of what it found.
    var json: JSONValue {
        [
            "seed": .bits(seed), "runs": .integer(runs), "failures": .integer(failures),
            "failedRuns": .array(failedRuns.map { .integer($0) }), "failure": failure?.json ?? .null,
            "isComplete": .bool(isComplete), "summary": summary.map { .string($0) } ?? .null,
            "longest": .integer(longest), "hadChoices": .bool(hadChoices), "coverage": coverage?.message ?? .null,
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
        failure = Run(json: json["failure"])
        isComplete = json["isComplete"]?.boolValue ?? false
        summary = json["summary"]?.stringValue
        self.longest = longest
        hadChoices = json["hadChoices"]?.boolValue ?? false
        coverage = Coverage(message: json["coverage"])
    }
}

extension Coverage {
    /// Every class with how often it was seen, so that another process can add them to its own.
    fileprivate var message: JSONValue {
        [
            "dependency": dependency.message, "runs": .integer(runs), "failures": .integer(failures),
            "longest": .integer(longest),
            "mostChoices": .integer(mostChoices),
            "classes": .array(occurrences.flatMap { [JSONValue.bits($0.key), .integer(Int($0.value))] }),
        ]
    }

    fileprivate init?(message: JSONValue?) {
        guard let json = message, let dependency = Dependency(message: json["dependency"]),
            let runs = json["runs"]?.integerValue, let failures = json["failures"]?.integerValue,
            let longest = json["longest"]?.integerValue, let mostChoices = json["mostChoices"]?.integerValue,
            let classes = json["classes"]?.arrayValue
        else { return nil }
        var occurrences: [UInt64: UInt32] = [:]
        for index in stride(from: 0, to: classes.count - 1, by: 2) {
            guard let name = classes[index].bitsValue, let times = classes[index + 1].integerValue else { return nil }
            occurrences[name] = UInt32(clamping: times)
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

extension Dependency {
    fileprivate var message: JSONValue {
        switch self {
        case .everything: ["kind": "everything"]
        case .executors(let mailboxes): ["kind": "executors", "mailboxes": .string(mailboxes.rawValue)]
        case .unisolated(let mailboxes): ["kind": "unisolated", "mailboxes": .string(mailboxes.rawValue)]
        }
    }

    fileprivate init?(message: JSONValue?) {
        let mailboxes = message?["mailboxes"]?.stringValue.flatMap(MailboxPolicy.init)
        switch (message?["kind"]?.stringValue, mailboxes) {
        case ("everything", _): self = .everything
        case ("executors", let mailboxes?): self = .executors(mailboxes)
        case ("unisolated", let mailboxes?): self = .unisolated(mailboxes)
        default: return nil
        }
    }
}
