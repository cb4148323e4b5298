/// A fault that is to be made, once or again and again.
package struct FaultPlan: Hashable, Sendable {
    package let kind: SoakFault.Kind
    /// On the soak's clock, warm-up included; of what repeats, the first time.
    package let at: Duration
    /// From one time to the next; `nil` for once.
    package let every: Duration?
    /// How long it lasts, where it lasts.
    package let length: Duration

    /// Reads `client@2m,stall@5m+30s,kill@every 10m`.
    ///
    /// - Throws: What is wrong at which character, and what would be right.
    package static func list(parsing text: String) throws(SoakPlanProblem) -> [FaultPlan] {
        var plans: [FaultPlan] = []
        var position = 1
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            plans.append(try FaultPlan(part, of: text, at: position))
            position += part.count + 1
        }
        return plans
    }

    private init(_ part: Substring, of text: String, at position: Int) throws(SoakPlanProblem) {
        func problem(_ what: String, after count: Int = 0) -> SoakPlanProblem {
            SoakPlanProblem("faults", text, "\(what) at character \(position + count).")
        }
        guard let sign = part.firstIndex(of: "@") else {
            throw problem("'\(part)' has no '@'; fault@time, such as kill@10m or stall@5m+30s, would be right,")
        }
        let name = part[..<sign].trimmed
        guard let kind = SoakFault.Kind(rawValue: String(name)) else {
            let known = SoakFault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw problem("there is no fault '\(name)'; one of \(known) would be right,")
        }
        var rest = part[part.index(after: sign)...]
        let timeAt = part.distance(from: part.startIndex, to: rest.startIndex)
        var length = kind.usualLength
        if let plus = rest.firstIndex(of: "+") {
            let words = rest[rest.index(after: plus)...].trimmed
            let lengthAt = part.distance(from: part.startIndex, to: plus)
            guard length != nil else {
                throw problem("'\(name)' has no length, so no '+' would be right,", after: lengthAt)
            }
            guard let time = Duration(words: String(words)), time > .zero else {
                throw problem("'\(words)' is no length of time; one such as 30s would be right,", after: lengthAt + 1)
            }
            length = time
            rest = rest[..<plus]
        }
        var words = rest.trimmed
        let repeats = words.hasPrefix("every")
        if repeats { words = words.dropFirst("every".count).trimmed }
        guard let time = Duration(words: String(words)), !repeats || time >= .milliseconds(100) else {
            throw problem("'\(words)' is no time; one such as 90s or every 10m would be right,", after: timeAt)
        }
        self.kind = kind
        at = time
        every = repeats ? time : nil
        self.length = length ?? .zero
    }

    /// The times at which it is made, before `end`.
    package func times(before end: Duration) -> [Duration] {
        guard let every else { return at < end ? [at] : [] }
        return Array(sequence(first: at) { $0 + every }.prefix { $0 < end })
    }
}

extension SoakFault.Kind {
    /// How long it lasts where nothing is said; `nil` for what happens in a moment.
    var usualLength: Duration? {
        switch self {
        case .stall, .slow: .seconds(10)
        case .client, .reload, .kill: nil
        }
    }
}

extension Substring {
    /// Without the spaces around it.
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
