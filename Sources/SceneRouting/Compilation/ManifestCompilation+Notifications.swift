internal import SceneVocabulary

/// Checks the notification categories.
extension ManifestCompilation {
    mutating func checkNotificationCategories() {
        let intents = NameList(manifest.intents.map(\.name))
        let push = EventMembers(["push"])
        checkUnique("notificationCategories", manifest.notificationCategories.map(\.id), "category")
        for category in manifest.notificationCategories {
            if let user = category.user {
                check(path: user, in: push, at: "notificationCategories.\(category.id).user")
            }
            for (name, intent) in [("presented", category.presented), ("dismissed", category.dismissed)] {
                guard let intent else { continue }
                let key = "notificationCategories.\(category.id).\(name)"
                check(intent, takingText: nil, intents, push, at: key)
                if name == "dismissed", !category.reportsDismissal {
                    error(
                        key,
                        "the app does not hear of a dismissal",
                        expected: "'customDismissAction: true' in the category"
                    )
                }
            }
            let key = "notificationCategories.\(category.id).actions"
            checkUnique(key, category.actions.map(\.id), "action")
            for action in category.actions {
                if NotificationAction.reserved.contains(action.id) {
                    error(
                        "\(key).\(action.id)",
                        "'\(action.id)' is what the system calls a tap or a dismissal",
                        expected: "another identifier"
                    )
                }
                guard let intent = action.intent else { continue }
                if action.isForeground {
                    error(
                        "\(key).\(action.id).intent",
                        "an action in the foreground navigates as an adapter says",
                        expected: "an adapter for it, or an action without 'foreground'"
                    )
                }
                check(intent, takingText: action, intents, push, at: "\(key).\(action.id)")
            }
        }
    }

    /// - Parameter action: The action that hands the intent over; `nil` if there is none, and no text either.
    private mutating func check(
        _ intent: NotificationAction.Handover,
        takingText action: NotificationAction?,
        _ intents: NameList,
        _ push: EventMembers,
        at key: String
    ) {
        guard check(intent.name, isOneOf: intents, "intent of the app", at: "\(key).intent"),
            let declaration = intents.index[intent.name].map({ manifest.intents[$0] })
        else { return }
        if !declaration.screens.isEmpty {
            error(
                "\(key).intent",
                "only \(declaration.screens.joined(separator: ", ")) can report '\(intent.name)', and there is no screen",
                expected: "an intent without 'screens'"
            )
        }
        if !declaration.effects.allSatisfy(\.isOnSession) {
            error(
                "\(key).intent",
                "'\(intent.name)' does more than change the session, and in the background nothing can",
                expected: "an intent whose effects are set, append, remove, add, reset, signOut and markStale"
            )
        }
        let parameters = NameList(declaration.parameters.map(\.name))
        for (name, path) in intent.parameters.sorted(by: { $0.key < $1.key }) {
            let key = "\(key).parameters.\(name)"
            check(name, isOneOf: parameters, "parameter of \(intent.name)", at: key)
            guard check(path: path, in: push, at: key) else { continue }
            if EventPath(path)?.root == "text", action?.takesText != true {
                let what = action == nil ? "nobody types a text here" : "the action takes no text"
                error(key, what, expected: action == nil ? "a path in the payload" : "'text: true' in the action")
            }
        }
        for parameter in declaration.parameters where parameter.isRequired && parameter.defaultValue == nil {
            guard intent.parameters[parameter.name] == nil else { continue }
            error(
                "\(key).intent",
                "'\(intent.name)' needs the parameter '\(parameter.name)'",
                expected: "a path for it in 'parameters'"
            )
        }
    }
}

extension IntentEffect {
    /// Whether it changes the session and nothing else.
    fileprivate var isOnSession: Bool {
        switch unconditional {
        case .set, .append, .remove, .add, .reset, .signOut, .markStale: true
        case .route, .push, .replace, .pop, .popTo, .popToRoot, .start, .complete, .cancel, .openWindow, .answer,
            .closeWindow, .closeWindows, .refreshWindow, .refreshWindows, .when:
            false
        }
    }
}
