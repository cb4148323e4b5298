public import SceneRouting
public import StrictJSON

extension Destination {
    /// `{"id": …, "parameters": {…}}`, parameters in order of their names: the shape `Destination` of the socket API.
    public var json: JSONValue {
        let sorted = parameters.count > 1 ? parameters.sorted { $0.key < $1.key } : Array(parameters)
        let parameters = sorted.map { ($0.key, JSONValue.string($0.value)) }
        return ["id": .string(id), "parameters": .object(JSONObject(parameters))]
    }

    init(_ reader: WindowReader) throws(WindowFormatError) {
        try reader.allow(["id", "parameters"])
        var texts: [String: String] = [:]
        if let parameters = try reader.optionalObject("parameters") {
            for (name, value) in parameters.object {
                guard let text = value.stringValue else { throw parameters.mismatch(name, "string") }
                texts[name] = text
            }
        }
        self.init(id: try reader.text("id"), parameters: texts)
    }
}
