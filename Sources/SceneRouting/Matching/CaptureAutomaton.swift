/// A capture's type as an automaton, for segments in which it shares the text with others.
///
/// It may take a little more than the type does (an integer beyond its bounds): the value is checked afterwards, and
/// refused as a value, not as a shape.
enum CaptureAutomaton: Hashable, Sendable {
    case anyText
    case pattern(BoundedPattern)

    init(_ check: ParameterCheck) {
        let source: String
        switch check {
        case .string, .list: source = ""
        case .integer: source = "-?[0-9]{1,20}"
        case .uuid: source = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
        case .oneOf(let words): source = words.map(Self.escaped).joined(separator: "|")
        case .pattern(let pattern):
            self = .pattern(pattern)
            return
        }
        // A list of words that is too long for a pattern counts as any text here and is checked afterwards.
        self = source.isEmpty ? .anyText : (try? BoundedPattern(source)).map(CaptureAutomaton.pattern) ?? .anyText
    }

    var start: Int {
        switch self {
        case .anyText: 0
        case .pattern: Int(BoundedPattern.start)
        }
    }

    /// The state after one more character, or `nil` where no value goes on so.
    func next(_ state: Int, _ scalar: UInt32) -> Int? {
        switch self {
        case .anyText: return 1
        case .pattern(let pattern):
            let next = pattern.next(UInt16(truncatingIfNeeded: state), scalar)
            return next == 0 ? nil : Int(next)
        }
    }

    func accepts(_ state: Int) -> Bool {
        switch self {
        case .anyText: state == 1
        case .pattern(let pattern): pattern.accepts(UInt16(truncatingIfNeeded: state))
        }
    }

    private static func escaped(_ word: String) -> String {
        var escaped = ""
        for scalar in word.unicodeScalars {
            if scalar.isASCII, !ASCII.isLetter(UInt8(scalar.value)), !ASCII.isDigit(UInt8(scalar.value)) {
                escaped += "\\"
            }
            escaped.unicodeScalars.append(scalar)
        }
        return escaped
    }
}
