import SceneEntryPoints
import SceneManifest
import SceneRuntime
import StrictJSON
import Testing
import UIKit
import UserNotifications

@testable import SceneUIKit

extension InUIKit {
    /// What UIKit hands over, as the calls of the socket API have it: a replay gets nothing else.
    @Suite("What UIKit hands over, as JSON")
    @MainActor
    struct HandedOverTests {
        /// A value of Apple's that a property list may have, made where it is used: such values cannot be sent.
        struct Value: CustomTestStringConvertible, Sendable {
            let json: String
            let make: @Sendable () -> Any
            var testDescription: String { json }

            init(_ json: String, _ make: @escaping @Sendable () -> Any) { (self.json, self.make) = (json, make) }
        }

        nonisolated static let values: [Value] = [
            Value("\"text\"") { "text" },
            Value("true") { true },
            Value("1") { 1 },
            Value("2.5") { 2.5 },
            Value("true") { NSNumber(value: true) },
            Value("false") { NSNumber(value: false) },
            Value("3") { NSNumber(value: 3) },
            Value("0.5") { NSNumber(value: 0.5) },
            Value("-9223372036854775808") { NSNumber(value: Int64.min) },
            Value("1.8446744073709552e+19") { NSNumber(value: UInt64.max) },
            Value("{\"$date\":\"1970-01-01T00:00:00Z\"}") { Date(timeIntervalSince1970: 0) },
            Value("{\"$data\":\"aGk=\"}") { Data("hi".utf8) },
            Value("{\"$url\":\"https:\\/\\/a.example\\/b\"}") { URL(string: "https://a.example/b") as Any },
            Value("{\"$uuid\":\"00000000-0000-0000-0000-000000000001\"}") {
                UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
            },
            Value("[1,\"a\",[true]]") { [1, "a", [true]] as [Any] },
            Value("{\"a\":1,\"b\":{\"c\":2}}") { ["b": ["c": 2], "a": 1] as [AnyHashable: Any] },
            Value("{\"a\":1}") { ["a": 1, 2: "no text"] as [AnyHashable: Any] },
            Value("{\"$set\":[\"a\",\"b\",\"c\"]}") { ["c", "a", "b"] as Set<AnyHashable> },
            Value("null") { NSObject() },
        ]

        @Test("a property list has one form", arguments: values)
        func plist(value: Value) throws {
            let expected = try JSONValue(parsing: value.json)
            #expect(JSONValue(plist: value.make()).text() == expected.text())
        }

        @Test("an activity comes with all that it says")
        func activity() throws {
            let activity = NSUserActivity(activityType: UserActivity.browsingWeb)
            activity.webpageURL = URL(string: "https://a.example/b")
            activity.referrerURL = URL(string: "https://c.example/d")
            activity.userInfo = ["k": "v"]
            (activity.title, activity.targetContentIdentifier, activity.persistentIdentifier) = ("T", "C", "P")
            let json = try EntryEvent.continued(activity, isHandoff: false).json
            #expect(json["webpageURL"] == "https://a.example/b" && json["referrerURL"] == "https://c.example/d")
            #expect(
                json["title"] == "T" && json["targetContentIdentifier"] == "C" && json["persistentIdentifier"] == "P"
            )
            #expect(json["userInfo"] == ["k": "v"] && json["handoff"] == nil)
        }

        @Test("a text that is empty is none, as Apple's classes mean it")
        func empty() throws {
            let activity = NSUserActivity(activityType: "com.example.view")
            (activity.title, activity.targetContentIdentifier, activity.persistentIdentifier) = ("", "", "")
            let json = try EntryEvent.continued(activity, isHandoff: true).json
            #expect(json.map(\.key) == ["activityType", "handoff"])
            let item = UIApplicationShortcutItem(standIn: "t", target: "")
            #expect(try EntryEvent.chosen(item).json.map(\.key) == ["type"])
            let other = UIApplicationShortcutItem(standIn: "t", target: "C")
            #expect(try EntryEvent.chosen(other).json["targetContentIdentifier"] == "C")
        }

        @Test("a notification that the app has made itself says what a push would have said")
        func localNotification() throws {
            func aps(_ notification: UNNotification) throws -> JSONValue? {
                try EntryEvent.presented(notification).json["payload"]?["aps"]
            }
            let date = Date(timeIntervalSince1970: 0)
            let own = UNNotification(
                standInFor: "n",
                userInfo: ["k": "v"],
                title: "T",
                body: "B",
                category: "CAT",
                date: date
            )
            #expect(try aps(own) == ["alert": ["title": "T", "body": "B"], "category": "CAT"])
            let plain = UNNotification(standInFor: "n", userInfo: [:], title: "T", body: "B", date: date)
            #expect(try aps(plain) == ["alert": ["title": "T", "body": "B"]])
            // A push says it itself.
            let push = UNNotification(standInFor: "n", userInfo: ["aps": ["badge": 1]], title: "T", date: date)
            #expect(try aps(push) == ["badge": 1])
        }

        @Test("a recording has the newest calls, and begins at the first of them")
        func script() async throws {
            let embedded = try EmbeddedApp(.builtInShop())
            let script = AppScript()
            for number in 0...2 * AppScript.limit {
                script.note("Call", ["number": .integer(number)], at: .milliseconds(number))
            }
            let lines = script.text(of: embedded.app.host).split(separator: "\n")
            #expect(lines.count == AppScript.limit)
            let first = try JSONValue(parsing: String(try #require(lines.first)))
            #expect(first["parameters"]?["number"]?.integerValue == AppScript.limit + 1)
            #expect(first["at"] == 0 && first["manifest"] != nil)
            #expect(script.inputs.count == AppScript.limit)
        }

        @Test("an event that has not ended is expected nothing of")
        func openEvent() async throws {
            let embedded = try EmbeddedApp(.builtInShop())
            embedded.connect("A")
            await embedded.finish()
            embedded.open("qcommerce://product/p1", in: "A")
            #expect(embedded.app.recording.contains("Events.OpenURL"))
            #expect(!embedded.app.recording.contains("\"expect\""))
            await embedded.finish()
            #expect(
                embedded.app.recording.contains("\"expect\":{\"receipt\":{\"outcome\":\"applied\",\"scene\":\"A\"}}")
            )
        }

        @Test(
            "what happens comes into the recording in the order in which it was taken, several URLs too",
            arguments: 0..<8
        )
        func order(seed: Int) async throws {
            let embedded = try EmbeddedApp(.builtInShop(), seed: UInt64(seed))
            embedded.connect("A")
            await embedded.finish()
            embedded.open("qcommerce://product/p1", "qcommerce://product/p2", in: "A")
            await embedded.finish()
            let order = embedded.steps("Events.OpenURLs").first?["order"]?.arrayValue ?? []
            let last = try #require(order.last?.integerValue)
            #expect(order.count == 2 && embedded.shown("A").contains("product(id: p\(last))"))
        }
    }
}
