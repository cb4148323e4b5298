internal import Basics

/// Finds values that mean what another means, and are written otherwise.
extension ManifestCompilation {
    /// Finds values of a list that are there twice, and texts that a fact is compared with and never has, because it has the same time
    /// or version in another notation: texts are compared as they are written.
    mutating func findNotationsThatDiffer() {
        let compared = predicates.flatMap { key, predicate in predicate.literals(at: key) }
        for literal in compared {
            guard let twin = literal.twin else { continue }
            warning(literal.key, "this is the same as [\(twin)]", expected: "each value once")
        }
        let assigned = assignments
        findTextsThatNoDateIs(assigned.texts, compared)
        var written: [Notation: (text: String, key: String)] = [:]
        for (fact, text, key) in assigned.texts + compared.map({ ($0.fact, $0.text, $0.key) }) {
            for meaning in Notation.all(fact, text) where written[meaning] == nil { written[meaning] = (text, key) }
        }
        let removed = assigned.removed.map { ComparedText(fact: $0.fact, text: $0.text, key: $0.key, twin: nil) }
        for literal in compared + removed where factType(literal.fact) != .date {
            for meaning in Notation.all(literal.fact, literal.text) {
                let date = assigned.takesDates.contains(literal.fact) ? meaning.date : nil
                guard let other = date.map({ (text: $0, key: nil) }) ?? written[meaning].map({ ($0.text, $0.key) }),
                    !other.text.hasSameBytes(as: literal.text)
                else { continue }
                warning(
                    literal.key,
                    "'\(literal.text)' is the \(meaning.noun) that is written '\(other.text)' "
                        + (other.key.map { "at \($0)" } ?? "where '\(literal.fact)' gets it from a date")
                        + ", and texts are compared as they are written",
                    expected: meaning.date == nil
                        ? "one notation" : "one notation, or 'type: date' for '\(literal.fact)'"
                )
                break
            }
        }
    }

    /// Finds texts that a fact gets and that are times in another notation than that of the dates with which alone it is compared.
    private mutating func findTextsThatNoDateIs(_ assigned: [FactText], _ compared: [ComparedText]) {
        let sought = soughtDates
        let literal = Set(compared.map(\.fact))
        for (fact, text, key) in assigned where factType(fact) != .date {
            guard let other = sought[fact], !literal.contains(fact), let seconds = Instant.seconds(inAnyNotation: text)
            else { continue }
            let date = Instant.text(seconds)
            guard !date.hasSameBytes(as: text) else { continue }
            warning(
                key,
                "'\(text)' is a time, and \(other), which is written '\(date)': texts are compared as they are written",
                expected: "'\(date)'"
            )
        }
    }

    /// The facts that are looked through for dates and for nothing else that an event or fact has, each with a phrase that says so.
    private var soughtDates: [String: String] {
        var sought: [String: String] = [:]
        var others: Set<String> = []
        func note(_ predicate: FactPredicate, _ types: (String) -> [ParameterType?]) {
            for compared in predicate.comparedParameters(at: "") {
                let (fact, name) = (compared.fact, compared.parameter)
                if types(name).allSatisfy({ $0 == .date }) {
                    sought[fact] = "'\(fact)' is compared with the date '\(name)'"
                } else {
                    others.insert(fact)
                }
            }
        }
        let ofDestination = parameterTypes
        for (_, holds, users) in needs { note(holds) { parameter in users.map { ofDestination[$0][parameter] } } }
        let dates = Set(manifest.facts.lazy.filter { $0.type == .date }.map(\.name))
        for list in effectLists {
            let types = list.parameterTypes
            for effect in list.effects {
                for condition in effect.conditions { note(condition) { [types[$0]] } }
                guard case .remove(let fact, let source) = effect.unconditional else { continue }
                switch source {
                case .fact(let name) where dates.contains(name):
                    sought[fact] = "the date '\(name)' is removed from '\(fact)'"
                case .parameter(let name) where types[name] == .date:
                    sought[fact] = "the date '\(name)' is removed from '\(fact)'"
                default: others.insert(fact)
                }
            }
        }
        return sought.filter { !others.contains($0.key) }
    }

    private typealias FactText = (fact: String, text: String, key: String)

    /// The texts that facts get by defaults and effects, those that are removed from them, and the facts that get a date.
    private var assignments: (texts: [FactText], removed: [FactText], takesDates: Set<String>) {
        var texts: [FactText] = []
        var removed: [FactText] = []
        var takesDates: Set<String> = []
        let dates = Set(manifest.facts.lazy.filter { $0.type == .date }.map(\.name))
        func add(_ value: FactValue, to fact: String, at key: String) {
            switch value {
            case .string(let text): texts.append((fact, text, key))
            case .strings(let list):
                for (index, text) in list.enumerated() { texts.append((fact, text, "\(key)[\(index)]")) }
            case .integer, .number, .boolean: break
            }
        }
        for fact in manifest.facts {
            if let value = fact.defaultValue { add(value, to: fact.name, at: "facts.\(fact.name).default") }
        }
        for list in effectLists {
            let types = list.parameterTypes
            for (index, effect) in list.effects.enumerated() {
                let key = "\(list.key)[\(index)].value"
                switch effect.unconditional {
                case .set(let fact, let source), .append(let fact, let source):
                    switch source {
                    case .literal(let value): add(value, to: fact, at: key)
                    case .fact(let name): if dates.contains(name) { takesDates.insert(fact) }
                    case .parameter(let name): if types[name] == .date { takesDates.insert(fact) }
                    }
                case .remove(let fact, .literal(.string(let text))): removed.append((fact, text, key))
                default: break
                }
            }
        }
        return (texts, removed, takesDates)
    }
}

extension ManifestCompilation.EffectList {
    fileprivate var parameterTypes: [String: ParameterType] {
        Dictionary(parameters.map { ($0.declaration.name, $0.declaration.type) }) { first, _ in first }
    }
}

/// What a text of a fact means, however it is written.
private enum Notation: Hashable {
    /// A time, in seconds since 1970.
    case time(fact: String, Double)
    /// A version of at least two numbers, without zeros at its end.
    case version(fact: String, [Int])

    static func all(_ fact: String, _ text: String) -> [Notation] {
        if let seconds = Instant.seconds(inAnyNotation: text) { return [.time(fact: fact, seconds)] }
        guard var numbers = AppVersion(text)?.numbers, numbers.count > 1 else { return [] }
        while numbers.last == 0 { numbers.removeLast() }
        return [.version(fact: fact, numbers)]
    }

    var noun: String { if case .time = self { "time" } else { "version" } }

    /// The time as a fact of type `date` has it.
    var date: String? { if case .time(_, let seconds) = self { Instant.text(seconds) } else { nil } }
}

/// A text that a predicate compares a fact with.
private struct ComparedText {
    let fact: String
    let text: String
    let key: String
    /// The place in the same list of a value that is equal to it.
    let twin: Int?
}

extension FactPredicate {
    /// The values that it compares facts with, those of lists that are there twice included.
    fileprivate func literals(at key: String) -> [ComparedText] {
        switch self {
        case .compare(let fact, let comparison, .value(let value)):
            return value.elements.map {
                ComparedText(fact: fact, text: $0, key: "\(key).\(comparison.member)", twin: nil)
            }
        case .contains(let fact, .value(let value)):
            return value.elements.map { ComparedText(fact: fact, text: $0, key: "\(key).contains", twin: nil) }
        case .oneOf(let fact, let values):
            var places: [FactValue: Int] = [:]
            return values.enumerated().flatMap { index, value in
                let place = "\(key).oneOf[\(index)]"
                let twin = places[value.meaning].flatMap { Comparison.equal.holds(values[$0], value) ? $0 : nil }
                if twin != nil { return [ComparedText(fact: fact, text: "", key: place, twin: twin)] }
                places[value.meaning] = places[value.meaning] ?? index
                return value.elements.map { ComparedText(fact: fact, text: $0, key: place, twin: nil) }
            }
        case .all(let parts):
            return parts.enumerated().flatMap { $1.literals(at: "\(key).all[\($0)]") }
        case .any(let parts):
            return parts.enumerated().flatMap { $1.literals(at: "\(key).any[\($0)]") }
        case .not(let inner): return inner.literals(at: "\(key).not")
        case .always, .signedIn, .freshSignIn, .present, .compare, .contains, .appVersion, .period: return []
        }
    }
}

extension FactValue {
    /// The texts in it.
    fileprivate var elements: [String] {
        switch self {
        case .string(let text): [text]
        case .strings(let list): list
        case .integer, .number, .boolean: []
        }
    }

    /// The same for an integer and a number that are equal.
    fileprivate var meaning: FactValue {
        if case .integer(let integer) = self { .number(Double(integer)) } else { self }
    }
}

extension Instant {
    /// The seconds since 1970 of a time, also in notations of RFC 3339 that no fact of type `date` has: with an offset, with a fraction
    /// that is zero, with a space or in lower case.
    fileprivate static func seconds(inAnyNotation text: String) -> Double? {
        if let seconds = seconds(text) { return seconds }
        let text = text.uppercased()
        let (date, rest) = (text.prefix(10), text.dropFirst(10))
        guard rest.utf8.count <= 64, let separator = rest.first, separator == "T" || separator == " " else {
            return nil
        }
        var time = rest.dropFirst()
        var offset = 0.0
        if time.last == "Z" {
            time = time.dropLast()
        } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            let digits = time[sign...].dropFirst().filter { $0 != ":" }
            guard digits.utf8.count == 4, let hours = Double(digits.prefix(2)), let minutes = Double(digits.suffix(2))
            else { return nil }
            offset = (hours * 3600 + minutes * 60) * (time[sign] == "-" ? -1 : 1)
            time = time[..<sign]
        } else {
            return nil
        }
        if let point = time.firstIndex(of: ".") {
            guard time[point...].dropFirst().allSatisfy({ $0 == "0" }) else { return nil }
            time = time[..<point]
        }
        return seconds("\(date)T\(time)Z").map { $0 - offset }
    }
}
