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
        let members = try JSONReader(.object(["userInfo": .object(json)]))["userInfo"].members()
        let values = try PropertyListValue.members(members, depth: 0)
        self.values = values
        self.json = JSONObject(members.map { key, _ in (key, values[key]?.json ?? .null) })
    }

    init?(optional json: JSONObject?) throws(JSONFieldError) {
        guard let json else { return nil }
        try self.init(json)
    }

    /// The value of this key.
    public subscript(key: String) -> PropertyListValue? { values[key] }
}
