package import StrictJSON

/// The parts of JSON Schema that the files in `protocol/` use.
package struct JSONSchema: Sendable {
    package let schema: JSONValue

    package init(_ schema: JSONValue) {
        self.schema = schema
    }

    /// A schema with a reference to a definition that does not exist.
    package struct Broken: Error {}

    /// The places at which the value does not match the schema, such as `.facts.x[0]`.
    package func failures(_ value: JSONValue) throws -> [String] { try failures(value, schema, at: "") }

    private func known<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Broken() }
        return value
    }

    private func failures(_ value: JSONValue, _ schema: JSONValue, at place: String) throws -> [String] {
        var schema = schema
        if let reference = schema["$ref"]?.stringValue {
            let name = try known(reference.split(separator: "/").last.map(String.init))
            schema = try known(self.schema["$defs"]?[name])
        }
        if let choices = schema["anyOf"]?.arrayValue {
            let results = try choices.map { try failures(value, $0, at: place) }
            if !results.contains([]) { return [place] }
        }
        if let choices = schema["oneOf"]?.arrayValue {
            let matching = try choices.filter { try failures(value, $0, at: place).isEmpty }
            if matching.count != 1 { return [place] }
        }
        if let constants = schema["enum"]?.arrayValue, !constants.contains(value) { return [place] }
        if let type = schema["type"] {
            let types = (type.arrayValue ?? [type]).compactMap(\.stringValue)
            let name = value.typeName
            guard types.contains(name) || name == "integer" && types.contains("number") else { return [place] }
        }
        if let least = schema["minimum"]?.doubleValue, let number = value.doubleValue, number < least { return [place] }
        if let most = schema["maximum"]?.doubleValue, let number = value.doubleValue, number > most { return [place] }
        if let least = schema["minLength"]?.integerValue, let text = value.stringValue, text.count < least {
            return [place]
        }
        if let most = schema["maxLength"]?.integerValue, let text = value.stringValue, text.count > most {
            return [place]
        }
        if let pattern = schema["pattern"]?.stringValue, let text = value.stringValue {
            let expression = try Regex(pattern)
            guard try expression.firstMatch(in: text) != nil else { return [place] }
        }
        var found: [String] = []
        if let least = schema["minItems"]?.integerValue, let list = value.arrayValue, list.count < least {
            found.append(place)
        }
        if let most = schema["maxItems"]?.integerValue, let list = value.arrayValue, list.count > most {
            found.append(place)
        }
        if let least = schema["minProperties"]?.integerValue, let object = value.objectValue, object.count < least {
            found.append(place)
        }
        if let most = schema["maxProperties"]?.integerValue, let object = value.objectValue, object.count > most {
            found.append(place)
        }
        for (index, element) in (value.arrayValue ?? []).enumerated() {
            guard let items = schema["items"] else { break }
            found += try failures(element, items, at: "\(place)[\(index)]")
        }
        for required in schema["required"]?.arrayValue ?? [] {
            let name = try known(required.stringValue)
            if value.objectValue != nil, value[name] == nil { found.append("\(place).\(name)") }
        }
        for (key, member) in value.objectValue ?? [:] {
            if let names = schema["propertyNames"] { found += try failures(.string(key), names, at: "\(place).\(key)") }
            if let property = schema["properties"]?[key] {
                found += try failures(member, property, at: "\(place).\(key)")
            } else if let additional = schema["additionalProperties"] {
                if additional == .bool(false) {
                    found.append("\(place).\(key)")
                } else if additional != .bool(true) {
                    found += try failures(member, additional, at: "\(place).\(key)")
                }
            }
        }
        return found
    }
}
