import Foundation
import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Basics
import StrictJSON
import Testing

/// Records are written by hand for speed; these tests compare them with the schema and with a general writer.
@Suite struct RecordWritingTests {
    @Test(arguments: RecordKind.allCases)
    func `a record is written as its schema says, and as its tree is`(_ kind: RecordKind) throws {
        let schema = try Self.schema()
        var described: Set<String> = []
        fields(of: schema["$defs"]?[kind.rawValue] ?? nil, kind.rawValue, schema, &described)
        var seen: Set<String> = []
        let subject = Set(schema["properties"]?.objectValue?.keys ?? [])
        let body = try #require(schema["$defs"]?[kind.rawValue])
        let fields = Set(body["properties"]?.objectValue?.keys ?? [])
        let needed = Set((body["required"]?.arrayValue ?? []).compactMap(\.stringValue)).subtracting(subject)
        let engine = try RoutingEngine(manifest: .builtInShop())
        for seed in 1...200 as ClosedRange<UInt64> {
            var maker = RecordMaker(random: SplitMix(seed: seed), traits: engine.traits)
            let record = maker.record(kind)
            var json = JSONText()
            record.write(to: &json)
            #expect(record.body.kind == kind)
            let tree = JSONValue.object(record.json)
            #expect(String(decoding: json.bytes, as: UTF8.self) == tree.text(), "seed \(seed)")
            let written = Set(record.json.keys)
            #expect(written.isSubset(of: subject.union(fields)) && needed.isSubset(of: written), "seed \(seed)")
            see(tree, schema["$defs"]?[kind.rawValue] ?? nil, kind.rawValue, schema, &seen)
        }
        #expect(described.subtracting(seen).sorted() == [], "never written")
    }

    @Test(
        arguments: [
            (.bubble(Intent(name: "buy")), ["parameters": [:]]),
            (.bubble(Intent(name: "buy", parameters: ["id": "p1"])), ["parameters": ["id": "p1"]]),
            (.bubble(Intent(name: "buy"), from: "tab home"), ["parameters": [:], "from": "tab home"]),
            (.gesture(.selectTab("orders")), ["tab": "orders"]),
            (.gesture(.swipeBack(cancelled: true)), ["cancelled": true]), (.gesture(.swipeBack()), nil),
            (.gesture(.swipeDown(cancelled: true)), ["cancelled": true]), (.gesture(.dismiss), nil),
            (.finish(flow: "auth", .cancelled), ["result": "cancelled"]),
            (.finish(flow: "auth", .completed(FlowCompletion())), ["result": "completed", "facts": [:]]),
            (
                .finish(flow: "auth", .completed(FlowCompletion(user: "anna", facts: ["order": .string("o7")]))),
                ["result": "completed", "user": "anna", "facts": ["order": "o7"]]
            ), (.deliver, nil),
            (.navigate(RouteRequest(destination: Destination(id: "cart"), source: .internal), route: nil), nil),
        ] as [(EventWork, JSONValue?)]
    )
    func `an act is written with what it comes with`(_ work: EventWork, _ act: JSONValue?) {
        let arrival = Record.Arrival(
            kind: "kind",
            name: nil,
            source: .internal,
            choice: .named,
            delivery: .warm,
            options: nil,
            call: nil,
            adapter: nil,
            work: work
        )
        let content = Record.Content(host: "test", subject: Record.Subject(), body: .eventAdmitted(arrival))
        #expect(Record(index: 1, time: .zero, content).json["act"] == act)
    }

    @Test
    func `what an app has named is written in the order of the names`() throws {
        let engine = try RoutingEngine(manifest: .builtInShop())
        var seen: Set<String> = []
        for kind in RecordKind.allCases {
            for seed in 1...200 as ClosedRange<UInt64> {
                var maker = RecordMaker(random: SplitMix(seed: seed), traits: engine.traits)
                seeOrder(.object(maker.record(kind).json), "", &seen)
            }
        }
        let places = [
            "act.facts", "act.parameters", "destination.parameters", "facts", "holds", "parameters",
            "parked.parameters", "shown.parameters", "stack.parameters", "startedFlows", "variant.parameters",
        ]
        #expect(seen.sorted() == places)
    }

    /// Notes where several names stand, as `member.member`.
    private func seeOrder(_ value: JSONValue, _ path: String, _ seen: inout Set<String>) {
        for element in value.arrayValue ?? [] { seeOrder(element, path, &seen) }
        guard let object = value.objectValue else { return }
        for name in object.keys {
            guard let member = object[name] else { continue }
            let inner = path.isEmpty ? name : "\(path).\(name)"
            guard ["parameters", "facts", "holds", "startedFlows"].contains(name) else {
                seeOrder(member, name, &seen)
                continue
            }
            let names = member.objectValue?.keys ?? []
            #expect(names == names.sorted(), "\(inner)")
            if names.count > 1 { seen.insert(inner) }
        }
    }

    private static func schema() throws -> JSONValue {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try JSONValue(parsing: Array(Data(contentsOf: root.appending(path: "protocol/record.schema.json"))))
    }

    /// What a part of the schema refers to, under its name.
    private func resolved(_ part: JSONValue, _ name: String, _ schema: JSONValue) -> (JSONValue, String) {
        guard let reference = part["$ref"]?.stringValue?.split(separator: "/").last.map(String.init) else {
            return (part, name)
        }
        return (schema["$defs"]?[reference] ?? nil, reference)
    }

    /// Every field that the schema describes below a part of it, as `definition.field`.
    private func fields(of part: JSONValue, _ name: String, _ schema: JSONValue, _ found: inout Set<String>) {
        let (part, name) = resolved(part, name, schema)
        if let items = part["items"] { fields(of: items, name, schema, &found) }
        for choice in part["oneOf"]?.arrayValue ?? [] { fields(of: choice, Self.name(name, choice), schema, &found) }
        for (field, below) in part["properties"]?.objectValue ?? [:] {
            let isNew = found.insert("\(name).\(field)").inserted
            if isNew { fields(of: below, "\(name).\(field)", schema, &found) }
        }
    }

    /// Notes the described fields that a value has.
    private func see(
        _ value: JSONValue,
        _ part: JSONValue,
        _ name: String,
        _ schema: JSONValue,
        _ seen: inout Set<String>
    ) {
        let (part, name) = resolved(part, name, schema)
        if let items = part["items"] {
            for element in value.arrayValue ?? [] { see(element, items, name, schema, &seen) }
        }
        for choice in part["oneOf"]?.arrayValue ?? [] where choice["properties"]?["name"]?["const"] == value["name"] {
            see(value, choice, Self.name(name, choice), schema, &seen)
        }
        let required = (part["required"]?.arrayValue ?? []).compactMap(\.stringValue)
        for (field, below) in part["properties"]?.objectValue ?? [:] {
            guard let member = value[field] else { continue }
            seen.insert("\(name).\(field)")
            if below["type"] == "boolean", !required.contains(field) {
                #expect(member == true, "\(name).\(field) is written only if it is true")
            }
            see(member, below, "\(name).\(field)", schema, &seen)
        }
    }

    private static func name(_ name: String, _ choice: JSONValue) -> String {
        name + (choice["properties"]?["name"]?["const"]?.stringValue.map { " \($0)" } ?? "")
    }
}
