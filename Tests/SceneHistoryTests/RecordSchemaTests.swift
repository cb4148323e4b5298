import Foundation
import SceneHistory
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// The runtime writes records as `protocol/record.schema.json` describes them.
@Suite struct RecordSchemaTests {
    private let schema: JSONValue

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: root.appending(path: "protocol/record.schema.json"))
        schema = try JSONValue(parsing: Array(data))
    }

    private func strings(_ value: JSONValue?) -> Set<String> {
        Set((value?.arrayValue ?? []).compactMap(\.stringValue))
    }

    private func keys(_ value: JSONValue?) -> Set<String> { Set(value?.objectValue?.keys ?? []) }

    @Test func `the schema has every kind and field that is written, and all required fields are there`() async throws {
        var records = HandMade.clean.records
        var host = try RandomHost(seed: 31)
        host.settings.appVersion = "1.2.0"
        records += try await host.run()
        records += HandMade.goingOn.records
        for record in records {
            let kind = try #require(record["kind"]?.stringValue)
            let definition = try #require(schema["$defs"]?[kind], "\(kind) is not described")
            let known = keys(schema["properties"]).union(keys(definition["properties"]))
            let needed = strings(schema["required"]).union(strings(definition["required"]))
            let present = Set(record.keys)
            #expect(present.isSubset(of: known), "\(kind) has \(present.subtracting(known))")
            #expect(needed.isSubset(of: present), "\(kind) lacks \(needed.subtracting(present))")
            for field in known.intersection(present) {
                let described = definition["properties"]?[field] ?? schema["properties"]?[field] ?? nil
                #expect(faults(of: record[field] ?? nil, by: described, "\(kind).\(field)") == [])
            }
        }
    }

    /// The undescribed and the missing parts of a field.
    private func faults(of value: JSONValue, by described: JSONValue, _ path: String) -> [String] {
        let part = described["$ref"]?.stringValue?.split(separator: "/").last.map(String.init)
        let definition = part.flatMap { schema["$defs"]?[$0] } ?? described
        if let elements = value.arrayValue {
            return elements.flatMap { faults(of: $0, by: definition["items"] ?? nil, "\(path)[]") }
        }
        guard let object = value.objectValue, definition["additionalProperties"] == nil else { return [] }
        let choices = definition["oneOf"]?.arrayValue ?? [definition]
        guard
            let choice = choices.first(where: { choice in
                object["name"] == nil || choices.count == 1 || choice["properties"]?["name"]?["const"] == object["name"]
            })
        else { return ["\(path) is none of those described"] }
        let (known, present) = (keys(choice["properties"]), Set(object.keys))
        let needed = strings(choice["required"])
        return present.subtracting(known).map { "\(path).\($0) is not described" }
            + needed.subtracting(present).map { "\(path).\($0) is missing" }
            + object.flatMap { faults(of: $0.value, by: choice["properties"]?[$0.key] ?? nil, "\(path).\($0.key)") }
    }

    @Test func `the schema's kinds are those that the checker reads`() throws {
        let chosen = (schema["allOf"]?.arrayValue ?? []).compactMap {
            $0["if"]?["properties"]?["kind"]?["const"]?.stringValue
        }
        #expect(chosen == RecordKind.allCases.map(\.rawValue), "and those that the runtime writes")
        for kind in chosen {
            let record: JSONObject = ["host": "h", "index": 1, "kind": .string(kind), "monotonic": 0]
            // An unknown kind would be read as `other`, without required fields.
            guard let read = try? HistoryRecord(record) else { continue }
            if case .other = read.body { Issue.record("\(kind) is not read") }
        }
    }

    /// The lists of words in the schema, by field.
    private static let words: [(field: String, words: [String])] = [
        ("receiver", ["app"]),
        ("activation", Activation.allCases.map(\.rawValue)), ("from", Activation.allCases.map(\.rawValue)),
        ("to", Activation.allCases.map(\.rawValue)),
        ("choice", SceneChoice.allCases.map(\.rawValue)),
        ("delivery", EventDelivery.allCases.map(\.rawValue)), ("verdict", RouteVerdict.allCases.map(\.rawValue)),
        ("cause", NavigationCause.allCases.map(\.rawValue)), ("style", ModalStyle.allCases.map(\.rawValue)),
        ("request", WindowWish.allCases.map(\.rawValue)), ("error", WindowError.allCases.map(\.rawValue)),
        ("reason", LockReason.allCases.map(\.rawValue) + UnlockReason.allCases.map(\.rawValue)),
        ("source", RouteSource.allCases.map(\.rawValue)), ("result", ["completed", "cancelled"]),
        ("item", DispatchKind.allCases.map(\.rawValue)), ("point", HoldPoint.allCases.map(\.rawValue)),
        // No attempt ends admitted.
        ("outcome", OutcomeName.allCases.filter { $0 != .admitted }.map(\.rawValue)),
    ]

    @Test func `the lists of words in the schema are those that are written`() throws {
        var found: [String: Set<String>] = [:]
        func look(_ value: JSONValue) {
            for (name, member) in value.objectValue ?? [:] {
                if let words = member["enum"] { found[name, default: []].formUnion(strings(words)) }
                look(member)
            }
            for element in value.arrayValue ?? [] { look(element) }
        }
        look(schema)
        #expect(found.keys.sorted() == Self.words.map(\.field).sorted())
        for (field, words) in Self.words { #expect(found[field] == Set(words), "\(field)") }
    }

    @Test func `every field has a description`() {
        func undescribed(_ value: JSONValue, _ path: String) -> [String] {
            guard let object = value.objectValue else {
                return (value.arrayValue ?? []).enumerated().flatMap { undescribed($1, "\(path)[\($0)]") }
            }
            let properties = (value["properties"]?.objectValue).map(Array.init) ?? []
            let bare = properties.filter {
                $0.value["description"] == nil && $0.value["const"] == nil && $0.value["$ref"] == nil
            }
            return bare.map { "\(path).\($0.key)" } + object.flatMap { undescribed($0.value, "\(path).\($0.key)") }
        }
        #expect(undescribed(schema["$defs"] ?? nil, "$defs") == [])
        #expect(undescribed(["properties": schema["properties"] ?? nil], "") == [])
    }
}
