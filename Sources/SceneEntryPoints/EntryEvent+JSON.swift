internal import SceneRouting
public import StrictJSON

extension EntryEvent {
    /// Reads an event whose kind follows from its members. A bare push payload is a push that was opened, or a silent one.
    /// - Throws: an error with its path, also if no kind of event has such members.
    public init(json: JSONObject) throws(JSONFieldError) {
        guard let kind = EntryKind(ofJSON: json) else {
            throw JSONFieldError(
                path: "the event",
                expected: "one of the members activityType, aps, kind, payload, type, url",
                found: json.isEmpty ? "none" : json.keys.prefix(8).map(\.quotedForMessage).joined(separator: ", ")
            )
        }
        let isBarePayload = kind == .push && json["payload"] == nil
        try self.init(kind: kind, json: isBarePayload ? ["payload": .object(json)] : json)
    }

    /// Reads an event of this kind from its JSON form, as ``json`` writes it; `null` counts as absent.
    /// - Throws: an error with its path, also for a member that events of this kind do not have.
    public init(kind: EntryKind, json: JSONObject) throws(JSONFieldError) {
        let reader = JSONReader(json)
        for (key, member) in try reader.members() where !kind.members.contains(key) && member.value?.isNull == false {
            let members = kind.members.joined(separator: ", ")
            let meant = Spelling.nearest(to: key, among: kind.members)
            throw member.error(
                meant.map { "'\($0)'" } ?? "one of the members that an event of kind \(kind.rawValue) has: \(members)",
                found: "another member"
            )
        }
        switch kind {
        case .url:
            self = try .url(reader["url"].text(), sourceApplication: reader.optional("sourceApplication")?.text())
        case .activity:
            self = try .activity(
                activityType: reader["activityType"].text(),
                webpageURL: reader.optional("webpageURL")?.text(),
                userInfo: reader.optional("userInfo")?.object(),
                title: reader.optional("title")?.text(),
                targetContentIdentifier: reader.optional("targetContentIdentifier")?.text(),
                persistentIdentifier: reader.optional("persistentIdentifier")?.text(),
                referrerURL: reader.optional("referrerURL")?.text(),
                handoff: reader.optional("handoff")?.bool(),
                announced: reader.optional("announced")?.bool(),
                failure: reader.optional("failure")?.text(),
                draggedFrom: reader.optional("draggedFrom")?.text()
            )
        case .push:
            self = try .push(
                payload: reader["payload"].object(),
                interaction: reader.optional("interaction")?.text(),
                action: reader.optional("action")?.text(),
                text: reader.optional("text")?.text(),
                voip: reader.optional("voip")?.bool()
            )
        case .widget:
            self = try .widget(
                kind: reader["kind"].text(),
                family: reader.optional("family")?.text(),
                url: reader.optional("url")?.text(),
                userInfo: reader.optional("userInfo")?.object()
            )
        case .shortcut:
            self = try .shortcut(
                type: reader["type"].text(),
                userInfo: reader.optional("userInfo")?.object(),
                targetContentIdentifier: reader.optional("targetContentIdentifier")?.text()
            )
        }
    }
}
