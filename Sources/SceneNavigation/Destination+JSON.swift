public import SceneRouting
public import StrictJSON

extension Destination {
    /// `{"id": …, "parameters": {…}}`, parameters in order of their names: the shape `Destination` of the socket API.
    public var json: JSONValue {
        let sorted = parameters.count > 1 ? parameters.sorted { $0.key < $1.key } : Array(parameters)
        let parameters = sorted.map { ($0.key, JSONValue.string($0.value)) }
        return ["id": .string(id), "parameters": .object(JSONObject(parameters))]
    }

    init(_ reader: JSONReader) throws(JSONFieldError) {
        try reader.refuseMembers(besides: ["id", "parameters"])
        let texts = try reader.optional("parameters")?.map { value throws(JSONFieldError) in try value.text() }
        self.init(id: try reader["id"].nonEmptyText(), parameters: texts ?? [:])
    }
}
