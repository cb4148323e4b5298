internal import StrictJSON

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
