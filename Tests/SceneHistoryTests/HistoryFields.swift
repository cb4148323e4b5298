import Basics
import StrictJSON

/// The fields of the records of a history, and the values that each has.
struct HistoryFields {
    private var values: [String: [JSONValue]] = [:]

    /// Objects whose members are named by the app.
    private static let maps: Set<String> = ["holds", "parameters"]

    init(of objects: [JSONObject]) {
        for object in objects { collect(.object(object), object["kind"]?.stringValue ?? "") }
    }

    private mutating func collect(_ value: JSONValue, _ path: String) {
        switch value {
        case .object(let members): for (key, value) in members { collect(value, Self.path(path, key)) }
        case .array(let elements): for element in elements { collect(element, path + "[]") }
        default:
            if values[path]?.contains(value) != true, values[path, default: []].count < 12 {
                values[path, default: []].append(value)
            }
        }
    }

    private static func path(_ path: String, _ key: String) -> String {
        let isTop = !path.contains(" ")
        let parent = path.split(whereSeparator: { " .".contains($0) }).last.map(String.init) ?? ""
        return "\(path)\(isTop ? " " : ".")\(maps.contains(parent) ? "*" : key)"
    }

    /// The record with one field changed to another value of its kind, left out, or shortened.
    func variants(of object: JSONObject, _ random: inout SplitMix) -> [(field: String, object: JSONObject)] {
        let kind = object["kind"]?.stringValue ?? ""
        return variants(of: .object(object), kind, &random).compactMap { field, value in
            field.hasSuffix(" kind") || field.hasSuffix(" kind?") ? nil : value.objectValue.map { (field, $0) }
        }
    }

    private func variants(of value: JSONValue, _ path: String, _ random: inout SplitMix) -> [(String, JSONValue)] {
        switch value {
        case .object(let members):
            return members.flatMap { key, member -> [(String, JSONValue)] in
                let place = Self.path(path, key)
                var changed = variants(of: member, place, &random).map { field, value -> (String, JSONValue) in
                    var copy = members
                    copy[key] = value
                    return (field, .object(copy))
                }
                var shorter = members
                shorter[key] = nil
                changed.append((place + "?", .object(shorter)))
                return changed
            }
        case .array(let elements):
            guard !elements.isEmpty else { return [] }
            let index = random.below(elements.count)
            return variants(of: elements[index], path + "[]", &random).map { field, value in
                var copy = elements
                copy[index] = value
                return (field, .array(copy))
            } + [(path + "[]?", .array(Array(elements.dropLast())))]
        case .bool(let bool): return [(path, .bool(!bool))]
        // Before everything else, or after it.
        case .integer where path == "host.started monotonic": return [(path, .integer(1 << 62))]
        case .integer where path.hasSuffix(" monotonic"): return [(path, .integer(-1))]
        case .integer(let integer): return [(path, .integer(integer + 1))]
        default:
            let others = (values[path] ?? []).filter { $0 != value }
            return [(path, others.isEmpty ? .string((value.stringValue ?? "") + "x") : random.pick(others))]
        }
    }
}
