/// The members of a JSON object in the order written.
///
/// Order is kept for people who read what is printed; it carries no meaning, so two objects with the same members in
/// different order are equal.
public struct JSONObject: Sendable {
    /// One member.
    public typealias Member = (key: String, value: JSONValue)

    /// How many members are searched one by one: as many keys as are compared sooner than one is hashed.
    private static let searched = 16

    private var members: [Member] = []
    /// Where each key stands, for an object with more than ``searched`` members.
    private var places: [String: Int] = [:]

    /// An object without members.
    public init() {}

    /// An object without members, with room for `capacity`.
    init(capacity: Int) { members.reserveCapacity(capacity) }

    /// An object of these members; of several with one key the last counts.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        self.members.reserveCapacity(members.underestimatedCount)
        for (key, value) in members { set(key, value) }
    }

    /// An object of these members; of several with one key the last counts.
    public init(_ members: [(String, JSONValue)]) {
        self.members.reserveCapacity(members.count)
        for (key, value) in members { set(key, value) }
    }

    /// The number of members.
    public var count: Int { members.count }

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

    /// Adds a member whose key is known to be new.
    mutating func append(_ key: String, _ value: JSONValue) {
        members.append((key, value))
        if !places.isEmpty {
            places[key] = members.count - 1
        } else if members.count > Self.searched {
            notePlaces()
        }
    }

    private func place(of key: String) -> Int? {
        if !places.isEmpty { return places[key] }
        for place in members.indices where members[place].key == key { return place }
        return nil
    }

    private mutating func notePlaces() {
        places = [:]
        guard members.count > Self.searched else { return }
        for (place, member) in members.enumerated() { places[member.key] = place }
    }
}

extension JSONObject: Hashable {
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.count == other.count && one.members.allSatisfy { other[$0.key] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        var combined = 0
        for (key, value) in members {
            var member = Hasher()
            member.combine(key)
            member.combine(value)
            combined ^= member.finalize()
        }
        hasher.combine(combined)
    }
}

extension JSONObject: Sequence {
    public func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }

    public var underestimatedCount: Int { members.count }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
