import Foundation
import SceneEntryPoints
import SceneManifest
import SceneRouting
import StrictJSON
import Subprocess
import SystemPackage
import TestFixtures
import Testing
import Varlink

@Suite("The three kinds of adapter", .timeLimit(.minutes(15)))
struct AdapterKindsTests {
    /// Events for every line of the mapping, and others that miss it by little.
    static let events: [String] =
        [
            "qcommerce://cart", "https://shop.example/product/p1", "https://shop.example/help/x", "cart", "",
            "qcommerce://nowhere",
        ]
        .flatMap { url in
            [
                #"{"payload":{"aps":{"alert":"x"},"url":"\#(url)"}}"#,
                #"{"payload":{"aps":{"alert":"x","category":"OFFER"},"url":"\#(url)","route":"orders"},"action":"SHOW"}"#,
            ]
        }
        + ["qcommerce://orders", "https://shop.example/cart"].map { #"{"kind":"deals","url":"\#($0)"}"# }
        + [
            "product/p1004", "category/tea", "promo/SPRING24", "order/o7", "settings/payment", "cart", "nowhere", "",
            "product/", "product/p1/x", "/p1", "settings/x", "category/TEA",
        ].map {
            """
            {"activityType":"com.apple.corespotlightitem","userInfo":{"kCSSearchableItemActivityIdentifier":"\($0)"}}
            """
        }
        + [
            #"{"destination":"cart"}"#, #"{"destination":"product","parameters":{"id":"p1"}}"#, #"{"destination":5}"#,
            #"{"destination":"product","parameters":{"id":1}}"#, #"{"destination":"product","parameters":"p1"}"#,
            #"{"destination":"checkout","parameters":{}}"#, "{}",
        ].map { #"{"activityType":"com.example.shop.view","handoff":true,"userInfo":\#($0)}"# }
        + [
            #"{"payload":{"aps":{"alert":"x"},"route":"order","parameters":{"id":"o1"}}}"#,
            #"{"payload":{"aps":{"alert":"x"},"route":"order","parameters":{"id":1}}}"#,
            #"{"payload":{"aps":{"alert":"x"},"route":"order","parameters":[]}}"#,
            #"{"payload":{"aps":{"alert":"x"},"route":1}}"#,
            #"{"payload":{"aps":{"content-available":1},"route":"cart"}}"#,
            #"{"kind":"order-status","userInfo":{"order":"o7"}}"#, #"{"kind":"order-status","userInfo":{"order":7}}"#,
            #"{"kind":"order-status"}"#, #"{"kind":"clock","userInfo":{"order":"o7"}}"#,
            #"{"activityType":"NSUserActivityTypeBrowsingWeb","webpageURL":"https://shop.example/orders"}"#,
            #"{"activityType":"x"}"#, #"{"activityType":"com.example.shop.view","announced":true}"#,
            #"{"type":"com.example.shop.cart"}"#, #"{"type":"com.example.shop.orders"}"#, #"{"type":"t"}"#,
            #"{"url":"qcommerce://cart"}"#,
        ]

    /// What has to be equal: everything except the adapter's name and the wording.
    private static func essence(_ trial: JSONObject) -> JSONObject {
        let told = ["kind", "request", "decision", "target", "precondition", "destination", "error"]
        return JSONObject(trial.filter { told.contains($0.key) }.map { ($0.key, $0.value) })
    }

    @Test(
        "give equal results for the same mapping: declared, in Swift, in Python",
        .enabled(if: PythonEnvironment.isInstalled, "no .build/python-venv; '.ci/setup' makes it")
    )
    func agree() async throws {
        let shop = try AppManifest.builtInShop()
        var bare = shop
        bare.adapters = []
        let engine = try RoutingEngine(manifest: shop)
        let declared = AdapterChain(manifest: shop)
        let swift = AdapterChain(manifest: bare, adapters: [ShopMapping()])
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/bare.json"
        var text = try JSONValue(parsing: AppManifest.json(of: AppManifest.builtInShopText)).objectValue ?? [:]
        text["adapters"] = nil
        try JSONValue.object(text).text().write(toFile: file, atomically: true, encoding: .utf8)

        try await LiveDaemon.run(["--app", file]) { daemon in
            let process = try Command(
                [
                    PythonEnvironment.python,
                    PythonEnvironment.scripts.appendingPathComponent("shop_adapter.py").path, daemon.socket,
                ]
            )
            defer {
                process.signal(SIGKILL)
                process.end()
            }
            try #require(process.awaitLine(with: "registered"))
            let client = try await daemon.connect()
            var takers: [String: Int] = [:]
            for text in Self.events {
                let json = try JSONValue(parsing: text).objectValue ?? [:]
                let event = try EntryEvent(json: json)
                let context = RoutingContext(facts: ["cart": .strings([]), "unavailable": .strings([])])
                let first = declared.trial(of: event, engine: engine, context: context).json
                let second = swift.trial(of: event, engine: engine, context: context).json
                let reply = try await client.call("io.scened.Adapters.Try", ["event": .object(json)])
                let third = reply["trial"]?.objectValue ?? [:]
                #expect(Self.essence(second) == Self.essence(first), "\(text)")
                #expect(Self.essence(third) == Self.essence(first), "\(text)")
                for trial in [first, second, third] {
                    takers[trial["adapter"]?.stringValue ?? "", default: 0] += 1
                }
            }
            #expect(takers["shop-in-swift"] == takers["shop-in-python"])
            #expect((takers["shop-in-python"] ?? 0) > 25)
            print("three kinds of adapter: \(Self.events.count) events, equal results")
        }
    }
}
