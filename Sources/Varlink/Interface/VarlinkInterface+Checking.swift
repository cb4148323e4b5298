internal import StrictJSON

extension VarlinkInterface {
    /// The path of the first member of `parameters` that is missing, has the wrong type or is not among `fields`, such as
    /// `stack[0].id`; `nil` if all fit. Missing and wrong members come first, in the order of `fields`, then unknown ones.
    func firstMismatch(in parameters: JSONObject, with fields: [VarlinkField]) -> String? {
        mismatch(of: parameters, with: fields, path: "")
    }

    private func mismatch(of members: JSONObject, with fields: [VarlinkField], path: String) -> String? {
        var known = 0
        for field in fields {
            let value = members[field.name]
            if value != nil { known += 1 }
            let place = path.isEmpty ? field.name : "\(path).\(field.name)"
            if let mismatch = mismatch(of: value ?? .null, with: field.type, path: place) { return mismatch }
        }
        guard known < members.count else { return nil }
        let names = Set(fields.map(\.name))
        return members.keys.first { !names.contains($0) }.map { path.isEmpty ? $0 : "\(path).\($0)" }
    }

    /// The recursion is as deep as the value: only a reference leads from type to type without going deeper into the value,
    /// and the grammar has no way to declare a type as nothing but a reference.
    private func mismatch(of value: JSONValue, with type: VarlinkType, path: String) -> String? {
        switch (type, value) {
        case (.bool, .bool), (.int, .integer), (.float, .integer), (.float, .number), (.string, .string),
            (.object, .object), (.nullable, .null):
            return nil
        case (.nullable(let type), _):
            return mismatch(of: value, with: type, path: path)
        case (.array(let type), .array(let elements)):
            for (index, element) in elements.enumerated() {
                if let mismatch = mismatch(of: element, with: type, path: "\(path)[\(index)]") { return mismatch }
            }
            return nil
        case (.dictionary(let type), .object(let members)):
            for (key, member) in members {
                if let mismatch = mismatch(of: member, with: type, path: "\(path)[\(key)]") { return mismatch }
            }
            return nil
        case (.structure(let fields), .object(let members)):
            return mismatch(of: members, with: fields, path: path)
        case (.enumeration(let symbols), .string(let string)):
            return symbols.contains { $0.name == string } ? nil : path
        case (.named(let name), _):
            guard let type = self.type(name) else { return path }
            return mismatch(of: value, with: type, path: path)
        case (.bool, _), (.int, _), (.float, _), (.string, _), (.object, _), (.array, _), (.dictionary, _),
            (.structure, _), (.enumeration, _):
            return path
        }
    }
}
