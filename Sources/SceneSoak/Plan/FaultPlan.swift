internal import Basics

/// A fault to cause, once or repeatedly.
package struct FaultPlan: Hashable, Sendable {
    package let kind: SoakFault.Kind
    /// The first time, since the start of the soak, warm-up included.
    package let at: Duration
    /// The time between repetitions; `nil` for once.
    package let every: Duration?
    /// How long the fault lasts; 0 for one that takes no time.
    package let length: Duration

    /// Reads faults such as `client@2m,stall@5m+30s,kill@every 10m`.
    ///
    /// - Parameter end: The end of the load since the soak's start. A fault that would come, or end, only after it is refused; of those
    ///   that repeat, the last may be cut short.
    /// - Throws: A ``SoakPlanProblem`` with the character at which the text is wrong.
    package static func list(parsing text: String, before end: Duration) throws(SoakPlanProblem) -> [FaultPlan] {
        var plans: [FaultPlan] = []
        var position = 1
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            plans.append(try FaultPlan(part, of: text, at: position, before: end))
            position += part.count + 1
        }
        return plans
    }

    private init(
        _ part: Substring,
        of text: String,
        at position: Int,
        before end: Duration
    ) throws(SoakPlanProblem) {
        func problem(_ what: String, after count: Int = 0) -> SoakPlanProblem {
            SoakPlanProblem("faults", text, "\(what) at character \(position + count).")
        }
        guard let sign = part.firstIndex(of: "@") else {
            throw problem("'\(part)' has no '@'; expected fault@time, such as kill@10m or stall@5m+30s,")
        }
        let name = part[..<sign].trimmed
        guard let kind = SoakFault.Kind(rawValue: String(name)) else {
            let known = SoakFault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw problem("unknown fault '\(name)'; expected one of \(known),")
        }
        var rest = part[part.index(after: sign)...]
        let timeAt = part.distance(from: part.startIndex, to: rest.startIndex)
        var length = kind.usualLength
        if let plus = rest.firstIndex(of: "+") {
            let words = rest[rest.index(after: plus)...].trimmed
            let lengthAt = part.distance(from: part.startIndex, to: plus)
            guard length != nil else {
                throw problem("'\(name)' takes no length; expected no '+'", after: lengthAt)
            }
            guard let time = Duration.reading(String(words)), time > .zero else {
                throw problem("'\(words)' is not a length of time; expected one such as 30s,", after: lengthAt + 1)
            }
            length = time
            rest = rest[..<plus]
        }
        var words = rest.trimmed
        let repeats = words.hasPrefix("every")
        if repeats { words = words.dropFirst("every".count).trimmed }
        guard let time = Duration.reading(String(words)), !repeats || time >= .milliseconds(100) else {
            throw problem("'\(words)' is not a time; expected one such as 90s or every 10m,", after: timeAt)
        }
        let over = "the load ends at \(end.words), warm-up included"
        guard time < end else {
            throw problem(
                "\(over), so '\(part.trimmed)' would never come; expected an earlier time or a longer --duration,",
                after: timeAt
            )
        }
        guard time + (length ?? .zero) <= end else {
            let cut = "'\(part.trimmed)', which lasts \((length ?? .zero).words), would be cut short"
            throw problem(
                "\(over), so \(cut); expected an earlier time, a shorter length or a longer --duration,",
                after: timeAt
            )
        }
        self.kind = kind
        at = time
        every = repeats ? time : nil
        self.length = length ?? .zero
    }

    /// The times of the fault before `end`.
    package func times(before end: Duration) -> [Duration] {
        guard let every else { return at < end ? [at] : [] }
        return Array(sequence(first: at) { $0 + every }.prefix { $0 < end })
    }
}

extension SoakFault.Kind {
    /// The length by default; `nil` for a fault that takes no time.
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
