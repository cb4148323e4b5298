import Basics
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import Testing
import UIKit

@testable import SceneUIKit

/// Whatever comes from outside, from fingers and from the session, and however it falls into transitions: once nothing goes on, UIKit
/// shows what the runtime says, was asked for nothing that it cannot do, and keeps no screen.
@Suite("Random walks in UIKit", .serialized)
@MainActor
struct WalkTests {
    struct Walked: CustomTestStringConvertible, Sendable {
        let app: ExampleApp
        let seed: UInt64
        var testDescription: String { "\(app) \(seed)" }
    }

    nonisolated static let walks = (1...20 as ClosedRange<UInt64>).flatMap { seed in
        [Walked(app: .shop, seed: seed), Walked(app: .bank, seed: seed)]
    }

    nonisolated static let urls: [ExampleApp: [String]] = [
        .shop: [
            "qcommerce://home", "qcommerce://product/p1", "qcommerce://product/p2", "qcommerce://category/drinks",
            "qcommerce://cart", "qcommerce://checkout", "qcommerce://orders", "qcommerce://order/o1", "qcommerce://account",
            "qcommerce://account/settings/profile", "qcommerce://nowhere",
        ],
        .bank: [
            "bank://accounts", "bank://account/a1", "bank://account/a2", "bank://card", "bank://payments", "bank://payee/bob",
            "bank://transfer", "bank://receipt/t1", "bank://profile", "bank://help", "bank://help/cards", "bank://messages",
        ],
    ]

    nonisolated static let intents: [ExampleApp: [Intent]] = [
        .shop: [
            Intent(name: "signUpRequested"), Intent(name: "signUpCancelled"),
            Intent(name: "emailCaptured", parameters: ["email": "a@b.c"]),
            Intent(name: "emailVerified", parameters: ["email": "a@b.c"]),
        ],
        .bank: [
            Intent(name: "introRead"), Intent(name: "named", parameters: ["user": "anna"]), Intent(name: "helpTapped"),
            Intent(name: "codeEntered", parameters: ["user": "anna", "code": "123456"]), Intent(name: "codeWrong"),
            Intent(name: "backupWanted", parameters: ["user": "anna"]), Intent(name: "gaveUp"),
            Intent(name: "passwordEntered", parameters: ["user": "anna"]), Intent(name: "passcodeEntered"),
        ],
    ]

    @Test("show what the runtime says", arguments: walks)
    func agree(walk: Walked) async throws {
        let before = Screen.alive.value
        var random = SplitMix(seed: walk.seed)
        var moved = 0
        do {
            let embedded = try EmbeddedApp(walk.app.manifest())
            let ids = ["A", "B"]
            for id in ids { embedded.connect(id) }
            for number in 0..<80 {
                let id = ids[random.below(2)]
                if try await step(&random, walk.app, embedded, id) { moved += 1 }
                if random.below(3) > 0 { await embedded.settle() }
                if random.below(2) == 0 { StandIn.finishTransitions() }
                guard number % 4 == 3 else { continue }
                await embedded.finish()
                for id in ids where embedded.delegate(id) != nil {
                    let (shown, said) = (embedded.shown(id), try embedded.said(id))
                    try #require(shown == said, "\(id) after \(number + 1) steps")
                }
                try #require(StandIn.mistakes.isEmpty, "\(StandIn.mistakes)")
            }
            let rules = embedded.app.host.records.read(after: 0).records.filter { $0.kind == .violation }
            #expect(rules.isEmpty, "\(rules.map(\.json))")
            for id in ids { embedded.disconnect(id) }
            await embedded.finish()
            #expect(Screen.alive.value == before, "screens that are shown nowhere")
            await embedded.app.stop()
        }
        #expect(moved > 10)
        #expect(Screen.alive.value == before)
    }

    /// Does something.
    /// - Returns: Whether a finger moved something.
    private func step(_ random: inout SplitMix, _ app: ExampleApp, _ embedded: EmbeddedApp, _ id: String) async throws -> Bool {
        guard embedded.delegate(id) != nil else {
            embedded.connect(id)
            return false
        }
        let urls = Self.urls[app] ?? []
        switch random.below(16) {
        case 0...3: embedded.open(urls[random.below(urls.count)], in: id)
        case 4: return embedded.stack(id)?.standInTapBack() ?? false
        case 5: return embedded.stack(id)?.standInTapBack(by: 2) ?? false
        case 6, 7:
            let stack = embedded.stack(id)
            guard stack?.standInBeginSwipe() == true else { return false }
            if random.below(2) == 0 { await embedded.settle() }
            stack?.standInLetGo(cancelling: random.below(3) == 0)
            return true
        case 8, 9: return embedded.top(id)?.presentationController?.standInPullDown(cancelling: random.below(3) == 0) ?? false
        case 10: return (embedded.root(id) as? UITabBarController)?.standInTap(random.below(3)) ?? false
        case 11: try await embedded.app.signIn(["anna", "bob"][random.below(2)])
        case 12: await embedded.app.signOut()
        case 13: embedded.disconnect(id)
        default:
            let intents = Self.intents[app] ?? []
            let handle = WindowHandle(id: id, app: embedded.app)
            try? handle.report(intents[random.below(intents.count)])
        }
        return false
    }
}
