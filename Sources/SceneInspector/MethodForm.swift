internal import StrictJSON
internal import Varlink

/// A method as a page makes a form of it.
enum MethodForm {
    /// Its full `name`, its `documentation`, and its `parameters`.
    static func json(of method: String, in interface: VarlinkInterface) -> JSONValue {
        let fields = interface.method(method)?.parameters ?? []
        let documentation = interface.members.first { $0.name == method }?.documentation ?? ""
        return [
            "name": .string("\(interface.name).\(method)"), "documentation": .string(documentation),
            "parameters": .array(fields.map { parameter($0, in: interface) }),
        ]
    }

    /// Its `name`, `documentation`, whether it is `optional`, its `type` (`text`, `number`, `truth`, `texts`, `choice` or `json`), and the
    /// `choices` there are.
    private static func parameter(_ field: VarlinkField, in interface: VarlinkInterface) -> JSONValue {
        var (type, isOptional) = (field.type, false)
        if case .nullable(let inner) = type { (type, isOptional) = (inner, true) }
        if case .named(let name) = type, let declared = interface.type(name) { type = declared }
        var json: JSONObject = [
            "name": .string(field.name), "documentation": .string(field.documentation), "optional": .bool(isOptional),
        ]
        switch type {
        case .string: json["type"] = "text"
        case .int, .float: json["type"] = "number"
        case .bool: json["type"] = "truth"
        case .array(.string): json["type"] = "texts"
        case .enumeration(let symbols):
            json["type"] = "choice"
            json["choices"] = .array(symbols.map { .string($0.name) })
        case .object, .array, .dictionary, .structure, .named, .nullable: json["type"] = "json"
        }
        return .object(json)
    }
}
