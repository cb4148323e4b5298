internal import OrderedCollections

/// The members of a JSON object in the order written.
///
/// Order is kept for people who read what is printed; it carries no meaning, so two objects with the same members in
/// different order are equal.
public struct JSONObject: Sendable {
    private var members: OrderedDictionary<String, JSONValue> = [:]

    /// An object without members.
    public init() {}

    /// An object of these members; of several with one key the last counts.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        for (key, value) in members { self.members[key] = value }
    }

    /// The number of members.
    public var count: Int { members.count }

    public var isEmpty: Bool { members.isEmpty }

    /// The keys in the order written.
    public var keys: [String] { Array(members.keys) }

    /// The member with this key; setting `nil` removes it, setting a new key appends it.
    public subscript(key: String) -> JSONValue? {
        get { members[key] }
        set { members[key] = newValue }
    }
}

extension JSONObject: Hashable {
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.count == other.count && one.allSatisfy { other[$0.key] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        var combined = 0
        for (key, value) in self {
            var member = Hasher()
            member.combine(key)
            member.combine(value)
            combined ^= member.finalize()
        }
        hasher.combine(combined)
    }
}

extension JSONObject: Sequence {
    public func makeIterator() -> AnyIterator<(key: String, value: JSONValue)> {
        var iterator = members.makeIterator()
        return AnyIterator { iterator.next().map { (key: $0.key, value: $0.value) } }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
