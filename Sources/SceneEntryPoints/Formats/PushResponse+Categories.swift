internal import Basics
package import SceneRouting
package import StrictJSON

/// What comes of a response to a notification.
package enum ResponseEffect: Hashable, Sendable {
    /// The app comes to the front, and its adapters say where the push leads.
    case navigates
    /// Nothing comes to the front. The app carries out this intent, if the action has one, for this user or (`nil`) anybody.
    case background(NotificationAction.Handover?, user: String? = nil)
}

extension EntryEvent {
    /// What comes of the event by the categories of `manifest`; `nil` if it is no response to a notification.
    ///
    /// - Throws: An error about what nobody can do with a notification of its category: an action that it does not have, a text
    ///   for one that takes none, a dismissal of which the app does not hear. An app without categories allows everything.
    package func responseEffect(by manifest: AppManifest) throws(JSONFieldError) -> ResponseEffect? {
        guard case .push(let push) = content else { return nil }
        switch push.interaction {
        case .open: return .navigates
        case .silent: return nil
        case .present:
            let category = push.payload.aps.category.flatMap(manifest.notificationCategory)
            return try category.flatMap { category throws(JSONFieldError) in try done(category.presented, category) }
        case .dismiss:
            guard !manifest.notificationCategories.isEmpty else { return nil }
            let category = try push.category(in: manifest, for: "interaction", "dismiss")
            guard category.reportsDismissal else {
                throw JSONFieldError(
                    path: "interaction",
                    expected:
                        "\"present\", \"open\" or \"action\": the category \(category.id.quotedForMessage) has no "
                        + "customDismissAction, so that the app does not hear of a dismissal",
                    found: "\"dismiss\""
                )
            }
            return try done(category.dismissed, category)
        case .action(let id, let text):
            guard !manifest.notificationCategories.isEmpty else { return .navigates }
            let category = try push.category(in: manifest, for: "action", id)
            guard let action = category.actions.first(where: { $0.id.hasSameBytes(as: id) }) else {
                let ids = category.actions.map(\.id.quotedForMessage).joined(separator: ", ")
                throw JSONFieldError(
                    path: "action",
                    expected: ids.isEmpty
                        ? "nothing, because the category \(category.id.quotedForMessage) has no actions"
                        : "one of \(ids)",
                    found: id.quotedForMessage
                )
            }
            guard text == nil || action.takesText else {
                throw JSONFieldError(
                    path: "text",
                    expected: "nothing, because the action \(id.quotedForMessage) takes no text",
                    found: "string"
                )
            }
            guard !action.isForeground else { return .navigates }
            return try done(action.intent, category) ?? .background(nil)
        }
    }

    /// What the app does in the background by an intent; `nil` without one.
    private func done(
        _ intent: NotificationAction.Handover?,
        _ category: NotificationCategory
    ) throws(JSONFieldError) -> ResponseEffect? {
        guard let intent else { return nil }
        return .background(
            NotificationAction.Handover(name: intent.name, parameters: try values(of: intent.parameters)),
            user: try category.user.flatMap { path throws(JSONFieldError) in try user(at: path) }
        )
    }

    /// The user who is named at this path; `nil` if nothing is there.
    private func user(at path: String) throws(JSONFieldError) -> String? {
        guard let path = EventPath(path) else { return nil }
        switch path.text(in: json) {
        case .absent: return nil
        case .notText(let type): throw JSONFieldError(path: path.json, expected: "a user's name", found: type)
        case .text(let user):
            guard let problem = NameRule.problem(user) else { return user }
            throw JSONFieldError(path: path.json, expected: "a user's name", found: "one that \(problem)")
        }
    }

    /// Whether adapters say what comes of the event.
    package func asksAdapters(by manifest: AppManifest) -> Bool {
        guard isNavigating else { return false }
        do {
            if case .background = try responseEffect(by: manifest) { return false }
            return true
        } catch {
            return false
        }
    }

    /// The texts at these paths.
    private func values(of paths: [String: String]) throws(JSONFieldError) -> [String: String] {
        var values: [String: String] = [:]
        for (name, path) in paths.sorted(by: { $0.key < $1.key }) {
            guard let path = EventPath(path) else { continue }
            switch path.text(in: json) {
            case .text(let text): values[name] = text
            case .absent: break
            case .notText(let type):
                throw JSONFieldError(path: path.json, expected: "text for the parameter \(name)", found: type)
            }
        }
        return values
    }
}

extension AppManifest {
    /// The notification category with this identifier.
    fileprivate func notificationCategory(_ id: String) -> NotificationCategory? {
        notificationCategories.first { $0.id.hasSameBytes(as: id) }
    }
}

extension PushResponse {
    /// The category that the payload names.
    /// - Throws: An error at `path` if there is none of which somebody could have done this.
    fileprivate func category(
        in manifest: AppManifest,
        for path: JSONPath,
        _ found: String
    ) throws(JSONFieldError) -> NotificationCategory {
        guard let id = payload.aps.category else {
            throw JSONFieldError(
                path: path,
                expected: "nothing, because the payload names no category in aps.category",
                found: found.quotedForMessage
            )
        }
        guard let category = manifest.notificationCategory(id) else {
            let known = manifest.notificationCategories.prefix(20).map(\.id.quotedForMessage).joined(separator: ", ")
            throw JSONFieldError(
                path: JSONPath([.member("payload"), .member("aps"), .member("category")]),
                expected: "a category of the app, one of \(known)",
                found: id.quotedForMessage
            )
        }
        return category
    }
}
