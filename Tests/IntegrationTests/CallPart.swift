import Testing
import StrictJSON
import Varlink

/// A part of a method's parameters that can be of any size. The interfaces say which there are.
struct CallPart: Sendable, CustomTestStringConvertible {
    let method: String
    let path: String
    /// The name of the field that it is in.
    let field: String
    let needsMore: Bool
    let parameters: @Sendable (_ part: JSONValue) -> JSONObject

    var testDescription: String { "\(method) \(path)" }

    /// The methods that would end the daemon's work.
    private static let spared: Set<String> = ["Drain", "Reset", "Reload"]

    /// Every text in the parameters of every method, and in `lists` every list and dictionary.
    static func all(_ daemon: LiveDaemon) async throws -> (texts: [CallPart], keys: [CallPart], lists: [CallPart]) {
        let client = try await daemon.connect()
        let info = try await client.call("org.varlink.service.GetInfo")
        var all: (texts: [CallPart], keys: [CallPart], lists: [CallPart]) = ([], [], [])
        for case .string(let name) in info["interfaces"]?.arrayValue ?? [] {
            let reply = try await client.call(
                "org.varlink.service.GetInterfaceDescription",
                ["interface": .string(name)]
            )
            let interface = try VarlinkInterface(parsing: reply["description"]?.stringValue ?? "")
            for method in interface.methodNames where !Self.spared.contains(method) {
                let fields = try #require(interface.method(method)).parameters
                for place in Places(interface).places(in: .structure(fields), field: "") {
                    let part = CallPart(
                        method: "\(name).\(method)",
                        path: String(place.path.dropFirst()),
                        field: place.field,
                        needsMore: method == "Register",
                        parameters: { place.value($0).objectValue ?? [:] }
                    )
                    switch place.kind {
                    case .text: all.texts.append(part)
                    case .key: all.keys.append(part)
                    case .list: all.lists.append(part)
                    }
                }
            }
        }
        return all
    }
}

/// Finds the parts of a type that can be of any size, with the smallest value around each.
private struct Places {
    struct Place {
        enum Kind { case text, key, list }

        let kind: Kind
        let path: String
        let field: String
        /// Takes a text, or for a list its length.
        let value: @Sendable (JSONValue) -> JSONValue

        func within(_ step: String, _ wrap: @escaping @Sendable (JSONValue) -> JSONValue) -> Place {
            Place(kind: kind, path: step + path, field: field) { [value] in wrap(value($0)) }
        }
    }

    let interface: VarlinkInterface

    init(_ interface: VarlinkInterface) { self.interface = interface }

    func places(in type: VarlinkType, field: String) -> [Place] {
        switch type {
        case .bool, .int, .float: return []
        case .string, .enumeration: return [Place(kind: .text, path: "", field: field) { $0 }]
        case .nullable(let type): return places(in: type, field: field)
        case .named(let name): return interface.type(name).map { places(in: $0, field: field) } ?? []
        case .object:
            return places(in: .dictionary(.string), field: field)
                + [Place(kind: .list, path: "[[…]]", field: field) { ["a": .array(Self.many($0, "a"))] }]
        case .array(let type):
            let element = smallest(type)
            return places(in: type, field: field).map { $0.within("[0]") { [$0] } }
                + [Place(kind: .list, path: "[…]", field: field) { .array(Self.many($0, element)) }]
        case .dictionary(let type):
            let element = smallest(type)
            return places(in: type, field: field).map { $0.within("[a]") { ["a": $0] } } + [
                Place(kind: .key, path: "[key]", field: field) { .object([$0.stringValue ?? "": element]) },
                Place(kind: .list, path: "{…}", field: field) { count in
                    .object(JSONObject((0..<(count.integerValue ?? 0)).map { ("k\($0)", element) }))
                },
            ]
        case .structure(let fields):
            let whole = smallest(type).objectValue ?? [:]
            return fields.flatMap { field in
                places(in: field.type, field: field.name).map { place in
                    place.within(".\(field.name)") { part in
                        var object = whole
                        object[field.name] = part
                        return .object(object)
                    }
                }
            }
        }
    }

    private static func many(_ count: JSONValue, _ element: JSONValue) -> [JSONValue] {
        Array(repeating: element, count: count.integerValue ?? 0)
    }

    private func smallest(_ type: VarlinkType) -> JSONValue {
        switch type {
        case .bool: false
        case .int: 1
        case .float: 1.5
        case .string: "a"
        case .object, .dictionary: [:]
        case .nullable: nil
        case .array: []
        case .enumeration(let symbols): .string(symbols.first?.name ?? "")
        case .named(let name): interface.type(name).map(smallest) ?? .null
        case .structure(let fields):
            // An action needs a scene.
            .object(JSONObject(fields.map { ($0.name, $0.name == "scene" ? "a" : smallest($0.type)) }))
        }
    }
}
