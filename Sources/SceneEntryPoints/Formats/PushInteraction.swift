internal import SceneRouting
internal import StrictJSON

/// What happened to a notification.
public enum PushInteraction: Hashable, Codable, Sendable {
    /// It was shown while the app was in front.
    case present
    /// The person tapped it.
    case open
    /// The person dismissed it.
    case dismiss
    /// The person chose an action of its category. `text` is what they typed, for an action that takes text.
    case action(identifier: String, text: String?)
    /// No notification was shown: the push only woke the app, or changed a badge or a Live Activity.
    case silent

    /// The action identifier that UIKit reports for a tap.
    public static let defaultActionIdentifier = NotificationAction.tap
    /// The action identifier that UIKit reports for a dismissal.
    public static let dismissActionIdentifier = NotificationAction.dismissal

    /// The values of the parameter `interaction`.
    enum Word: String, CaseIterable {
        case present, open, dismiss, action
    }

    /// Reads the interaction from the parameters of a call.
    /// - Parameter isShown: whether the payload shows a notification. Without parameters the push is then opened, otherwise silent.
    init(interaction: String?, action: String?, text: String?, isShown: Bool) throws(JSONFieldError) {
        var word: Word?
        if let interaction {
            word = Word(rawValue: interaction)
            if word == nil {
                let words = Word.allCases.map { $0.rawValue.quotedForMessage }.joined(separator: ", ")
                throw JSONFieldError(
                    path: "interaction",
                    expected: "one of \(words)",
                    found: interaction.quotedForMessage
                )
            }
        }
        if let action {
            try TextFormats.requireText(action, "action")
            guard word == nil || word == .action else {
                throw JSONFieldError(
                    path: "action",
                    expected: "nothing, because interaction is \"\(word?.rawValue ?? "")\"",
                    found: action.quotedForMessage
                )
            }
            switch action {
            case Self.defaultActionIdentifier: word = .open
            case Self.dismissActionIdentifier: word = .dismiss
            default: word = .action
            }
        }
        guard word == .action || text == nil else {
            throw JSONFieldError(path: "text", expected: "nothing, because no action was chosen", found: "string")
        }
        if let word, word != .present, !isShown {
            throw JSONFieldError(
                path: interaction == nil ? "action" : "interaction",
                expected: "nothing, because the push shows no notification that somebody could respond to",
                found: (interaction ?? action ?? "").quotedForMessage
            )
        }
        switch word {
        case .present: self = .present
        case .open: self = .open
        case .dismiss: self = .dismiss
        case .action:
            guard let action else {
                throw JSONFieldError(path: "action", expected: "the identifier of the action", found: "nothing")
            }
            self = .action(identifier: action, text: text)
        case nil: self = isShown ? .open : .silent
        }
    }
}
