package import StrictJSON

extension ManifestNode {
    /// A JSON value and where its parts stand.
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
                    guard let known = places.members[key] else { return nil }
                    let name = Place(line: known.name.line, column: known.name.column)
                    return Member(key: key, place: name, value: ManifestNode(member, known.value))
                }
            )
        }
    }
}

extension ManifestNode {
    /// The value as JSON, plain scalars by YAML's core schema.
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
