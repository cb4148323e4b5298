internal import Basics
internal import SceneRouting
internal import StrictJSON

/// A condition of a declared adapter, with its path and pattern parsed.
struct AdapterCondition: Hashable, Sendable {
    let path: EventPath
    private let test: Test

    private enum Test: Hashable {
        case present
        case equals([String])
        case matches(CapturePattern, text: String)
    }

    init(_ condition: AdapterDeclaration.FieldCondition) throws(CapturePattern.Invalid) {
        switch condition {
        case .present(let path):
            self.path = try EventPath(checked: path)
            test = .present
        case .equals(let path, let words):
            self.path = try EventPath(checked: path)
            test = .equals(words)
        case .matches(let path, let pattern):
            self.path = try EventPath(checked: path)
            test = .matches(try CapturePattern(pattern), text: pattern)
        }
    }

    private var isEquality: Bool { if case .equals = test { true } else { false } }

    /// The names it captures.
    var captures: Set<String> {
        if case .matches(let pattern, _) = test { pattern.names } else { [] }
    }

    /// Checks an event and adds its captures. A name that was captured before must capture the same text again.
    /// - Returns: why the condition does not hold; `nil` if it does.
    func check(_ event: JSONObject, _ captures: inout [String: String]) -> String? {
        if case .present = test {
            let value = path.value(in: event)
            return value == nil || value?.isNull == true ? "\(path.text) is absent" : nil
        }
        let text: String
        switch path.text(in: event) {
        case .text(let found): text = found
        case .absent: return "\(path.text) is absent"
        // A manifest writes a boolean and a number as it writes text.
        case .notText where isEquality:
            switch path.value(in: event) {
            case .bool(let value)?: text = value ? "true" : "false"
            case .integer(let value)?: text = String(value)
            case let value: return "\(path.text) is not text but \(value?.typeName ?? "null")"
            }
        case .notText(let type): return "\(path.text) is not text but \(type)"
        }
        switch test {
        case .present: return nil
        case .equals(let words):
            guard !words.contains(where: text.hasSameBytes) else { return nil }
            let list = words.map(\.quotedForMessage).joined(separator: " or ")
            return "\(path.text) is \(text.quotedForMessage), not \(list)"
        case .matches(let pattern, let patternText):
            guard let found = pattern.match(text) else {
                return "\(path.text) is \(text.quotedForMessage), which does not match \(patternText)"
            }
            for (name, value) in found.sorted(by: { $0.key < $1.key }) {
                if let earlier = captures[name], !earlier.hasSameBytes(as: value) {
                    return "{\(name)} is \(earlier.quotedForMessage) and \(value.quotedForMessage)"
                }
                captures[name] = value
            }
            return nil
        }
    }
}

extension EventPath {
    init(checked text: String) throws(CapturePattern.Invalid) {
        guard let path = EventPath(text) else {
            throw CapturePattern.Invalid(reason: "\(text.quotedForMessage) is not a path such as payload.url")
        }
        self = path
    }
}
