internal import Basics
internal import StrictJSON

/// What a service requires of the texts in its calls, besides their types.
///
/// It is called with the text, with the name of the field that the text is in, and with whether the text is a key of that
/// field's dictionary or object. It returns what is wrong with the text and what would be right, or `nil`.
public typealias VarlinkTextRule = @Sendable (_ text: String, _ field: String, _ isKey: Bool) -> String?

/// A part of a call or a reply that does not fit the interface.
struct VarlinkMismatch {
    /// The steps to the part, the last one first.
    private var steps: [String]
    /// What is wrong with the part and what would be right.
    let reason: String

    init(_ reason: String, at step: String? = nil) {
        steps = step.map { [$0] } ?? []
        self.reason = reason
    }

    func within(_ step: String) -> VarlinkMismatch {
        var outer = self
        outer.steps.append(step)
        return outer
    }

    /// The path, such as `stack[0].id`.
    var path: String {
        let path = steps.reversed().joined()
        return path.hasPrefix(".") ? String(path.dropFirst()) : path
    }
}

extension VarlinkType {
    /// What it takes, for messages.
    package var phrase: String {
        switch self {
        case .bool: "true or false"
        case .int: "an integer"
        case .float: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object, .dictionary, .structure, .named: "an object"
        case .nullable(let type): type.phrase
        case .enumeration(let symbols): "one of \(symbols.map(\.name).joined(separator: ", "))"
        }
    }
}

extension VarlinkInterface {
    /// The first member of `parameters` that is missing, has the wrong type or is not among `fields`; `nil` if all fit. Missing
    /// and wrong members come first, in the order of `fields`, then unknown ones.
    /// - Parameter texts: checks every text, too; `nil` checks none.
    func firstMismatch(
        in parameters: JSONObject,
        with fields: [VarlinkField],
        texts: VarlinkTextRule? = nil
    ) -> VarlinkMismatch? {
        Check(interface: self, texts: texts).members(parameters, fields)
    }

    /// It looks at each byte of a value a few times at most, whatever the value.
    private struct Check {
        let interface: VarlinkInterface
        let texts: VarlinkTextRule?

        func members(_ members: JSONObject, _ fields: [VarlinkField]) -> VarlinkMismatch? {
            var known = 0
            for field in fields {
                let value = members[field.name]
                if value != nil { known += 1 }
                if let mismatch = self.value(value ?? .null, field.type, field.name) {
                    return mismatch.within(".\(field.name)")
                }
            }
            guard known < members.count else { return nil }
            let names = Set(fields.map { ByteKey($0.name) })
            let unknown = members.first { !names.contains(ByteKey($0.key)) }?.key
            return unknown.map { key in
                let known = fields.isEmpty ? "nothing" : "one of \(fields.map(\.name).joined(separator: ", "))"
                return VarlinkMismatch(
                    "is not known here; expected \(known)",
                    at: ".\(key.utf8.count <= 64 ? key : key.quotedForMessage)"
                )
            }
        }

        /// The recursion is as deep as the value: only a reference leads from type to type without going deeper into the value,
        /// and the grammar has no way to declare a type as nothing but a reference.
        private func value(_ value: JSONValue, _ type: VarlinkType, _ field: String) -> VarlinkMismatch? {
            switch (type, value) {
            case (.bool, .bool), (.int, .integer), (.float, .integer), (.float, .number), (.nullable, .null): return nil
            case (.string, .string(let text)): return self.text(text, field, isKey: false)
            case (.object, .object): return texts == nil ? nil : inside(value, field, isOutermost: true)
            case (.nullable(let type), _): return self.value(value, type, field)
            case (.array(let type), .array(let elements)):
                for (index, element) in elements.enumerated() {
                    if let mismatch = self.value(element, type, field) { return mismatch.within("[\(index)]") }
                }
                return nil
            case (.dictionary(let type), .object(let members)):
                for (key, member) in members {
                    let mismatch = text(key, field, isKey: true) ?? self.value(member, type, field)
                    if let mismatch { return mismatch.within(Self.step(key)) }
                }
                return nil
            case (.structure(let fields), .object(let members)): return self.members(members, fields)
            case (.enumeration(let symbols), .string(let string)):
                if symbols.contains(where: { string.hasSameBytes(as: $0.name) }) { return nil }
                return VarlinkMismatch("expected \(type.phrase), found \(string.quotedForMessage)")
            case (.named(let name), _):
                guard let type = interface.type(name) else {
                    return VarlinkMismatch("the type \(name) is not declared")
                }
                return self.value(value, type, field)
            case (_, .null): return VarlinkMismatch("is missing; expected \(type.phrase)")
            case (.bool, _), (.int, _), (.float, _), (.string, _), (.object, _), (.array, _), (.dictionary, _),
                (.structure, _), (.enumeration, _):
                return VarlinkMismatch("expected \(type.phrase), found \(value.typeName)")
            }
        }

        /// Checks the texts in an object of which the interface says nothing more.
        private func inside(_ value: JSONValue, _ field: String, isOutermost: Bool = false) -> VarlinkMismatch? {
            switch value {
            case .null, .bool, .integer, .number: return nil
            case .string(let text): return marks(text)
            case .array(let elements):
                for (index, element) in elements.enumerated() {
                    if let mismatch = inside(element, field) { return mismatch.within("[\(index)]") }
                }
            case .object(let members):
                for (key, member) in members {
                    let name = isOutermost ? text(key, field, isKey: true) : marks(key)
                    if let mismatch = name ?? inside(member, field) { return mismatch.within(Self.step(key)) }
                }
            }
            return nil
        }

        private func text(_ text: String, _ field: String, isKey: Bool) -> VarlinkMismatch? {
            guard let texts else { return nil }
            if let mismatch = marks(text) { return mismatch }
            return texts(text, field, isKey).map { VarlinkMismatch("\(text.quotedForMessage) \($0)") }
        }

        /// Without this bound, whoever compares the text later may take time in proportion to the square of its length.
        private func marks(_ text: String) -> VarlinkMismatch? {
            text.excessMark.map { place in
                VarlinkMismatch(
                    "\(text.quotedForMessage) has more than \(MarkCounter.limit) combining marks in a row at byte \(place + 1)"
                )
            }
        }

        private static func step(_ key: String) -> String { "[\(key.utf8.count <= 64 ? key : key.quotedForMessage)]" }
    }
}
