import SceneHistory
import SceneManifest
import SceneRouting
import SceneRuntime
import TestFixtures
import Testing
import UIKit
import UserNotifications

@testable import SceneUIKit

extension InUIKit {
    /// What the app keeps, the tools take.
    @Suite("What an app in the field has kept")
    @MainActor
    struct FieldTests {
        /// Signs in, is linked to, touched, sent to the background and closed, in two windows.
        private func run() async throws -> (records: String, recording: String) {
            let embedded = try EmbeddedApp(.builtInShop())
            for id in ["A", "B"] { embedded.connect(id) }
            await embedded.finish()
            embedded.open("qcommerce://cart", in: "A")
            await embedded.finish()
            try embedded.app.signIn("anna")
            await embedded.finish()
            embedded.open("qcommerce://product/p1", "qcommerce://orders", in: "B")
            await embedded.finish()
            #expect(
                embedded.stack("A")?.standInTapBack() == true,
                "\(embedded.shown("A")) \(embedded.app.recording) \(embedded.app.records)"
            )
            await embedded.finish()
            #expect((embedded.root("B") as? UITabBarController)?.standInTap(2) == true)
            await embedded.finish()
            embedded.app.signOut()
            await embedded.finish()
            embedded.disconnect("B")
            await embedded.finish()
            #expect(embedded.refusals == [])
            let kept = (embedded.app.records, embedded.app.recording)
            await embedded.app.stop()
            return kept
        }

        @Test("is judged by 'scenectl check' and repeated by 'scenectl play'")
        func replays() async throws {
            let (records, recording) = try await run()
            let folder = try TemporaryDirectory()
            try records.write(toFile: "\(folder.path)/records.jsonl", atomically: true, encoding: .utf8)
            try recording.write(toFile: "\(folder.path)/bug.jsonl", atomically: true, encoding: .utf8)
            let scenectl = Command.built("scenectl")
            let check = try Self.run([scenectl, "check", "\(folder.path)/records.jsonl"])
            #expect(check.status == 0, "\(check.output)")
            let play = try Self.run(
                [
                    scenectl, "with-daemon", "--app", "shop", "--clock", "virtual", "--check", "--", scenectl, "play",
                    // Each input came when what was before it had been done, which an app's recording does not say.
                    "--restful", "\(folder.path)/bug.jsonl",
                ]
            )
            #expect(play.status == 0, "\(play.output)\n\(recording)")
        }

        static func run(_ words: [String]) throws -> (status: Int32, output: String) {
            let command = try Command(words, mergingErrors: true)
            var output = ""
            while let line = command.line() { output += line + "\n" }
            return (command.end(), output)
        }
    }
}
