public import StrictJSON

extension EntryEvent {
    /// Reads an event of whatever kind its members say; a bare push payload is a push that was opened, or silent.
    /// - Throws: what is wrong, with its path; also where no kind of event has such members.
    public init(json: JSONObject) throws(EntryFormatError) {
        guard let kind = EntryKind(ofJSON: json) else {
            throw EntryFormatError(
                path: "the event",
                expected: "one of the members activityType, aps, kind, payload, type, url",
                found: json.isEmpty ? "none" : json.keys.prefix(8).map(\.quotedForMessage).joined(separator: ", ")
            )
        }
        let isBarePayload = kind == .push && json["payload"] == nil
        try self.init(kind: kind, json: isBarePayload ? ["payload": .object(json)] : json)
    }

    /// Reads an event of this kind from its JSON form, as ``json`` writes it; `null` is the same as absent.
    /// - Throws: what is wrong, with its path; a member that no event of this kind has is an error too.
    public init(kind: EntryKind, json: JSONObject) throws(EntryFormatError) {
        let present = JSONObject(json.filter { !$0.value.isNull }.map { ($0.key, $0.value) })
        var reader = FieldReader(present, at: .root)
        if let key = present.keys.first(where: { !kind.members.contains($0) }) {
            throw reader.error(key, "no such member in an event of kind \(kind.rawValue)", "one")
        }
        switch kind {
        case .url:
            self = try .url(reader.requiredString("url"), sourceApplication: reader.string("sourceApplication"))
        case .activity:
            self = try .activity(
                activityType: reader.requiredString("activityType"),
                webpageURL: reader.string("webpageURL"),
                userInfo: reader.object("userInfo"),
                title: reader.string("title"),
                targetContentIdentifier: reader.string("targetContentIdentifier"),
                persistentIdentifier: reader.string("persistentIdentifier"),
                referrerURL: reader.string("referrerURL"),
                handoff: reader.bool("handoff"),
                announced: reader.bool("announced"),
                failure: reader.string("failure")
            )
        case .push:
            guard let payload = try reader.object("payload") else {
                throw reader.error("payload", "object", "nothing")
            }
            self = try .push(
                payload: payload,
                interaction: reader.string("interaction"),
                action: reader.string("action"),
                text: reader.string("text"),
                voip: reader.bool("voip")
            )
        case .widget:
            self = try .widget(
                kind: reader.requiredString("kind"),
                family: reader.string("family"),
                url: reader.string("url"),
                userInfo: reader.object("userInfo")
            )
        case .shortcut:
            self = try .shortcut(
                type: reader.requiredString("type"),
                userInfo: reader.object("userInfo"),
                targetContentIdentifier: reader.string("targetContentIdentifier")
            )
        }
    }
}
