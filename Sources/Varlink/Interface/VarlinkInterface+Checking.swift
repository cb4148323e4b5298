public import StrictJSON

extension VarlinkInterface {
    /// The path of the first member of `parameters` that is missing, ill-typed or not among `fields`, such as
    /// `stack[0].id`; `nil` where all is right. Missing and ill-typed members come first, in the order of `fields`.
    public func firstOffence(in parameters: JSONObject, against fields: [VarlinkField]) -> String? {
        offence(of: parameters, against: fields, path: "")
    }

    private func offence(of members: JSONObject, against fields: [VarlinkField], path: String) -> String? {
        var known = 0
        for field in fields {
            let value = members[field.name]
            if value != nil { known += 1 }
            let place = path.isEmpty ? field.name : "\(path).\(field.name)"
            if let offence = offence(of: value ?? .null, against: field.type, path: place) { return offence }
        }
        guard known < members.count else { return nil }
        let names = Set(fields.map(\.name))
        return members.keys.first { !names.contains($0) }.map { path.isEmpty ? $0 : "\(path).\($0)" }
    }

    /// Recursion ends with the value: only a reference leads to a type without looking into the value, and a chain of
    /// references without anything between them cannot be written.
    private func offence(of value: JSONValue, against type: VarlinkType, path: String) -> String? {
        switch (type, value) {
        case (.bool, .bool), (.int, .integer), (.float, .integer), (.float, .number), (.string, .string),
            (.object, .object), (.nullable, .null):
            return nil
        case (.nullable(let type), _):
            return offence(of: value, against: type, path: path)
        case (.array(let type), .array(let elements)):
            for (index, element) in elements.enumerated() {
                if let offence = offence(of: element, against: type, path: "\(path)[\(index)]") { return offence }
            }
            return nil
        case (.dictionary(let type), .object(let members)):
            for (key, member) in members {
                if let offence = offence(of: member, against: type, path: "\(path)[\(key)]") { return offence }
            }
            return nil
        case (.structure(let fields), .object(let members)):
            return offence(of: members, against: fields, path: path)
        case (.enumeration(let symbols), .string(let string)):
            return symbols.contains { $0.name == string } ? nil : path
        case (.named(let name), _):
            guard let type = self.type(name) else { return path }
            return offence(of: value, against: type, path: path)
        case (.bool, _), (.int, _), (.float, _), (.string, _), (.object, _), (.array, _), (.dictionary, _),
            (.structure, _), (.enumeration, _):
            return path
        }
    }
}
