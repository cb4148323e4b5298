public import StrictJSON

/// The user info of an activity, a widget or a quick action: text keys with property-list values.
///
/// In JSON, what JSON knows stands as it is; the other types are objects with one member: see ``PropertyListValue``.
public struct UserInfo: Hashable, Sendable {
    public let values: [String: PropertyListValue]
    /// The values as JSON, in the order written.
    public let json: JSONObject

    /// Reads user info from its JSON form.
    /// - Throws: what is wrong, with its path below `userInfo`.
    public init(_ json: JSONObject) throws(JSONFieldError) {
        var values: [String: PropertyListValue] = [:]
        var canonical = JSONObject()
        for (key, value) in try JSONReader(.object(["userInfo": .object(json)]))["userInfo"].members() {
            let read = try PropertyListValue(value, depth: 1)
            values[key] = read
            canonical[key] = read.json
        }
        self.values = values
        self.json = canonical
    }

    init?(optional json: JSONObject?) throws(JSONFieldError) {
        guard let json else { return nil }
        try self.init(json)
    }

    /// The value under `key`.
    public subscript(key: String) -> PropertyListValue? { values[key] }
}
