import SceneClient
import StrictJSON
import Testing

@Suite("Which window takes an event, on the live daemon", .timeLimit(.minutes(15)))
struct SceneChoiceTests {
    private func view(_ product: String, on client: SceneClient, as identifier: String? = nil) async throws -> String? {
        try await client.continueActivity(
            type: "com.example.shop.view",
            userInfo: ["destination": "product", "parameters": ["id": .string(product)]],
            targetContentIdentifier: identifier
        ).scene
    }

    @Test("without a window one is opened, with the configuration that prefers the content")
    func opensOne() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            let first = try #require(try await view("p1", on: client, as: "product/p1"))
            #expect(try await client.scene(first).configuration == "detail")
            // That window can activate only for products.
            let second = try await client.openURL("qcommerce://orders")
            #expect(second.scene != first)
            #expect(try await client.scene(try #require(second.scene)).configuration == "default")
            #expect(try await client.scenes().count == 2)
        }
    }

    @Test("a window that prefers the content comes before those that can show it")
    func prefers() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "detail", configuration: "detail")
            _ = try await client.connect(scene: "A")
            #expect(try await view("p1", on: client, as: "product/p1") == "detail")
            #expect(try await view("p1", on: client, as: "order/o1") == "A")
            #expect(try await view("p1", on: client) == "A")
            #expect(
                try await client.push(
                    payload: [
                        "aps": ["alert": "x", "target-content-id": "product/p2"], "url": "qcommerce://product/p2",
                    ]
                ).scene == "detail"
            )
            #expect(
                try await client.performShortcut(
                    type: "com.example.shop.orders",
                    targetContentIdentifier: "product/p3"
                ).scene == "detail"
            )
            #expect(try await client.tapWidget(kind: "deals", url: "qcommerce://home").scene == "A")
            #expect(try await client.openURL("qcommerce://product/p4").scene == "A", "the whole URL is no product/…")
        }
    }

    @Test("of several the most recently active takes it")
    func mostRecent() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            for scene in ["A", "B", "C"] { _ = try await client.connect(scene: scene) }
            #expect(try await client.openURL("qcommerce://home").scene == "C")
            for scene in ["B", "A", "C", "A"] {
                _ = try await client.openURL("qcommerce://product/p1", .init(scene: scene))
                #expect(try await client.openURL("qcommerce://orders").scene == scene)
            }
            // A presented push activates no window.
            _ = try await client.push(
                payload: ["aps": ["alert": "x"]],
                interaction: "present",
                .init(scene: "B")
            )
            #expect(try await client.openURL("qcommerce://home").scene == "A")
        }
    }
}
