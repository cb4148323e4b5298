import Foundation
import SceneClient
import SceneHistory
import SceneManifest
import SceneModel
import SceneRouting
import Basics
import StrictJSON
import TestFixtures
import Testing
import Varlink

/// Many clients act at random, and the history is checked.
///
/// What each client sends is the same in every run, not in which order it arrives. `TEST_STRESS_SEED` has them send something else,
/// `TEST_STRESS_EVENTS` more or less.
@Suite("Many clients at random on the live daemon", .timeLimit(.minutes(15)))
struct StressTests {
    private static let connections = 32
    private static let scenes = (1...64).map { "s\($0)" }
    private static let events = variable("TEST_STRESS_EVENTS") ?? 8_000
    private static let seed = variable("TEST_STRESS_SEED") ?? 1

    private static func variable(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }

    @Test("32 connections and 64 windows with users coming and going: every invariant holds")
    func holds() async throws {
        let report = try Report()
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            for scene in Self.scenes { _ = try await client.connect(scene: scene) }
            let follower = try await daemon.client()
            // Ends when the daemon's history ends.
            let checking = Task { try await report.follow(follower) }
            try await withThrowingTaskGroup { group in
                for number in 0..<Self.connections {
                    let connection = try await daemon.client()
                    group.addTask { try await Self.drive(connection, number) }
                }
                try await group.waitForAll()
            }
            try await client.quiesce(timeout: .seconds(120))
            #expect(try await client.scenes().count == Self.scenes.count)
            // The checker is slow in a debug build, and a stopping daemon might not wait for it.
            let newest = try await daemon.connect().call("io.scened.Manager.GetStatus")["records"]?.integerValue ?? 0
            try await until("the checker has caught up", within: .seconds(600)) { await report.position >= newest }
            daemon.stop()
            try await checking.value
        }
        let (conclusion, text, records) = await report.finish()
        print("stress: \(Self.events) events, \(records) records, seed \(Self.seed): \(conclusion)")
        #expect(conclusion == .holds, "seed \(Self.seed): \(text)")
        #expect(records > Self.events)
    }

    private static func drive(_ client: SceneClient, _ number: Int) async throws {
        var random = SplitMix(seed: UInt64(seed) &* 1_000 &+ UInt64(number))
        // One connection in eight changes the session, another one connects and discards windows: one event in fifty each.
        for call in 0..<(events / connections) {
            let scene = scenes[random.below(scenes.count)]
            if call % 50 == 0, number % 8 == 0 { try await changeSession(client, &random, scene) }
            if call % 50 == 0, number % 8 == 1 { await changeLife(client, &random, scene) }
            try await send(client, &random, scene)
        }
    }

    private static func changeSession(_ client: SceneClient, _ random: inout SplitMix, _ scene: String) async throws {
        switch random.below(4) {
        case 0: _ = try await client.signIn(user: ["anna", "ben"][random.below(2)])
        case 1: _ = try await client.signOut()
        case 2: _ = try await client.commit(set: ["cart": ["p1"], "paymentMethod": "card"])
        default: _ = try await client.commit(set: ["unavailable": ["p2"]], remove: ["paymentMethod"])
        }
    }

    /// Whether a change is refused depends on what others do at the same time.
    private static func changeLife(_ client: SceneClient, _ random: inout SplitMix, _ scene: String) async {
        switch random.below(3) {
        case 0: _ = try? await client.disconnect(scene: scene)
        case 1: _ = try? await client.setActivation(.foregroundInactive, of: scene)
        default:
            _ = try? await client.discard(scene: scene)
            _ = try? await client.connect(scene: scene)
        }
    }

    private static func send(_ client: SceneClient, _ random: inout SplitMix, _ scene: String) async throws {
        let paths = [
            "product/p1", "product/p2", "category/fruit", "cart", "checkout", "orders", "order/o7", "account",
            "account/settings/profile", "promo/SPRING",
        ]
        let link = "https://shop.example/\(paths[random.below(paths.count)])"
        let wait: ReceiptStage = random.below(4) == 0 ? .admitted : .settled
        let delivery = SceneClient.Delivery(scene: random.below(8) == 0 ? nil : scene, wait: wait)
        do throws(SceneClientError) {
            switch random.below(5) {
            case 0: _ = try await client.push(payload: ["aps": ["alert": "x"], "url": .string(link)], delivery)
            case 1:
                _ = try await client.push(
                    payload: ["aps": ["alert": "x"], "url": "https://shop.example/nowhere"],
                    delivery
                )
            case 2: _ = try await client.tapWidget(kind: "order-status", userInfo: ["order": "o9"], delivery)
            case 3:
                _ = try await client.continueActivity(
                    type: "NSUserActivityTypeBrowsingWeb",
                    webpageURL: link,
                    delivery
                )
            default: _ = try await client.openURL(link, delivery)
            }
        } catch {
            // Another client may be replacing that window.
            guard case .unknownScene = error.refusal else { throw error }
        }
    }

    /// Checks records while the daemon runs; its memory does not grow with the history.
    private actor Report {
        private var checker: HistoryChecker
        private var records = 0
        private(set) var position = 0

        init() throws {
            checker = HistoryChecker(apps: [AppModel(try AppManifest.builtInShop())])
        }

        func follow(_ client: SceneClient) async throws {
            for try await page in client.followRecordTexts(after: 0) {
                for record in page {
                    records += 1
                    let record = try HistoryRecord(record)
                    position = record.index
                    checker.check(record)
                }
            }
        }

        func finish() -> (HistoryReport.Conclusion, String, Int) {
            let report = checker.finish()
            return (report.conclusion, "\(report)", records)
        }
    }
}
