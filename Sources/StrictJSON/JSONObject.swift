internal import Basics

/// The members of a JSON object in the order written.
///
/// The order is kept for people who read the output. It carries no meaning: objects with the same members in different
/// order are equal. Two keys are the same if their bytes are.
public struct JSONObject: Sendable {
    /// A key and its value.
    public typealias Member = (key: String, value: JSONValue)

    /// Up to this many members a key is searched one by one, which is faster than hashing it.
    private static let searched = 16

    private var members: [Member] = []
    /// The position of each key, in an object of more than ``searched`` members.
    private var places: [ByteKey: Int] = [:]

    /// An object without members.
    public init() {}

    /// An object without members, with room for `capacity`.
    init(capacity: Int) { members.reserveCapacity(capacity) }

    /// An object of these members; of several with the same key the last counts.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        self.members.reserveCapacity(members.underestimatedCount)
        for (key, value) in members { set(key, value) }
    }

    // Other modules cannot specialize the generic initializer, and most of them have an array.
    /// An object of these members; of several with the same key the last counts.
    public init(_ members: [(String, JSONValue)]) {
        self.members.reserveCapacity(members.count)
        for (key, value) in members { set(key, value) }
    }

    /// The number of members.
    public var count: Int { members.count }

    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The keys in the order written.
    public var keys: [String] { members.map(\.key) }

    /// The member with this key; setting `nil` removes it, setting a new key appends it.
    public subscript(key: String) -> JSONValue? {
        get { place(of: key).map { members[$0].value } }
        set {
            if let newValue {
                set(key, newValue)
            } else if let place = place(of: key) {
                members.remove(at: place)
                if !places.isEmpty { notePlaces() }
            }
        }
    }

    private mutating func set(_ key: String, _ value: JSONValue) {
        if let place = place(of: key) { members[place].value = value } else { append(key, value) }
    }

    /// Adds a member whose key must be new.
    mutating func append(_ key: String, _ value: JSONValue) {
        members.append((key, value))
        if !places.isEmpty {
            places[ByteKey(key)] = members.count - 1
        } else if members.count > Self.searched {
            notePlaces()
        }
    }

    private func place(of key: String) -> Int? {
        if !places.isEmpty { return places[ByteKey(key)] }
        for place in members.indices where members[place].key.hasSameBytes(as: key) { return place }
        return nil
    }

    private mutating func notePlaces() {
        places = [:]
        guard members.count > Self.searched else { return }
        for (place, member) in members.enumerated() { places[ByteKey(member.key)] = place }
    }
}

extension JSONObject: Hashable {
    /// Whether both have the same members, in whatever order.
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.count == other.count && one.members.allSatisfy { other[$0.key] == $0.value }
    }

    /// Hashes the members regardless of their order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        var combined = 0
        for (key, value) in members {
            var member = Hasher()
            key.hashBytes(into: &member)
            member.combine(value)
            combined ^= member.finalize()
        }
        hasher.combine(combined)
    }
}

extension JSONObject: Sequence {
    /// Iterates over the members in the order written.
    public func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }

    /// The number of members.
    public var underestimatedCount: Int { members.count }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object of these members; of several with the same key the last counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
