import Foundation
import SceneHistory
import SceneRuntime
import StrictJSON
import Testing

/// What the runtime writes is what `protocol/record.schema.json` says.
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

    @Test func `the schema knows every kind and field that is written, and each has what it demands`() async throws {
        var records = HandMade.clean.records
        records += try await RandomHost(seed: 31).run()
        for record in records {
            let kind = try #require(record["kind"]?.stringValue)
            let definition = try #require(schema["$defs"]?[kind], "\(kind) is not described")
            let known = keys(schema["properties"]).union(keys(definition["properties"]))
            let needed = strings(schema["required"]).union(strings(definition["required"]))
            let present = Set(record.keys)
            #expect(present.isSubset(of: known), "\(kind) has \(present.subtracting(known))")
            #expect(needed.isSubset(of: present), "\(kind) lacks \(needed.subtracting(present))")
        }
    }

    @Test func `the schema's kinds are those that the checker reads`() throws {
        let chosen = (schema["allOf"]?.arrayValue ?? []).compactMap {
            $0["if"]?["properties"]?["kind"]?["const"]?.stringValue
        }
        #expect(chosen == Record.Kind.allCases.map(\.rawValue), "and those that the runtime writes")
        for kind in chosen {
            let record: JSONObject = ["host": "h", "index": 1, "kind": .string(kind), "monotonic": 0]
            // A kind that were unknown would be read as another one, without any demands.
            guard let read = try? HistoryRecord(record) else { continue }
            if case .other = read.body { Issue.record("\(kind) is not read") }
        }
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
