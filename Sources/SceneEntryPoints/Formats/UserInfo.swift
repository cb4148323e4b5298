public import StrictJSON

/// The user info of an activity, a widget or a quick action. ``PropertyListValue`` describes the JSON form of its values.
public struct UserInfo: Hashable, Sendable {
    /// The values by key.
    public let values: [String: PropertyListValue]
    /// The JSON form, in the order written.
    public let json: JSONObject

    /// Reads user info from its JSON form.
    /// - Throws: an error with its path, which begins with `userInfo`.
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

    /// The value of this key.
    public subscript(key: String) -> PropertyListValue? { values[key] }
}
