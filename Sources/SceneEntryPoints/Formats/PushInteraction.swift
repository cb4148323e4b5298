internal import StrictJSON

/// What became of a notification.
public enum PushInteraction: Hashable, Sendable {
    /// It was shown while the app was in front.
    case present
    /// The person tapped it.
    case open
    /// The person dismissed it.
    case dismiss
    /// The person chose an action of its category; `text` is what they typed, if it takes text.
    case action(identifier: String, text: String?)
    /// Nothing was shown: the push only woke the app.
    case silent

    /// The identifier UIKit reports for a tap.
    public static let defaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
    /// The identifier UIKit reports for a dismissal.
    public static let dismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

    /// The words a call may say.
    enum Word: String, CaseIterable {
        case present, open, dismiss, action
    }

    /// Reads the three members of a call that say it.
    /// - Parameter isSilent: whether the payload is one that shows nothing, which is what a missing word then means.
    init(interaction: String?, action: String?, text: String?, isSilent: Bool) throws(JSONFieldError) {
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
            try CallParameter.requireText(action, "action")
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
        switch word {
        case .present: self = .present
        case .open: self = .open
        case .dismiss: self = .dismiss
        case .action:
            guard let action else {
                throw JSONFieldError(path: "action", expected: "the identifier of the action", found: "nothing")
            }
            self = .action(identifier: action, text: text)
        case nil: self = isSilent ? .silent : .open
        }
    }
}
