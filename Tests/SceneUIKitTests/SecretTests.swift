import Foundation
import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import TestFixtures
import Testing
import UIKit
import UserNotifications

@testable import SceneUIKit

extension InUIKit {
    /// The screens of an app need the values of secrets; what it keeps for the tools has placeholders (<doc:/SceneRuntime/Secrets>).
    @Suite("Secrets of an app in the field")
    @MainActor
    struct SecretTests {
        /// An app with a secret in every place that can have one.
        static let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Apps/secrets.yaml").path

        static let values = [
            "Opensesame", "correct horse", "Fromtheweb", "Pushedtoken", "battery staple", "typed reply", "Quicktoken",
            "choose me", "hunter2000", "drawer-nine", "keypadentry", "Restoredtoken",
        ]

        private func started(_ activity: NSUserActivity? = nil) async throws -> EmbeddedApp {
            let text = try String(contentsOfFile: Self.path, encoding: .utf8)
            let embedded = try EmbeddedApp(try AppManifest.read(text).manifest)
            embedded.connect("A", restoring: activity)
            await embedded.finish()
            return embedded
        }

        private func push(
            _ embedded: EmbeddedApp,
            _ payload: [AnyHashable: Any],
            action: String? = nil,
            text: String? = nil
        ) async {
            let notification = UNNotification(
                standInFor: UUID().uuidString,
                userInfo: payload,
                date: Date(timeIntervalSince1970: 0)
            )
            let response =
                if let text {
                    UNTextInputNotificationResponse(standIn: notification, action: action ?? "", text: text)
                } else {
                    UNNotificationResponse(
                        standIn: notification,
                        action: action ?? UNNotificationDefaultActionIdentifier,
                        scene: embedded.delegate("A")?.scene
                    )
                }
            SceneNotificationDelegate(app: embedded.app)
                .userNotificationCenter(UNUserNotificationCenter(), didReceive: response) {}
            await embedded.finish()
        }

        /// Gives an app a secret by each door, and looks at each that is shown.
        private func run(_ embedded: EmbeddedApp) async throws {
            let (scene, delegate) = try #require(embedded.delegate("A"))
            func expect(_ shown: String) { #expect(embedded.shown("A").contains(shown), "\(embedded.shown("A"))") }

            embedded.open("safe://reset/Opensesame", in: "A")
            await embedded.finish()
            expect("reset(token: Opensesame)")
            embedded.open("safe://invite?words=correct%20horse", in: "A")
            await embedded.finish()
            expect("invite(words: correct horse)")
            let link = NSUserActivity(activityType: UserActivity.browsingWeb)
            link.webpageURL = URL(string: "https://safe.example/reset/Fromtheweb")
            delegate.scene(scene, continue: link)
            await embedded.finish()
            expect("reset(token: Fromtheweb)")
            await push(embedded, ["aps": ["alert": "New"], "token": "Pushedtoken"])
            expect("reset(token: Pushedtoken)")
            // What was secret in an earlier call is in this one, though nobody reads it there.
            await push(
                embedded,
                ["aps": ["alert": "New"], "invite": ["words": "battery staple"], "copy": "Opensesame"]
            )
            expect("invite(words: battery staple)")
            await push(embedded, ["aps": ["alert": "Key", "category": "KEY"]], action: "TYPE", text: "typed reply")
            for (name, value) in [("token", "Quicktoken"), ("words", "choose me")] {
                let item = UIApplicationShortcutItem(
                    type: "com.example.safe.\(name)",
                    localizedTitle: "",
                    localizedSubtitle: nil,
                    icon: nil,
                    userInfo: [name: value as NSString]
                )
                delegate.windowScene(scene, performActionFor: item) { _ in }
                await embedded.finish()
                expect(value)
            }
            try embedded.app.signIn("anna", facts: ["pin": .string("hunter2000")])
            await embedded.finish()
            let handle = WindowHandle(id: "A", app: embedded.app)
            try handle.report(Intent(name: "codeTapped", parameters: ["code": "drawer-nine"]))
            await embedded.finish()
            expect("lid")
            try handle.report(Intent(name: "turned", parameters: ["code": "drawer-nine"]))
            await embedded.finish()
            expect("drawer(code: drawer-nine)")
            try handle.finish("keypad", .completed(FlowCompletion(values: ["entered": "keypadentry"])))
            await embedded.finish()
            try embedded.app.commit(set: ["pin": .string("hunter2000")], remove: [])
            await embedded.finish()
            #expect(StandIn.mistakes == [] && embedded.refusals == [])
        }

        private func expectNoSecrets(_ embedded: EmbeddedApp) {
            for value in Self.values {
                for form in [value, value.replacing(" ", with: "%20")] {
                    #expect(!embedded.app.recording.contains(form), "the recording has \(form)")
                    #expect(!embedded.app.records.contains(form), "the records have \(form)")
                }
            }
        }

        @Test(
            "screens are given values; records and the recording have placeholders, which 'play' takes with the values"
        )
        func placeholders() async throws {
            let embedded = try await started()
            try await run(embedded)
            let (app, records, recording) = (embedded.app, embedded.app.records, embedded.app.recording)
            expectNoSecrets(embedded)
            let placeholders = Set(SecretPlaceholder.all(in: recording).map(String.init))
            let revealed = Set(placeholders.map(app.revealed))
            #expect(revealed == Set(Self.values.filter { $0 != "Restoredtoken" }))
            await app.stop()

            let folder = try TemporaryDirectory()
            try records.write(toFile: "\(folder.path)/records.jsonl", atomically: true, encoding: .utf8)
            try recording.write(toFile: "\(folder.path)/bug.jsonl", atomically: true, encoding: .utf8)
            let scenectl = Command.built("scenectl")
            let check = try FieldTests.run([scenectl, "check", "\(folder.path)/records.jsonl"])
            #expect(check.status == 0, "\(check.output)")
            let options = placeholders.sorted().flatMap { ["--secret", "\($0)=\(app.revealed($0))"] }
            let play = try FieldTests.run(
                [
                    scenectl, "with-daemon", "--app", Self.path, "--clock", "virtual", "--check", "--", scenectl,
                    "play",
                    "\(folder.path)/bug.jsonl",
                ] + options
            )
            #expect(play.status == 0, "\(play.output)\n\(recording)")
        }

        @Test("a window comes back in the next run with the values, and that run's recording has placeholders")
        func restoration() async throws {
            let first = try await started()
            first.open("safe://reset/Restoredtoken", in: "A")
            await first.finish()
            let (scene, delegate) = try #require(first.delegate("A"))
            let activity = try #require(delegate.stateRestorationActivity(for: scene))
            await first.app.stop()
            let second = try await started(activity)
            #expect(second.shown("A").contains("reset(token: Restoredtoken)"))
            #expect(second.refusals == [])
            expectNoSecrets(second)
            #expect(second.app.recording.contains("\"Scenes.Connect\"") && second.app.recording.contains("secret:"))
            await second.app.stop()
        }

        @Test("two runs have different placeholders for one value")
        func keys() async throws {
            var placeholders: Set<Substring> = []
            for _ in 0..<2 {
                let embedded = try await started()
                embedded.open("safe://reset/Opensesame", in: "A")
                await embedded.finish()
                placeholders.formUnion(SecretPlaceholder.all(in: embedded.app.recording))
                await embedded.app.stop()
            }
            #expect(placeholders.count == 2)
        }
    }
}
