package import StrictJSON

/// A value of a manifest file with its place, read from YAML or JSON.
package struct ManifestNode: Sendable {
    package enum Value: Sendable {
        /// A single value. A quoted one is text, whatever it looks like.
        case scalar(String, isQuoted: Bool)
        case list([ManifestNode])
        /// The members in the order of the file, with unique keys.
        case map([Member])
    }

    package struct Member: Sendable {
        package var key: String
        package var place: Place
        package var value: ManifestNode
    }

    /// A line and a column, both from 1. In YAML columns count Unicode scalars, in JSON bytes.
    package struct Place: Hashable, Sendable {
        package var line: Int
        package var column: Int

        package init(line: Int, column: Int) {
            (self.line, self.column) = (line, column)
        }
    }

    package var value: Value
    package var place: Place

    /// A word that stands for one that is written otherwise at a place.
    package static func word(_ word: String, at place: Place) -> ManifestNode {
        ManifestNode(value: .scalar(word, isQuoted: false), place: place)
    }

    /// The kind of the value, for messages: `a list`.
    package var kind: String {
        switch value {
        case .scalar:
            switch json {
            case .null: "nothing"
            case .bool: "a boolean"
            case .number where isWhole: "an integer that takes more than 64 bits"
            case .integer, .number: "a number"
            default: "text"
            }
        case .list: "a list"
        case .map: "a mapping"
        }
    }

    /// Whether it is written as an integer.
    private var isWhole: Bool {
        guard case .scalar(let text, isQuoted: false) = value else { return false }
        return !text.isEmpty && text.drop { $0 == "-" || $0 == "+" }.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    package var isNull: Bool {
        guard case .scalar(let text, isQuoted: false) = value else { return false }
        return text.isEmpty || text == "null" || text == "~"
    }

    package var members: [Member]? {
        guard case .map(let members) = value else { return nil }
        return members
    }
}

extension ManifestNode {
    /// The place of what is at a path below, or of the nearest above it that is there.
    /// - Parameter path: Names between dots, which may have dots themselves, and positions from 0: `details[0].paths`.
    func place(of path: Substring) -> Place {
        let found: (place: Place, value: ManifestNode, length: Int)?
        switch value {
        case .scalar: found = nil
        case .list(let elements):
            guard path.first == "[", let end = path.firstIndex(of: "]"), let index = Int(path[..<end].dropFirst()),
                elements.indices.contains(index)
            else { return place }
            let element = elements[index]
            found = (element.place, element, path.distance(from: path.startIndex, to: end) + 1)
        case .map(let members):
            // Of several that fit, as 'a' and 'a.b', the longest is meant.
            let fitting = members.filter { member in
                guard path.hasPrefix(member.key) else { return false }
                let next = path.dropFirst(member.key.count).first
                return next == nil || next == "." || next == "["
            }
            found = fitting.max { $0.key.count < $1.key.count }.map { ($0.place, $0.value, $0.key.count) }
        }
        guard !path.isEmpty, let found else { return place }
        let rest = path.dropFirst(found.length)
        return rest.isEmpty ? found.place : found.value.place(of: rest.first == "." ? rest.dropFirst() : rest)
    }

    /// A JSON value with the places of its parts.
    init(_ json: JSONValue, _ places: JSONPlaces) {
        place = Place(line: places.place.line, column: places.place.column)
        switch json {
        case .null: value = .scalar("null", isQuoted: false)
        case .bool(let bool): value = .scalar(bool ? "true" : "false", isQuoted: false)
        case .integer(let integer): value = .scalar(String(integer), isQuoted: false)
        case .number(let number): value = .scalar(number.description, isQuoted: false)
        case .string(let text): value = .scalar(text, isQuoted: true)
        case .array(let elements):
            value = .list(zip(elements, places.elements).map { ManifestNode($0, $1) })
        case .object(let members):
            value = .map(
                members.compactMap { key, member in
                    guard let known = places[key] else { return nil }
                    let name = Place(line: known.name.line, column: known.name.column)
                    return Member(key: key, place: name, value: ManifestNode(member, known.value))
                }
            )
        }
    }
}

extension ManifestNode {
    /// The value as JSON. Plain scalars are read by the core schema of YAML.
    package var json: JSONValue {
        switch value {
        case .list(let list): return .array(list.map(\.json))
        case .map(let members): return .object(JSONObject(members.map { ($0.key, $0.value.json) }))
        case .scalar(let text, let isQuoted):
            if isQuoted { return .string(text) }
            if isNull { return .null }
            if text == "true" || text == "false" { return .bool(text == "true") }
            if let integer = Int(text) { return .integer(integer) }
            if let number = Double(text), number.isFinite { return .number(number) }
            return .string(text)
        }
    }
}
