import StrictJSON

/// The part of the page on records that is made from `protocol/record.schema.json`: a table for each kind.
struct RecordPage {
    let schema: JSONValue

    /// The heading at the beginning of that part.
    static let beginning = "## Every record\n"

    var text: String {
        var lines = [Self.beginning]
        lines += Self.paragraph("Fields that stand in every record are marked; the others stand wherever they apply.")
        lines += table(of: schema)
        lines += ["## Kinds", ""]
        for kind in kinds { lines += section(kind, in: defs[kind] ?? nil) }
        lines += ["## Parts", "", "What the fields of several kinds are made of.", ""]
        for part in defs.keys where !kinds.contains(part) { lines += section(part, in: defs[part] ?? nil) }
        return lines.dropLast().joined(separator: "\n") + "\n"
    }

    /// The kinds in the schema's order.
    var kinds: [String] {
        (schema["allOf"]?.arrayValue ?? []).compactMap { $0["if"]?["properties"]?["kind"]?["const"]?.stringValue }
    }

    private var defs: JSONObject { schema["$defs"]?.objectValue ?? [:] }

    private func section(_ name: String, in definition: JSONValue) -> [String] {
        var lines = ["### \(name)", ""]
        lines += Self.paragraph(definition["description"]?.stringValue ?? "")
        if let ops = definition["oneOf"]?.arrayValue {
            for op in ops {
                lines += Self.paragraph("**\(op["properties"]?["name"]?["const"]?.stringValue ?? "")**: \(about(op))")
                lines += table(of: op)
            }
            return lines
        }
        let subject = Self.names(definition["required"]).filter { definition["properties"]?[$0] == nil }
        let either = (definition["anyOf"]?.arrayValue ?? []).flatMap { Self.names($0["required"]) }
        let always = [either, subject].map { $0.map { "`\($0)`" } }
        if !either.isEmpty || !subject.isEmpty {
            let names = (either.isEmpty ? [] : [always[0].joined(separator: " or ")]) + always[1]
            lines += Self.paragraph("Always with " + names.joined(separator: ", ") + ".")
        }
        return lines + table(of: definition)
    }

    /// A row for each field, except those that identify the kind.
    private func table(of definition: JSONValue) -> [String] {
        let required = Set(Self.names(definition["required"]))
        let fields = (definition["properties"]?.objectValue ?? [:]).filter { $0.value["const"] == nil }
        guard !fields.isEmpty else { return [] }
        let rows = fields.map { name, field in
            "| `\(name)` | \(required.contains(name) ? "always" : "") | \(type(of: field)) | \(about(field)) |"
        }
        return ["| field | | type | meaning |", "|---|---|---|---|"] + rows + [""]
    }

    private func type(of field: JSONValue) -> String {
        if let part = field["$ref"]?.stringValue?.split(separator: "/").last { return "<doc:Records#\(part)>" }
        if field["enum"] != nil { return Self.names(field["enum"]).map { "`\($0)`" }.joined(separator: ", ") }
        if let types = field["type"]?.arrayValue { return types.compactMap(\.stringValue).joined(separator: " or ") }
        switch field["type"]?.stringValue {
        case "array": return "array of " + type(of: field["items"] ?? nil)
        case "object":
            if let values = field["additionalProperties"] { return "object of \(type(of: values))" }
            let members = (field["properties"]?.objectValue ?? [:]).map { "`\($0.key)` (\(type(of: $0.value)))" }
            return "object of " + members.joined(separator: ", ")
        case let type?: return type
        case nil: return ""
        }
    }

    /// The schema's description of a value and of its parts.
    private func about(_ field: JSONValue) -> String {
        let own = field["description"]?.stringValue ?? defs[part(of: field)]?["description"]?.stringValue ?? ""
        let members = field["items"]?["properties"]?.objectValue ?? [:]
        return ([own] + members.map { "`\($0.key)`: \(about($0.value))" }).joined(separator: " ")
    }

    private func part(of field: JSONValue) -> String {
        String(field["$ref"]?.stringValue?.split(separator: "/").last ?? "")
    }

    private static func names(_ value: JSONValue?) -> [String] { (value?.arrayValue ?? []).compactMap(\.stringValue) }

    /// A paragraph in lines of at most 120 columns, followed by an empty line.
    private static func paragraph(_ text: String) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + 1 + word.count > 120 {
                lines.append(String(word))
            } else {
                lines[lines.count - 1] = line + " " + word
            }
        }
        return lines + [""]
    }
}
