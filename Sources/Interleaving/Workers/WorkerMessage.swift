internal import StrictJSON

/// A message from a worker to the process that forked it: one line of JSON. Both are the same program, so there is no version.
enum WorkerMessage {
    /// What was found since the last message, and the number of the next run; nil if no run is left.
    case found(Exploration, next: Int?)
    case error(ExplorationError)

    /// The message with its line end.
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

    /// - Returns: nil if the line is not a message.
    init?(line: [UInt8]) {
        guard let value = try? JSONValue(parsing: line) else { return nil }
        if let found = value["found"] {
            guard let exploration = Exploration(json: found) else { return nil }
            self = .found(exploration, next: value["next"]?.integerValue)
        } else if let step = value["step"]?.integerValue {
            let (first, second) = (RunStep(json: value["first"]), RunStep(json: value["second"]))
            self = .error(.nondeterministic(RunDifference(step: step, first: first, second: second)))
        } else if let text = value["error"]?.stringValue {
            self = .error(.workerLost(text))
        } else {
            return nil
        }
    }
}

extension JSONValue {
    /// The value on one line, with the line end.
    var line: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// 64 bits as a signed number. Files for people use ``hexadecimal(_:)``.
    static func bits(_ number: UInt64) -> JSONValue { .integer(Int(bitPattern: UInt(number))) }

    var bitsValue: UInt64? { integerValue.map { UInt64(UInt(bitPattern: $0)) } }
}
