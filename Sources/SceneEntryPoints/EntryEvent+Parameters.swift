public import StrictJSON

extension EntryEvent {
    /// An opened URL, with the parameters of `io.scened.Events.OpenURL`.
    /// - Throws: an error with its path if `url` has no scheme or `sourceApplication` is empty.
    public static func url(_ url: String, sourceApplication: String? = nil) throws(JSONFieldError) -> EntryEvent {
        EntryEvent(.url(try URLOpen(url: url, sourceApplication: sourceApplication)))
    }

    /// A user activity, or a step of a Handoff without its activity (``HandoffStep``), with the parameters of
    /// `io.scened.Events.ContinueActivity`.
    /// - Throws: an error with its path; see ``UserActivity``.
    public static func activity(
        activityType: String,
        webpageURL: String? = nil,
        userInfo: JSONObject? = nil,
        title: String? = nil,
        targetContentIdentifier: String? = nil,
        persistentIdentifier: String? = nil,
        referrerURL: String? = nil,
        handoff: Bool? = nil,
        announced: Bool? = nil,
        failure: String? = nil,
        draggedFrom: String? = nil
    ) throws(JSONFieldError) -> EntryEvent {
        let activity = try UserActivity(
            activityType: activityType,
            webpageURL: webpageURL,
            userInfo: userInfo,
            title: title,
            targetContentIdentifier: targetContentIdentifier,
            persistentIdentifier: persistentIdentifier,
            referrerURL: referrerURL,
            handoff: handoff,
            announced: announced,
            failure: failure,
            draggedFrom: draggedFrom
        )
        return EntryEvent(.activity(activity))
    }

    /// A push and what the person did with it, with the parameters of `io.scened.Events.Push`.
    ///
    /// An `action` alone means that it was chosen. Without `interaction` and `action` the push was opened, or was silent if
    /// it shows no notification (``APS/showsNotification``); nobody can respond to that. A VoIP push goes to PushKit: it may be larger, needs no `aps`, and nobody
    /// interacts with it.
    /// - Throws: an error with its path from the payload's root, or with the name of the parameter.
    public static func push(
        payload: JSONObject,
        interaction: String? = nil,
        action: String? = nil,
        text: String? = nil,
        voip: Bool? = nil
    ) throws(JSONFieldError) -> EntryEvent {
        let isVoIP = voip ?? false
        let payload = try APNsPayload(payload, isVoIP: isVoIP)
        if isVoIP {
            for (name, value) in [("interaction", interaction), ("action", action), ("text", text)] where value != nil {
                throw JSONFieldError(
                    path: JSONPath(.member(name)),
                    expected: "nothing, because nobody interacts with a VoIP push",
                    found: (value ?? "").quotedForMessage
                )
            }
        }
        let interaction = try PushInteraction(
            interaction: interaction,
            action: action,
            text: text,
            isShown: !isVoIP && payload.aps.showsNotification
        )
        return EntryEvent(.push(PushResponse(payload: payload, interaction: interaction, isVoIP: isVoIP)))
    }

    /// A tap on a widget, with the parameters of `io.scened.Events.TapWidget`.
    /// - Throws: an error with its path if a text is empty, `url` has no scheme or `userInfo` has another format.
    public static func widget(
        kind: String,
        family: String? = nil,
        url: String? = nil,
        userInfo: JSONObject? = nil
    ) throws(JSONFieldError) -> EntryEvent {
        EntryEvent(.widget(try WidgetTap(kind: kind, family: family, url: url, userInfo: userInfo)))
    }

    /// A quick action, with the parameters of `io.scened.Events.PerformShortcut`.
    /// - Throws: an error with its path if a text is empty or `userInfo` has another format.
    public static func shortcut(
        type: String,
        userInfo: JSONObject? = nil,
        targetContentIdentifier: String? = nil
    ) throws(JSONFieldError) -> EntryEvent {
        let item = try ShortcutItem(type: type, userInfo: userInfo, targetContentIdentifier: targetContentIdentifier)
        return EntryEvent(.shortcut(item))
    }
}
