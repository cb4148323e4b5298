internal import Logging
internal import StrictJSON

extension LogEvent {
    /// The event's metadata sorted by key. The call's overrides the handler's, which overrides the provider's.
    func metadata(of handler: some LogHandler) -> [(key: String, value: Logger.MetadataValue)] {
        var merged = handler.metadataProvider?.get() ?? [:]
        merged.merge(handler.metadata) { $1 }
        if let metadata { merged.merge(metadata) { $1 } }
        return merged.sorted { $0.key < $1.key }
    }
}

extension Logger.MetadataValue {
    /// The value as text; arrays and dictionaries as JSON.
    var fieldText: String {
        switch self {
        case .string(let text): text
        case .stringConvertible(let value): value.description
        case .array, .dictionary: json.text()
        }
    }

    private var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .stringConvertible(let value): .string(value.description)
        case .array(let elements): .array(elements.map(\.json))
        case .dictionary(let members):
            .object(JSONObject(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }))
        }
    }
}
