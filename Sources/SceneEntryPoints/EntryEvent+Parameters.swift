public import StrictJSON

extension EntryEvent {
    /// A URL that was opened (`OpenURL`).
    public static func url(_ url: String, sourceApplication: String? = nil) throws(EntryFormatError) -> EntryEvent {
        EntryEvent(.url(try URLOpen(url: url, sourceApplication: sourceApplication)))
    }

    /// A user activity (`ContinueActivity`).
    public static func activity(
        activityType: String,
        webpageURL: String? = nil,
        userInfo: JSONObject? = nil,
        title: String? = nil,
        targetContentIdentifier: String? = nil,
        persistentIdentifier: String? = nil,
        handoff: Bool? = nil
    ) throws(EntryFormatError) -> EntryEvent {
        let activity = try UserActivity(
            activityType: activityType,
            webpageURL: webpageURL,
            userInfo: userInfo,
            title: title,
            targetContentIdentifier: targetContentIdentifier,
            persistentIdentifier: persistentIdentifier,
            handoff: handoff
        )
        return EntryEvent(.activity(activity))
    }

    /// A push and what became of it (`Push`).
    ///
    /// Without `interaction` an `action` means that it was chosen; with neither, the push was opened, or was silent if it
    /// has `content-available` and no alert.
    public static func push(
        payload: JSONObject,
        interaction: String? = nil,
        action: String? = nil,
        text: String? = nil
    ) throws(EntryFormatError) -> EntryEvent {
        let payload = try APNsPayload(payload)
        let interaction = try PushInteraction(
            interaction: interaction,
            action: action,
            text: text,
            isSilent: payload.aps.isSilent
        )
        return EntryEvent(.push(PushResponse(payload: payload, interaction: interaction)))
    }

    /// A tap on a widget (`TapWidget`).
    public static func widget(
        kind: String,
        family: String? = nil,
        url: String? = nil,
        userInfo: JSONObject? = nil
    ) throws(EntryFormatError) -> EntryEvent {
        EntryEvent(.widget(try WidgetTap(kind: kind, family: family, url: url, userInfo: userInfo)))
    }

    /// A quick action (`PerformShortcut`).
    public static func shortcut(
        type: String,
        userInfo: JSONObject? = nil,
        targetContentIdentifier: String? = nil
    ) throws(EntryFormatError) -> EntryEvent {
        let item = try ShortcutItem(type: type, userInfo: userInfo, targetContentIdentifier: targetContentIdentifier)
        return EntryEvent(.shortcut(item))
    }
}
