import Foundation
import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import TestFixtures
import Testing

/// A manifest of before is read as before (<doc:/SceneRuntime/ManifestFormat>). `Tests/Apps/Former` keeps the shop and the schema as
/// they were in format 1; nobody changes them.
@Suite("A manifest of format 1", .timeLimit(.minutes(15)))
struct FormerManifestTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func shop() throws -> String { try text("Tests/Apps/Former/shop-1.yaml") }

    @Test("says nothing that either schema refuses, and is read without a problem")
    func schemas() throws {
        let manifest = try JSONValue(parsing: AppManifest.json(of: try Self.shop()))
        for file in ["Tests/Apps/Former/manifest-1.schema.json", "protocol/manifest.schema.json"] {
            #expect(try JSONSchema(JSONValue(parsing: try Self.text(file))).failures(manifest) == [], "\(file)")
        }
        #expect(AppManifest.problems(in: try Self.shop()).map(\.description) == [])
    }

    /// With `TEST_FORMER_MANIFESTS=1` it writes what is read now, to be compared by hand with what was.
    @Test("is the app that it was")
    func decoded() throws {
        let read = try AppManifest.read(try Self.shop()).manifest
        let file = "Tests/Apps/Former/shop-1.json"
        if ProcessInfo.processInfo.environment["TEST_FORMER_MANIFESTS"] != nil {
            try (JSONValue.object(read.json).text() + "\n")
                .write(to: Self.root.appending(path: file), atomically: true, encoding: .utf8)
        }
        let kept = try Self.text(file)
        #expect(JSONValue.object(read.json).text() + "\n" == kept)
        #expect(try AppManifest.read(kept).manifest == read)
        // What it was: each value of the file is in what was read, where it is written in one way only.
        let written = try JSONValue(parsing: AppManifest.json(of: try Self.shop()))
        for part in ["name", "version", "appIDs", "schemes", "markets", "associatedDomains", "tabs"] {
            #expect(written[part] == read.json[part], "\(part)")
        }
        for part in ["facts", "preconditions", "conditions", "destinations", "flows", "intents", "configurations"] {
            #expect(
                Set(written[part]?.objectValue?.keys ?? []) == Set(read.json[part]?.objectValue?.keys ?? []),
                "\(part)"
            )
        }
    }

    /// An event at a door of the shop, and what comes of it: in format 1 and now.
    struct Door: CustomTestStringConvertible, Sendable {
        let event: @Sendable () throws -> EntryEvent
        let testDescription: String
        let then: String
        /// The same as then, but for what the page lists.
        let now: String

        init(
            _ what: String,
            _ then: String,
            now: String? = nil,
            _ event: @autoclosure @escaping @Sendable () throws -> EntryEvent
        ) {
            testDescription = what
            self.event = event
            self.then = then
            self.now = now ?? then
        }
    }

    private static let item = "com.apple.corespotlightitem"

    private static func spotlight(_ id: String) throws -> EntryEvent {
        try .activity(activityType: item, userInfo: ["kCSSearchableItemActivityIdentifier": .string(id)])
    }

    static let doors: [Door] = [
        Door("a URL", "applied", try .url("qcommerce://product/p1")),
        Door("a URL of the first years", "applied", try .url("qcommerce://deeplink?target=orders")),
        Door("a URL behind a gate", "gated signedIn", try .url("qcommerce://cart")),
        Door("a URL without a route", "refused unknownRoute", try .url("qcommerce://nowhere")),
        Door("a URL with a bad parameter", "refused validationFailed id", try .url("qcommerce://product/7")),
        Door("a universal link", "applied", try .url("https://shop.example/product/p1")),
        Door(
            "a universal link that stays in the browser",
            "refused notAssociated",
            try .url("https://shop.example/help/a")
        ),
        Door("a universal link of another domain", "refused notAssociated", try .url("https://other.example/cart")),
        Door("a push with a URL", "applied", try .push(payload: ["aps": ["alert": "x"], "url": "qcommerce://orders"])),
        Door(
            "a push with a destination",
            "applied",
            try .push(payload: ["aps": ["alert": "x"], "route": "product", "parameters": ["id": "p1"]])
        ),
        Door("a push that leads nowhere", "rejected noAdapter", try .push(payload: ["aps": ["alert": "x"]])),
        Door("a silent push", "delivered", try .push(payload: ["aps": ["content-available": 1]])),
        Door("a presented push", "delivered", try .push(payload: ["aps": ["alert": "x"]], interaction: "present")),
        Door("a widget's URL", "applied", try .widget(kind: "deals", url: "qcommerce://category/tea")),
        Door(
            "a widget's order",
            "gated signedIn",
            try .widget(kind: "order-status", userInfo: ["order": "o1"])
        ),
        Door("a widget that leads nowhere", "refused noAdapter", try .widget(kind: "clock", userInfo: ["a": "b"])),
        Door("a quick action", "applied", try .shortcut(type: "com.example.shop.orders")),
        Door("a quick action that leads nowhere", "refused noAdapter", try .shortcut(type: "com.example.shop.none")),
        Door("a search result", "applied", try spotlight("promo/SUMMER")),
        Door("a search result that is a place", "applied", try spotlight("account")),
        Door(
            "a Handoff",
            "applied",
            try .activity(
                activityType: "com.example.shop.view",
                userInfo: ["destination": "category", "parameters": ["slug": "tea"]]
            )
        ),
    ]

    private static func outcome(_ event: EntryEvent, of text: String, _ facts: [String: FactValue] = [:]) async throws
        -> (word: String, window: String)
    {
        let host = try SceneHost(id: "former", manifest: try AppManifest.read(text).manifest)
        try host.connect(scene: "A")
        if !facts.isEmpty { _ = try await host.session.commit(set: facts) }
        await host.quiesce()
        let word: String
        do throws(AdmissionError) {
            let receipt = await host.receipt(of: try host.admit(Submission(event, scene: "A")))
            word =
                switch receipt.outcome {
                case .gated(let precondition): "gated \(precondition)"
                case .rejected(let reason): "rejected \(reason)"
                default: "\(receipt.outcome.name)"
                }
        } catch {
            word =
                switch error {
                case .route(.unknownRoute): "refused unknownRoute"
                case .route(.validationFailed(let parameter, _)): "refused validationFailed \(parameter)"
                case .noAdapter: "refused noAdapter"
                case .notAssociated: "refused notAssociated"
                default: "\(error)"
                }
        }
        await host.quiesce()
        let window = try host.scene("A").window.topmost?.id ?? ""
        await host.drain()
        return (word, window)
    }

    @Test("behaves at each door as it did", arguments: doors)
    func door(_ door: Door) async throws {
        #expect(try await Self.outcome(door.event(), of: Self.shop()).word == door.now)
    }

    /// What the page says that means something else now, each with an event that shows it.
    @Test("means something else only where the page says so")
    func changes() async throws {
        let page = try Self.text("Sources/SceneRuntime/SceneRuntime.docc/ManifestFormat.md")
        let section = try #require(page.components(separatedBy: "## What a file of format 1 means now").last)
            .components(separatedBy: "\n## ")[0]
        let shop = try Self.shop()
        // Refused at the door, and nothing was shown; a push alone was rejected, and showed it.
        let fallback = shop + "\nfallback: account\n"
        let unknown = try await Self.outcome(.url("qcommerce://nowhere"), of: fallback)
        #expect(unknown == ("rejected unknownRoute", "account"))
        let push = try await Self.outcome(.push(payload: ["aps": ["alert": "x"]]), of: fallback)
        #expect(push == ("rejected noAdapter", "account"))
        #expect(section.contains("`fallback`"))
        // A condition of nobody's facts came after the gates.
        let sold = shop.replacing(
            "preconditions: [signedIn]\n    routes: [\"/order/{id}\"",
            with: "preconditions: [signedIn]\n    conditions: [inStock]\n    routes: [\"/order/{id}\""
        )
        #expect(sold != shop)
        let order = try EntryEvent.url("qcommerce://order/o1")
        #expect(try await Self.outcome(order, of: sold, ["unavailable": .strings(["o1"])]).word == "rejected inStock")
        #expect(section.contains("`conditions`"))
        // A flow that had nowhere to go back to was rejected.
        #expect(section.contains("`back`"))
    }

    /// The words of a schema: names of members, and values that are words.
    private static func words(_ value: JSONValue) -> Set<String> {
        if let list = value.arrayValue { return list.reduce(into: []) { $0.formUnion(words($1)) } }
        var all: Set<String> = []
        for (key, member) in value.objectValue ?? [:] {
            switch key {
            case "properties": all.formUnion(member.objectValue?.keys ?? [])
            case "enum": all.formUnion((member.arrayValue ?? []).compactMap(\.stringValue))
            case "const": all.formUnion([member.stringValue].compactMap(\.self))
            default: break
            }
            if key != "enum", key != "const" { all.formUnion(words(member)) }
        }
        return all
    }

    @Test("has none of the words that came later, and each of those is on the page of formats")
    func newWords() throws {
        let former = Self.words(try JSONValue(parsing: try Self.text("Tests/Apps/Former/manifest-1.schema.json")))
        let present = Self.words(try JSONValue(parsing: try Self.text("protocol/manifest.schema.json")))
        #expect(former.subtracting(present) == [], "a word of format 1 is not understood any more")
        let page = try Self.text("Sources/SceneRuntime/SceneRuntime.docc/ManifestFormat.md")
        let code = page.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map(\.element)
        let said = Set(code.flatMap { $0.split { !$0.isLetter } }.map(String.init))
        let new = present.subtracting(former)
        #expect(new.count > 30)
        #expect(new.subtracting(said).sorted() == [], "new words that the page does not list")
    }
}
