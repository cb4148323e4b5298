import SceneManifest
import SceneRouting
import StrictJSON
import Testing

/// Notification categories in a manifest.
@Suite("Notification categories in a manifest")
struct NotificationCategoryTests {
    private static let head = """
        name: Chat
        schemes: [chat]
        facts: { drafts: { type: strings } }
        tabs: { home: home }
        destinations: { home: { tab: home, routes: ["chat://home"] } }
        intents:
          replied:
            parameters: { text: { type: string }, to: { type: string, optional: true } }
            effects: [{ append: drafts, value: { parameter: text } }]
          quiet: { effects: [markStale] }
          shown: { effects: [{ route: home }] }
          tapped: { screens: [home], effects: [markStale] }
        notificationCategories:

        """

    @Test("are read with everything that UserNotifications has, and written as they were read")
    func reading() throws {
        let text =
            Self.head + """
                  com.example.message:
                    customDismissAction: true
                    presented: { intent: replied, parameters: { text: payload.title } }
                    dismissed: { intent: quiet }
                    actions:
                      com.example.reply: { text: true, intent: replied, parameters: { text: text, to: payload.from } }
                      MUTE: { destructive: true, authenticationRequired: true }
                      SHOW: { foreground: true }
                      READ:
                  PLAIN: {}
                """
        let manifest = try AppManifest.read(text).manifest
        #expect(
            manifest.notificationCategories == [
                NotificationCategory(
                    id: "com.example.message",
                    reportsDismissal: true,
                    presented: NotificationAction.Handover(name: "replied", parameters: ["text": "payload.title"]),
                    dismissed: NotificationAction.Handover(name: "quiet"),
                    actions: [
                        NotificationAction(
                            id: "com.example.reply",
                            takesText: true,
                            intent: NotificationAction.Handover(
                                name: "replied",
                                parameters: ["text": "text", "to": "payload.from"]
                            )
                        ),
                        NotificationAction(id: "MUTE", needsAuthentication: true, isDestructive: true),
                        NotificationAction(id: "SHOW", isForeground: true),
                        NotificationAction(id: "READ"),
                    ]
                ),
                NotificationCategory(id: "PLAIN"),
            ]
        )
        #expect(try AppManifest.read(JSONValue.object(manifest.json).text()).manifest == manifest)
    }

    static let wrong: [(action: String, key: String, says: String)] = [
        ("A: { intent: nonsense }", "actions.A.intent", "there is no intent of the app 'nonsense'"),
        ("A: { intent: repliet, parameters: { text: text } }", "actions.A.intent", "repliet"),
        ("A: { intent: shown }", "actions.A.intent", "does more than change the session"),
        ("A: { intent: tapped }", "actions.A.intent", "only home can report 'tapped'"),
        (
            "A: { foreground: true, text: true, intent: replied, parameters: { text: text } }", "actions.A.intent",
            "foreground"
        ),
        ("A: { text: true, intent: replied }", "actions.A.intent", "needs the parameter 'text'"),
        ("A: { intent: replied, parameters: { text: text } }", "actions.A.parameters.text", "takes no text"),
        (
            "A: { text: true, intent: replied, parameters: { text: payload..x } }", "actions.A.parameters.text",
            "no path"
        ),
        ("A: { text: true, intent: replied, parameters: { text: aps.x } }", "actions.A.parameters.text", "no path"),
        (
            "A: { text: true, intent: replied, parameters: { text: text, topic: text } }", "actions.A.parameters.topic",
            "there is no parameter of replied"
        ),
        ("A: { parameters: { text: text } }", "actions.A.parameters", "needs an intent"),
        ("A: { forground: true }", "actions.A", "forground"),
        ("com.apple.UNNotificationDismissActionIdentifier: {}", "actions.com.apple", "dismissal"),
        ("\"a b\": {}", "actions.a b", "a b"),
    ]

    @Test("the path of a user is checked", arguments: ["usr", "paylod.user", "{payload.user}", ""])
    func users(path: String) {
        let category = Self.head + "  C: { user: \"\(path)\" }\n"
        let adapter =
            Self.head + "  C: {}\nadapters: [{ name: a, kinds: [push], destination: home, user: \"\(path)\" }]\n"
        for (text, key) in [(category, "notificationCategories.C.user"), (adapter, "adapters[0].user")] {
            let problems = AppManifest.problems(in: text)
            #expect(problems.contains { $0.key == key && $0.message.contains("no path in a push") }, "\(problems)")
            let right = AppManifest.problems(in: text.replacing("\"\(path)\"", with: "payload.user"))
            #expect(!right.contains { $0.severity == .error }, "\(right)")
        }
    }

    @Test("what is wrong is said with its place", arguments: wrong)
    func problems(action: String, key: String, says: String) throws {
        let text = Self.head + "  C:\n    actions:\n      \(action)\n"
        let problems = AppManifest.problems(in: text).filter { $0.severity == .error }
        #expect(
            problems.contains { $0.key.hasPrefix("notificationCategories.C.\(key)") && "\($0)".contains(says) },
            "\(problems)"
        )
        #expect(problems.allSatisfy { ($0.line ?? 0) > 13 }, "\(problems)")
    }

    @Test(
        "what is wrong with a listener is said with its place",
        arguments: [
            ("presented: { intent: nonsense }", "presented.intent", "there is no intent of the app 'nonsense'"),
            ("presented: { intent: shown }", "presented.intent", "does more than change the session"),
            ("presented: { intent: tapped }", "presented.intent", "only home"),
            ("presented: { intent: replied }", "presented.intent", "needs the parameter 'text'"),
            (
                "presented: { intent: replied, parameters: { text: text } }", "presented.parameters.text",
                "nobody types a text"
            ),
            ("presented: {}", "presented", "'intent' is missing"), ("presented: replied", "presented", "is text"),
            ("presented: { intent: quiet, foreground: true }", "presented", "foreground"),
            ("dismissed: { intent: quiet }", "dismissed", "the app does not hear of a dismissal"),
        ]
    )
    func listeners(member: String, key: String, says: String) throws {
        let problems = AppManifest.problems(in: Self.head + "  C: { \(member) }\n").filter { $0.severity == .error }
        #expect(
            problems.contains { $0.key.hasPrefix("notificationCategories.C.\(key)") && "\($0)".contains(says) },
            "\(problems)"
        )
    }
}
