internal import StrictJSON

/// A value of a file together with the way to it, and what is wrong with it where it is not what it should be.
struct SoakMember {
    let value: JSONValue
    let path: [Step]

    enum Step: Hashable {
        case member(String)
        case element(Int)
    }

    struct Problem: Error {
        let path: [Step]
        let text: String
    }

    /// More than any count of a soak, and so few that a sum over all intervals does not overflow.
    static let mostCounted = 1_000_000_000_000

    init(_ value: JSONValue, path: [Step] = []) {
        self.value = value
        self.path = path
    }

    /// `intervals[3].sent`.
    var name: String {
        var name = ""
        for step in path {
            switch step {
            case .member(let key): name += name.isEmpty ? key : ".\(key)"
            case .element(let index): name += "[\(index)]"
            }
        }
        return name
    }

    func wrong(_ right: String) -> Problem {
        let what = path.isEmpty ? "it" : "'\(name)'"
        return Problem(path: path, text: "\(what) is \(String(value.text().prefix(60))), right would be \(right)")
    }

    // MARK: Parts

    func optional(_ key: String) throws(Problem) -> SoakMember? {
        guard let object = value.objectValue else { throw wrong("an object") }
        guard let member = object[key], !member.isNull else { return nil }
        return SoakMember(member, path: path + [.member(key)])
    }

    func member(_ key: String) throws(Problem) -> SoakMember {
        guard let member = try optional(key) else {
            let place = path.isEmpty ? "" : " in '\(name)'"
            throw Problem(path: path, text: "'\(key)' is missing\(place)")
        }
        return member
    }

    func elements<Element>(_ read: (SoakMember) throws(Problem) -> Element) throws(Problem) -> [Element] {
        guard let array = value.arrayValue else { throw wrong("an array") }
        var elements: [Element] = []
        elements.reserveCapacity(array.count)
        for (index, element) in array.enumerated() {
            elements.append(try read(SoakMember(element, path: path + [.element(index)])))
        }
        return elements
    }

    func members<Element>(_ read: (SoakMember) throws(Problem) -> Element) throws(Problem) -> [String: Element] {
        guard let object = value.objectValue else { throw wrong("an object") }
        var members: [String: Element] = [:]
        for (key, member) in object {
            members[key] = try read(SoakMember(member, path: path + [.member(key)]))
        }
        return members
    }

    // MARK: Leaves

    func string() throws(Problem) -> String {
        guard let text = value.stringValue else { throw wrong("a string") }
        return text
    }

    func bool() throws(Problem) -> Bool {
        guard let bool = value.boolValue else { throw wrong("true or false") }
        return bool
    }

    func integer(upTo most: Int = mostCounted) throws(Problem) -> Int {
        guard let number = value.integerValue, (0...most).contains(number) else {
            throw wrong("a whole number from 0 to \(most)")
        }
        return number
    }

    func number() throws(Problem) -> Double {
        guard let number = value.doubleValue, number >= 0 else { throw wrong("a number from 0") }
        return number
    }

    /// At most a hundred years.
    func duration() throws(Problem) -> Duration {
        .nanoseconds(try integer(upTo: 3_155_760_000_000_000_000))
    }

    func oneOf<Name: RawRepresentable<String> & CaseIterable>(_ type: Name.Type) throws(Problem) -> Name {
        guard let name = value.stringValue.flatMap(Name.init) else {
            throw wrong("one of \(Name.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))")
        }
        return name
    }
}
