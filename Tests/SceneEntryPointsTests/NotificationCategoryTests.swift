import SceneEntryPoints
import SceneRouting
import StrictJSON
import Testing

/// What an app's notification categories make of a response to a notification.
@Suite("Notification categories")
struct NotificationCategoryTests {
    private static let manifest = AppManifest(
        name: "Chat",
        notificationCategories: [
            NotificationCategory(
                id: "com.example.message",
                reportsDismissal: true,
                actions: [
                    NotificationAction(
                        id: "REPLY",
                        takesText: true,
                        intent: NotificationAction.Handover(
                            name: "replied",
                            parameters: ["text": "text", "to": "payload.from"]
                        )
                    ),
                    NotificationAction(id: "MUTE", needsAuthentication: true, isDestructive: true),
                    NotificationAction(id: "SHOW", isForeground: true),
                ]
            ),
            NotificationCategory(id: "PLAIN"),
        ]
    )

    private func push(
        _ category: String?,
        _ payload: JSONObject = [:],
        interaction: String? = nil,
        action: String? = nil,
        text: String? = nil
    ) throws -> EntryEvent {
        var aps: JSONObject = ["alert": "Hello"]
        aps["category"] = category.map(JSONValue.string)
        var all: JSONObject = ["aps": .object(aps)]
        for (key, value) in payload { all[key] = value }
        return try .push(payload: all, interaction: interaction, action: action, text: text)
    }

    private func effect(_ event: EntryEvent, _ manifest: AppManifest = manifest) throws -> ResponseEffect? {
        try event.responseEffect(by: manifest)
    }

    /// What is wrong with a response; `nil` for one that is possible.
    private func refusal(_ event: EntryEvent) -> String? {
        do {
            _ = try event.responseEffect(by: Self.manifest)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("a tap, and an action in the foreground, navigate; one in the background hands over its intent")
    func effects() throws {
        let category = "com.example.message"
        #expect(try effect(push(category)) == .navigates)
        #expect(try effect(push(nil)) == .navigates, "a tap needs no category")
        #expect(try effect(push("unknown")) == .navigates)
        #expect(try effect(push(category, action: NotificationAction.tap)) == .navigates)
        #expect(try effect(push(category, action: "SHOW")) == .navigates)
        #expect(try effect(push(category, action: "MUTE")) == .background(nil))
        #expect(
            try effect(push(category, ["from": "u1"], action: "REPLY", text: "Hi"))
                == .background(
                    NotificationAction.Handover(name: "replied", parameters: ["text": "Hi", "to": "u1"])
                )
        )
        #expect(
            try effect(push(category, action: "REPLY")) == .background(NotificationAction.Handover(name: "replied")),
            "what is absent is left out"
        )
        #expect(try effect(push(category, interaction: "dismiss")) == nil)
        #expect(try effect(push(category, interaction: "present")) == nil)
        #expect(try effect(.push(payload: ["aps": ["content-available": 1, "category": "unknown"]])) == nil)
        #expect(try effect(.url("chat://home")) == nil)
    }

    @Test("nobody can do with a notification what its category does not have")
    func refusals() throws {
        let category = "com.example.message"
        #expect(
            refusal(try push(category, action: "CALL"))
                == "action: expected one of \"REPLY\", \"MUTE\", \"SHOW\", found \"CALL\""
        )
        #expect(
            refusal(try push("PLAIN", action: "CALL"))
                == "action: expected nothing, because the category \"PLAIN\" has no actions, found \"CALL\""
        )
        #expect(
            refusal(try push(category, action: "MUTE", text: "x"))
                == "text: expected nothing, because the action \"MUTE\" takes no text, found string"
        )
        #expect(
            refusal(try push(nil, action: "MUTE"))
                == "action: expected nothing, because the payload names no category in aps.category, found \"MUTE\""
        )
        #expect(
            refusal(try push("other", action: "MUTE"))
                == "payload.aps.category: expected a category of the app, one of \"com.example.message\", \"PLAIN\", found \"other\""
        )
        #expect(
            refusal(try push("PLAIN", interaction: "dismiss"))?.hasPrefix(
                "interaction: expected \"present\", \"open\" or"
            )
                == true
        )
        #expect(
            refusal(try push(nil, interaction: "dismiss"))
                == "interaction: expected nothing, because the payload names no category in aps.category, found \"dismiss\""
        )
        #expect(
            refusal(try push(category, ["from": 7], action: "REPLY", text: "Hi"))
                == "payload.from: expected text for the parameter to, found integer"
        )
    }

    @Test("an app that declares no category is not asked: every action is in the foreground, every dismissal reported")
    func withoutCategories() throws {
        let none = AppManifest(name: "Chat")
        #expect(try effect(push(nil, action: "ANY", text: "x"), none) == .navigates)
        #expect(try effect(push("other", action: "ANY"), none) == .navigates)
        #expect(try effect(push(nil, interaction: "dismiss"), none) == nil)
    }
}
