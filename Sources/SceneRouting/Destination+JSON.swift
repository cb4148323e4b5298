package import StrictJSON

extension Destination {
    /// `{"id": …, "parameters": {…}}`, parameters in the order of their names: the type `Destination` of the socket API.
    package var json: JSONValue { JSONText.value { write(to: &$0) } }

    /// Writes ``json``.
    package func write(to json: inout JSONText) {
        json.object { writeMembers(to: &$0) }
    }

    /// Writes the members of ``json``.
    package func writeMembers(to json: inout JSONText) {
        json.member("id", id)
        json.member("parameters", parameters)
    }

    /// Reads ``json``. The member `parameters` may be absent; other members are refused.
    package init(_ reader: JSONReader) throws(JSONFieldError) {
        try reader.refuseMembers(besides: ["id", "parameters"])
        let texts = try reader.optional("parameters")?.textMembers()
        self.init(id: try reader["id"].nonEmptyText(), parameters: texts ?? [:])
    }
}

extension JSONText {
    /// Writes a member unless `destination` is `nil`.
    package mutating func member(_ name: StaticString, _ destination: Destination?) {
        guard let destination else { return }
        self.name(name)
        destination.write(to: &self)
    }

    /// Writes a member of texts, in the order of their names.
    package mutating func member(_ name: StaticString, _ texts: [String: String]) {
        self.name(name)
        object { json in
            guard texts.count > 1 else {
                for (name, value) in texts { json.member(named: name, value) }
                return
            }
            for (name, value) in texts.sorted(by: { $0.key < $1.key }) { json.member(named: name, value) }
        }
    }

    package mutating func member(_ name: StaticString, _ stack: [Destination]) {
        self.name(name)
        array(stack) { $1.write(to: &$0) }
    }
}

extension Target {
    /// The type `Target` of the socket API.
    package var json: JSONValue {
        switch self {
        case .placed(let tab, let path, let modals):
            [
                "tab": .string(tab), "path": .array(path.map(\.json)),
                "modal": .array(modals.flatMap(\.stack).map(\.json)),
            ]
        case .overCurrent(let modal):
            ["tab": .null, "path": .array([]), "modal": .array(modal.stack.map(\.json))]
        }
    }
}
