import Basics
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import Testing
import UIKit

@testable import SceneUIKit

extension InUIKit {
    /// Whatever comes from outside, from fingers and from the session, and however it falls into transitions: once nothing goes on, UIKit
    /// shows what the runtime says, was asked for nothing that it cannot do, and keeps no screen.
    @Suite("Random walks in UIKit")
    @MainActor
    struct WalkTests {
        struct Walked: CustomTestStringConvertible, Sendable {
            let app: ExampleApp
            let seed: UInt64
            var testDescription: String { "\(app) \(seed)" }
        }

        nonisolated static let walks = (1...10 as ClosedRange<UInt64>).flatMap { seed in
            ExampleApp.allCases.map { Walked(app: $0, seed: seed) }
        }

        nonisolated static let urls: [ExampleApp: [String]] = [
            .shop: [
                "qcommerce://home", "qcommerce://product/p1", "qcommerce://product/p2", "qcommerce://category/drinks",
                "qcommerce://cart", "qcommerce://checkout", "qcommerce://orders", "qcommerce://order/o1",
                "qcommerce://account",
                "qcommerce://account/settings/profile", "qcommerce://nowhere",
            ],
            .bank: [
                "bank://accounts", "bank://account/a1", "bank://account/a2", "bank://card", "bank://payments",
                "bank://payee/bob",
                "bank://transfer", "bank://receipt/t1", "bank://profile", "bank://help", "bank://help/cards",
                "bank://messages",
            ],
            .club: [
                "club://courts", "club://court/c1", "club://court/c2", "club://booking", "club://guests",
                "club://locker/7", "club://locker/8/bag", "club://news", "club://camps", "club://help",
                "club://help/login",
                "club://rating", "club://card", "club://nowhere",
            ],
        ]

        nonisolated static let intents: [ExampleApp: [Intent]] = [
            .shop: [
                Intent(name: "signUpRequested"), Intent(name: "signUpCancelled"),
                Intent(name: "emailCaptured", parameters: ["email": "a@b.c"]),
                Intent(name: "emailVerified", parameters: ["email": "a@b.c"]),
            ],
            .bank: [
                Intent(name: "introRead"), Intent(name: "named", parameters: ["user": "anna"]),
                Intent(name: "helpTapped"),
                Intent(name: "codeEntered", parameters: ["user": "anna", "code": "123456"]), Intent(name: "codeWrong"),
                Intent(name: "backupWanted", parameters: ["user": "anna"]), Intent(name: "gaveUp"),
                Intent(name: "passwordEntered", parameters: ["user": "anna"]), Intent(name: "passcodeEntered"),
            ],
            .club: [
                Intent(name: "started"), Intent(name: "loginCompleted", parameters: ["user": "anna"]),
                Intent(name: "asked"), Intent(name: "filled"), Intent(name: "sponsorWanted"), Intent(name: "joined"),
                Intent(name: "gaveUp"), Intent(name: "named"), Intent(name: "searchWanted"), Intent(name: "typed"),
                Intent(name: "found"), Intent(name: "depositWanted"), Intent(name: "shown"), Intent(name: "done"),
                Intent(name: "handedOut", parameters: ["locker": "7"]),
                Intent(name: "otherWanted", parameters: ["locker": "8"]), Intent(name: "rate"),
                Intent(name: "campsTapped"),
                Intent(name: "lockerTapped", parameters: ["locker": "7"]),
            ],
        ]

        @Test("show what the runtime says", arguments: walks)
        func agree(walk: Walked) async throws {
            var random = SplitMix(seed: walk.seed)
            let first = try EmbeddedApp(walk.app.manifest())
            let moved = try await self.walk(walk.app, 80, first, &random, restoring: [:])
            // The app ends while something goes on, and UIKit has kept what it showed.
            for id in Self.ids { first.disconnect(id) }
            try await end(first)
            let second = try EmbeddedApp(walk.app.manifest())
            let movedAgain = try await self.walk(walk.app, 8, second, &random, restoring: first.saved)
            for id in Self.ids { second.disconnect(id) }
            try await end(second)
            #expect(moved + movedAgain > 10)
        }

        private static let ids = ["A", "B"]

        /// Walks some steps, and finds UIKit and the runtime in agreement whenever nothing goes on.
        /// - Returns: How often a finger moved something.
        private func walk(
            _ app: ExampleApp,
            _ steps: Int,
            _ embedded: EmbeddedApp,
            _ random: inout SplitMix,
            restoring saved: [String: NSUserActivity]
        ) async throws -> Int {
            var moved = 0
            for id in Self.ids { embedded.connect(id, restoring: saved[id]) }
            // Else the bank stays at its first screens, where fingers can do little.
            try embedded.app.signIn("anna")
            for number in 0..<steps {
                let id = Self.ids[random.below(2)]
                if try await step(&random, app, embedded, id) { moved += 1 }
                if random.below(3) > 0 { await embedded.settle() }
                if random.below(2) == 0 { StandIn.finishTransitions() }
                guard number % 4 == 3 else { continue }
                await embedded.finish()
                for id in Self.ids where embedded.delegate(id) != nil {
                    let (shown, said) = (embedded.shown(id), try embedded.said(id))
                    try #require(shown == said, "\(id) after \(number + 1) steps")
                    let driver = try #require(embedded.app.windows[id])
                    let stacks = driver.presented.filter { $0.controller is UINavigationController }.count
                    try #require(
                        driver.given.count == stacks + (driver.root?.stacks.count ?? 0),
                        "stacks that are gone"
                    )
                }
                try #require(StandIn.mistakes.isEmpty, "\(StandIn.mistakes)")
            }
            return moved
        }

        /// Ends a run whose scenes are released: nothing is left of them, and the system was asked to close none.
        private func end(_ embedded: EmbeddedApp) async throws {
            await embedded.finish()
            let rules = embedded.app.host.records.read(after: 0).records.filter { $0.kind == .violation }
            #expect(rules.isEmpty, "\(rules.map(\.json))")
            #expect(embedded.alive.value == 0, "screens that are shown nowhere")
            #expect(StandIn.living == [], "controllers or windows that are shown nowhere")
            #expect(StandIn.destroyed == [] && StandIn.mistakes == [])
            for id in Self.ids { embedded.discard(id) }
            await embedded.finish()
            #expect(embedded.app.windows.all.isEmpty && embedded.app.ids.asked.isEmpty)
            await embedded.app.stop()
            #expect(embedded.refusals.filter { !$0.contains("no route takes") } == [])
        }

        /// Does something.
        /// - Returns: Whether a finger moved something.
        private func step(_ random: inout SplitMix, _ app: ExampleApp, _ embedded: EmbeddedApp, _ id: String)
            async throws -> Bool
        {
            guard embedded.delegate(id) != nil else {
                embedded.connect(id, restoring: random.below(2) == 0 ? embedded.saved[id] : nil)
                return false
            }
            let urls = Self.urls[app] ?? []
            switch random.below(20) {
            case 0...5: embedded.open(urls[random.below(urls.count)], in: id)
            case 6...12: return await touch(&random, embedded, id)
            case 13, 14: try embedded.app.signIn(["anna", "bob"][random.below(2)])
            case 15: embedded.app.signOut()
            case 16:
                embedded.disconnect(id)
                if random.below(3) == 0 { embedded.connect(id, restoring: embedded.saved[id]) }
            default:
                let intents = Self.intents[app] ?? []
                let handle = WindowHandle(id: id, app: embedded.app)
                // A window without a place for it ignores it.
                try handle.report(intents[random.below(intents.count)])
            }
            return false
        }

        /// Does what a finger can do now, if it can do anything.
        private func touch(_ random: inout SplitMix, _ embedded: EmbeddedApp, _ id: String) async -> Bool {
            let stack = embedded.stack(id)
            let first = random.below(5)
            for number in 0..<5 {
                switch (first + number) % 5 {
                case 0: if stack?.standInTapBack() == true { return true }
                case 1: if stack?.standInTapBack(by: 2) == true { return true }
                case 2:
                    guard stack?.standInBeginSwipe() == true else { continue }
                    if random.below(2) == 0 { await embedded.settle() }
                    stack?.standInLetGo(cancelling: random.below(3) == 0)
                    return true
                case 3:
                    let isLetGo = random.below(3) == 0
                    if embedded.top(id)?.presentationController?.standInPullDown(cancelling: isLetGo) == true {
                        return true
                    }
                default:
                    if (embedded.root(id) as? UITabBarController)?.standInTap(random.below(3)) == true { return true }
                }
            }
            return false
        }
    }
}
