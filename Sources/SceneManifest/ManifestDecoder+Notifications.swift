internal import SceneRouting

extension ManifestDecoder {
    mutating func notificationCategories(_ node: ManifestNode?) -> [NotificationCategory] {
        var categories: [NotificationCategory] = []
        for member in reader.dotted(node, at: "notificationCategories") {
            let key = "notificationCategories.\(member.key)"
            let members = reader.members(
                member.value,
                at: key,
                allowed: ["customDismissAction", "user", "presented", "dismissed", "actions"]
            )
            var category = NotificationCategory(id: member.key)
            category.reportsDismissal =
                reader.boolean(members["customDismissAction"], at: "\(key).customDismissAction") ?? false
            category.user = reader.text(members["user"], at: "\(key).user")
            category.presented = handover(members["presented"], at: "\(key).presented")
            category.dismissed = handover(members["dismissed"], at: "\(key).dismissed")
            for action in reader.dotted(members["actions"], at: "\(key).actions") {
                category.actions.append(
                    notificationAction(action.key, action.value, at: "\(key).actions.\(action.key)")
                )
            }
            categories.append(category)
        }
        return categories
    }

    /// What a mapping with nothing but an intent and its parameters says.
    private mutating func handover(_ node: ManifestNode?, at key: String) -> NotificationAction.Handover? {
        guard let node else { return nil }
        let members = reader.members(node, at: key, allowed: ["intent", "parameters"])
        let parameters = textMap(members["parameters"], at: "\(key).parameters")
        return required(reader.text(members["intent"], at: "\(key).intent"), "intent", key, node)
            .map { NotificationAction.Handover(name: $0, parameters: parameters) }
    }

    private mutating func notificationAction(
        _ id: String,
        _ node: ManifestNode,
        at key: String
    ) -> NotificationAction {
        let members = reader.members(
            node,
            at: key,
            allowed: ["foreground", "text", "authenticationRequired", "destructive", "intent", "parameters"]
        )
        func flag(_ name: String) -> Bool { reader.boolean(members[name], at: "\(key).\(name)") ?? false }
        var action = NotificationAction(id: id)
        action.isForeground = flag("foreground")
        action.takesText = flag("text")
        action.needsAuthentication = flag("authenticationRequired")
        action.isDestructive = flag("destructive")
        let parameters = textMap(members["parameters"], at: "\(key).parameters")
        if let intent = members["intent"] {
            if let name = reader.text(intent, at: "\(key).intent") {
                action.intent = NotificationAction.Handover(name: name, parameters: parameters)
            }
        } else if let extra = members["parameters"] {
            reader.report("'parameters' needs an intent", at: "\(key).parameters", extra.place, expected: "'intent'")
        }
        return action
    }
}
