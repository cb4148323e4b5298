import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// A window may be discarded at any moment (<doc:/SceneRuntime/Scenes>).
@Suite struct DiscardTests {
    enum Place: String, CaseIterable {
        case front, background, disconnected
    }

    private static func events() throws -> [SubmittedEvent] {
        [
            .entry(try .url("qcommerce://product/p1")),
            .entry(try .url("qcommerce://home")),
            .entry(try .url("qcommerce://cart")),
            .entry(try .url("qcommerce://nowhere")),
            .entry(try .push(payload: ["aps": ["alert": "x", "category": "OFFER"]], action: "SHOW")),
            .entry(
                try .push(
                    payload: ["aps": ["alert": "x", "category": "OFFER"], "product": "p1"],
                    action: "ADD_TO_CART"
                )
            ),
            .entry(try .push(payload: ["aps": ["content-available": 1]])),
            .action(.gesture(.selectTab("account"))),
            .action(.intent(Intent(name: "signOutTapped"))),
            .action(.finishFlow("auth", .cancelled)),
        ]
    }

    @Test("a discard at any point of any event leaves a true history", arguments: Place.allCases)
    func discard(_ place: Place) async throws {
        var manifest = try AppManifest.builtInShop()
        manifest.fallback = Destination(id: "home")
        manifest.adapters.append(
            AdapterDeclaration(
                name: "done",
                priority: 100,
                kinds: ["push"],
                conditions: [.equals(path: "action", oneOf: ["SHOW"])],
                mapping: .handled
            )
        )
        for event in try Self.events() {
            for point in HoldPoint.allCases {
                let host = try SceneHost(id: "discard", manifest: manifest)
                try host.connect(scene: "A", inBackground: place == .background)
                if place == .disconnected { try await host.disconnect(scene: "A") }
                let hold = try host.hold(point, scene: "A")
                let admission =
                    switch event {
                    case .entry(let entry): try host.admit(Submission(entry, scene: "A"))
                    case .action(let action): try host.admit(Submission(action, scene: "A"))
                    }
                // Some events pass by some points.
                let (isThere, there) = AsyncStream.makeStream(of: Void.self)
                _ = host.whenCaught(by: hold) { _ in there.yield() }
                _ = host.whenReached(.settled, admission) { _ in there.yield() }
                var moments = isThere.makeAsyncIterator()
                await moments.next()
                try await host.discard(scene: "A")
                _ = await host.receipt(of: admission)
                await host.drain()
                let records = host.records.read(after: 0).records.map(\.json)
                let report = checked(records, app: manifest)
                #expect(report.conclusion == .holds, "\(event), held at \(point): \(report.text)")
            }
        }
    }
}
