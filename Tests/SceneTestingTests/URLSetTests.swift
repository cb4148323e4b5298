import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import SceneTesting
import Testing

/// Several URLs at once, in an app's own tests.
@Suite("URLs that are opened at once, in a test") struct URLSetTests {
    private static let urls = ["qcommerce://product/p1", "qcommerce://promo/SPRING"]
    private static let places = [
        Destination(id: "product", parameters: ["id": "p1"]), Destination(id: "promo", parameters: ["code": "SPRING"]),
    ]

    @Test("are shown in the order that the test asks for", arguments: [[1, 2], [2, 1]])
    func asked(order: [Int]) async throws {
        try await withApp(.builtInShop(), exhaustivity: .off) { app in
            let window = try await app.connect("A")
            let receipts = try await window.open(Self.urls, order: order)
            #expect(receipts.map(\.ticket) == order && receipts.allSatisfy { $0.outcome == .applied })
            #expect(try window.window.selectedStack.last == Self.places[order[1] - 1])
        }
    }

    @Test("come by the seed of the settings, each order for some seed, and open one window")
    func seeded() async throws {
        var orders: Set<[Int?]> = []
        for seed in 0..<16 as Range<UInt64> {
            var settings = HostSettings()
            settings.seed = seed
            try await withApp(.builtInShop(), settings: settings, exhaustivity: .off) { app in
                let receipts = try await app.open(Self.urls)
                #expect(Set(receipts.map(\.scene)) == ["scene-1"])
                orders.insert(receipts.map(\.ticket))
            }
        }
        #expect(orders == [[1, 2], [2, 1]])
    }

    @Test("are refused with what is wrong")
    func wrong() async throws {
        try await withApp(.builtInShop()) { app in
            let window = try await app.connect("A")
            await #expect(throws: AdmissionError.self) {
                try await window.open([Self.urls[0], "qcommerce://nowhere"])
            }
            await #expect(throws: (any Error).self) {
                try await window.open([Self.urls[0], "https://shop.example/cart"])
            }
        }
    }
}
