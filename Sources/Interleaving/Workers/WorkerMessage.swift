internal import StrictJSON

/// What a worker tells the process that forked it: one line of JSON each. Both are the same program, so there is no version.
enum WorkerMessage {
    /// What was found since the last message, and the next run; nil if there is none.
    case found(Exploration, next: Int?)
    case error(ExplorationError)

    /// The line, with its end.
    var line: [UInt8] {
        switch self {
        case .found(let exploration, let next):
            JSONValue.object(["found": exploration.json, "next": next.map { .integer($0) } ?? .null]).line
        case .error(.nondeterministic(let difference)):
            JSONValue.object([
                "step": .integer(difference.step), "first": difference.first?.json ?? .null,
                "second": difference.second?.json ?? .null,
            ]).line
        case .error(let error): JSONValue.object(["error": .string(error.description)]).line
        }
    }

    /// - Returns: nil if the line is none of a worker.
    init?(line: [UInt8]) {
        guard let value = try? JSONValue(parsing: line) else { return nil }
        if let found = value["found"] {
            guard let exploration = Exploration(json: found) else { return nil }
            self = .found(exploration, next: value["next"]?.integerValue)
        } else if let step = value["step"]?.integerValue {
            let (first, second) = (Step(json: value["first"]), Step(json: value["second"]))
            self = .error(.nondeterministic(Difference(step: step, first: first, second: second)))
        } else if let text = value["error"]?.stringValue {
            self = .error(.workerLost(text))
        } else {
            return nil
        }
    }
}

extension JSONValue {
    /// The value in one line, with its end.
    var line: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// 64 bits as a number with a sign: for machines, as ``hexadecimal(_:)`` is for people.
    static func bits(_ number: UInt64) -> JSONValue { .integer(Int(bitPattern: UInt(number))) }

    var bitsValue: UInt64? { integerValue.map { UInt64(UInt(bitPattern: $0)) } }
}
