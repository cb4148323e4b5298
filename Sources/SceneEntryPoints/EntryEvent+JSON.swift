public import StrictJSON

extension EntryEvent {
    /// Reads an event of this kind from its JSON form, as ``json`` writes it; `null` is the same as absent.
    /// - Throws: what is wrong, with its path; a member that no event of this kind has is an error too.
    public init(kind: EntryKind, json: JSONObject) throws(EntryFormatError) {
        let present = JSONObject(json.filter { !$0.value.isNull }.map { ($0.key, $0.value) })
        var reader = FieldReader(present, at: .root)
        func required<Value>(_ key: String, _ value: Value?, _ type: String) throws(EntryFormatError) -> Value {
            guard let value else { throw EntryFormatError(path: key, expected: type, found: "nothing") }
            return value
        }
        // Everything is read before anything is interpreted, so that a misspelt member is what the error names.
        let event: () throws(EntryFormatError) -> EntryEvent
        switch kind {
        case .url:
            let url = try required("url", reader.string("url"), "string")
            let source = try reader.string("sourceApplication")
            event = { () throws(EntryFormatError) in try .url(url, sourceApplication: source) }
        case .activity:
            let type = try required("activityType", reader.string("activityType"), "string")
            let webpage = try reader.string("webpageURL")
            let userInfo = try reader.object("userInfo")
            let title = try reader.string("title")
            let target = try reader.string("targetContentIdentifier")
            let persistent = try reader.string("persistentIdentifier")
            let handoff = try reader.bool("handoff")
            event = { () throws(EntryFormatError) in
                try .activity(
                    activityType: type,
                    webpageURL: webpage,
                    userInfo: userInfo,
                    title: title,
                    targetContentIdentifier: target,
                    persistentIdentifier: persistent,
                    handoff: handoff
                )
            }
        case .push:
            let payload = try required("payload", reader.object("payload"), "object")
            let interaction = try reader.string("interaction")
            let action = try reader.string("action")
            let text = try reader.string("text")
            event = { () throws(EntryFormatError) in
                try .push(payload: payload, interaction: interaction, action: action, text: text)
            }
        case .widget:
            let widget = try required("kind", reader.string("kind"), "string")
            let family = try reader.string("family")
            let url = try reader.string("url")
            let userInfo = try reader.object("userInfo")
            event = { () throws(EntryFormatError) in
                try .widget(kind: widget, family: family, url: url, userInfo: userInfo)
            }
        case .shortcut:
            let type = try required("type", reader.string("type"), "string")
            let userInfo = try reader.object("userInfo")
            let target = try reader.string("targetContentIdentifier")
            event = { () throws(EntryFormatError) in
                try .shortcut(type: type, userInfo: userInfo, targetContentIdentifier: target)
            }
        }
        if let key = reader.unknown.keys.first {
            throw reader.error(key, "no such member in an event of kind \(kind.rawValue)", "one")
        }
        self = try event()
    }
}
