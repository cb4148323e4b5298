internal import StrictJSON

extension RunVerdict {
    var json: JSONValue {
        var object: JSONObject = ["kind": .string(kind)]
        switch self {
        case .passed: break
        case .failed(let text), .doubleResume(let text), .escaped(let text), .blocked(let text):
            object["text"] = .string(text)
        case .deadlock(let waiters), .taskLeak(let waiters): object["waiters"] = .array(waiters.map(\.json))
        case .lostContinuation(let text, let waiters):
            object["text"] = .string(text)
            object["waiters"] = .array(waiters.map(\.json))
        case .livelock(let steps, let look):
            object["number"] = .integer(steps)
            if let look { object["text"] = .string(look) }
        case .trapped(let signal, let message):
            object["number"] = .integer(Int(signal))
            object["text"] = .string(message)
        }
        return .object(object)
    }

    init?(json: JSONValue?) {
        guard let json, let kind = json["kind"]?.stringValue else { return nil }
        let text = json["text"]?.stringValue ?? ""
        let number = json["number"]?.integerValue ?? 0
        let waiters = (json["waiters"]?.arrayValue ?? []).compactMap { WaitingTask(json: $0) }
        switch kind {
        case "passed": self = .passed
        case "failed": self = .failed(text)
        case "deadlock": self = .deadlock(waiters)
        case "lost-continuation": self = .lostContinuation(text, waiters)
        case "double-resume": self = .doubleResume(text)
        case "livelock": self = .livelock(steps: number, look: json["text"]?.stringValue)
        case "task-leak": self = .taskLeak(waiters)
        case "escaped": self = .escaped(text)
        case "blocked": self = .blocked(text)
        case "trapped": self = .trapped(signal: Int32(truncatingIfNeeded: number), message: text)
        default: return nil
        }
    }
}

extension WaitingTask {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["task": .integer(task)]
        if let name { object["name"] = .string(name) }
        if let function { object["function"] = .string(function) }
        if let holder { object["holder"] = .integer(holder) }
        switch reason {
        case .task(let other):
            object["reason"] = "task"
            object["other"] = other.map { .integer($0) } ?? .null
        case .continuation: object["reason"] = "continuation"
        case .group: object["reason"] = "group"
        case .lock: object["reason"] = "lock"
        case .semaphore: object["reason"] = "semaphore"
        case .condition: object["reason"] = "condition"
        case .dispatchGroup: object["reason"] = "dispatch-group"
        case .sleep: object["reason"] = "sleep"
        case .unknown: object["reason"] = "unknown"
        }
        return .object(object)
    }

    fileprivate init?(json: JSONValue) {
        guard let task = json["task"]?.integerValue, let reason = json["reason"]?.stringValue else { return nil }
        let known: Reason
        switch reason {
        case "task": known = .task(json["other"]?.integerValue)
        case "continuation": known = .continuation
        case "group": known = .group
        case "lock": known = .lock
        case "semaphore": known = .semaphore
        case "condition": known = .condition
        case "dispatch-group": known = .dispatchGroup
        case "sleep": known = .sleep
        default: known = .unknown
        }
        self.init(
            task: task,
            name: json["name"]?.stringValue,
            function: json["function"]?.stringValue,
            reason: known,
            holder: json["holder"]?.integerValue
        )
    }
}
