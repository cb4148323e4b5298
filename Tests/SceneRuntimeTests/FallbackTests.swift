import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import StrictJSON
import Testing

/// What an app shows that names a fallback when an event leads nowhere (<doc:/SceneRuntime/WayOfAnEvent>).
@Suite("The fallback", .timeLimit(.minutes(15)))
struct FallbackTests {
    private static let fallback = Destination(id: "promo", parameters: ["code": "SORRY"])

    private static func host(_ edit: (inout AppManifest) -> Void = { _ in }) throws -> TestHost {
        try TestHost(windows: ["A", "B"]) {
            $0.fallback = fallback
            edit(&$0)
        }
    }

    /// An event that leads nowhere, with the reason, and what it is for an app without a fallback: its error, or `nil` for a push,
    /// which is admitted all the same.
    struct Nowhere: CustomStringConvertible {
        let description: String
        let event: EntryEvent
        let reason: String
        let isPush: Bool
    }

    /// Every door × every way to lead nowhere.
    static func nowhere() throws -> [Nowhere] {
        var all: [Nowhere] = []
        func add(_ door: String, _ reason: String, _ event: EntryEvent) {
            all.append(
                Nowhere(description: "\(door), \(reason)", event: event, reason: reason, isPush: event.kind == .push)
            )
        }
        let alert: JSONValue = ["alert": "x"]
        let links = [("unknownRoute", "qcommerce://nowhere"), ("validationFailed: id", "qcommerce://product/tea")]
        for (reason, link) in links {
            add("url", reason, try .url(link))
            add("push", reason, try .push(payload: ["aps": alert, "url": .string(link)]))
            add("widget", reason, try .widget(kind: "deals", url: link))
        }
        // Its path is in the association file, but there is no such product.
        let type = UserActivity.browsingWeb
        add(
            "universal link",
            "validationFailed: id",
            try .activity(activityType: type, webpageURL: "https://shop.example/product/tea")
        )
        add(
            "universal link",
            "unknownRoute",
            try .activity(activityType: type, webpageURL: "https://shop.example/product/p1/more")
        )
        let info: JSONObject = ["destination": "product", "parameters": ["id": "tea"]]
        add(
            "Handoff",
            "validationFailed: id",
            try .activity(activityType: "com.example.shop.view", userInfo: info, handoff: true)
        )
        add("activity", "noAdapter", try .activity(activityType: "com.example.shop.unheardOf"))
        add("push", "noAdapter", try .push(payload: ["aps": alert]))
        add("widget", "noAdapter", try .widget(kind: "clock"))
        add("shortcut", "noAdapter", try .shortcut(type: "com.example.shop.unheardOf"))
        return all
    }

    /// How an event finds its window.
    enum Delivery: CaseIterable {
        case warm, background, cold, launch
    }

    @Test("whatever leads nowhere is admitted by every door alike, comes to the front, and shows the fallback")
    func everyDoor() async throws {
        var cells = 0
        for nowhere in try Self.nowhere() {
            for delivery in Delivery.allCases {
                for user in [nil, "anna"] {
                    for scene in delivery == .launch ? [nil] : ["A", nil] {
                        let test = try Self.host { if delivery == .launch { $0.policies.maximumScenes = 3 } }
                        if let user { try await test.host.session.signIn(user: user) }
                        for window in delivery == .launch ? ["A", "B"] : ["B"] {
                            try await test.host.discard(scene: window)
                        }
                        switch delivery {
                        case .warm, .launch: break
                        case .background:
                            try await test.host.setActivation(.foregroundInactive, of: "A")
                            try await test.host.setActivation(.background, of: "A")
                        case .cold: try await test.host.disconnect(scene: "A")
                        }
                        let what = "\(nowhere), \(delivery), \(user ?? "nobody"), \(scene ?? "chosen")"
                        let admission = try test.host.admit(Submission(nowhere.event, scene: scene))
                        let receipt = await test.host.receipt(of: admission)
                        #expect(receipt.outcome == .rejected(reason: nowhere.reason), "\(what)")
                        let taken = try #require(receipt.scene)
                        #expect(try test.shown(taken) == "home › promo(code: SORRY)", "\(what)")
                        #expect(try test.host.scene(taken).activation == .foregroundActive, "\(what)")
                        cells += 1
                    }
                }
            }
        }
        print("matrix of the fallback: \(cells) cells")
        #expect(cells == 13 * (3 * 2 * 2 + 2))
    }

    @Test("without a fallback it is an error, but for a tapped push")
    func without() async throws {
        for nowhere in try Self.nowhere() {
            let test = try TestHost(windows: ["A"])
            if nowhere.isPush {
                let receipt = await test.host.receipt(of: try test.host.admit(Submission(nowhere.event, scene: "A")))
                #expect(receipt.outcome == .rejected(reason: nowhere.reason))
                #expect(try test.shown() == "home")
            } else {
                #expect(throws: AdmissionError.self, "\(nowhere)") {
                    try test.host.admit(Submission(nowhere.event, scene: "A"))
                }
                #expect(test.records(of: .eventAdmitted).isEmpty)
            }
        }
    }

    @Test(
        "what is malformed, another app's, or what no associated domain vouches for, is an error with a fallback, too"
    )
    func atTheDoor() throws {
        let test = try Self.host()
        let web = UserActivity.browsingWeb
        let events: [EntryEvent] = [
            try .url("qcommerce://product/%zz"),
            // Another app's, which the system never hands over.
            try .url("other://product/p1"), try .url("tel:123"), try .url("file:///cart"),
            try .activity(activityType: web, webpageURL: "https://shop.example/help/returns"),
            try .activity(activityType: web, webpageURL: "https://elsewhere.example/product/p1"),
        ]
        for event in events {
            #expect(throws: AdmissionError.self, "\(event.json)") { try test.host.admit(Submission(event, scene: "A")) }
        }
        #expect(test.records(of: .eventAdmitted).isEmpty)
    }

    @Test("what is refused in the scene shows it as well, but not what is refused from inside the app")
    func refusedInside() async throws {
        let test = try Self.host()
        try await test.host.session.commit(set: ["unavailable": .strings(["p9"])])
        #expect(try await test.open("product/p9").outcome == .rejected(reason: "inStock"))
        #expect(try test.shown() == "home › promo(code: SORRY)")
        try await test.open("category/tea", in: "B")
        #expect(try await test.tap("productSelected", ["id": "p9"], in: "B").outcome == .rejected(reason: "inStock"))
        #expect(try test.shown("B") == "home › category(slug: tea)")
        #expect(try await test.tap("nonsense", in: "B").outcome == .rejected(reason: "unhandledIntent"))
        #expect(try test.shown("B") == "home › category(slug: tea)")
    }

    @Test("a fallback that may not be shown now is not shown; it waits at no gate")
    func notAllowed() async throws {
        let gated = try Self.host { $0.fallback = Destination(id: "cart") }
        #expect(try await gated.open("qcommerce://nowhere").outcome == .rejected(reason: "unknownRoute"))
        #expect(try gated.shown() == "home")
        #expect(try gated.host.scene("A").parked.isEmpty)
        let refused = try Self.host { $0.fallback = Destination(id: "product", parameters: ["id": "p9"]) }
        try await refused.host.session.commit(set: ["unavailable": .strings(["p9"])])
        #expect(try await refused.open("qcommerce://nowhere").outcome == .rejected(reason: "unknownRoute"))
        #expect(try refused.shown() == "home")
    }

    @Test("it takes no parked intent's place, and no flow in progress off the screen")
    func flowsStay() async throws {
        let test = try Self.host()
        #expect(try await test.open("cart", id: "waits").outcome == .gated(precondition: "signedIn"))
        #expect(try await test.open("qcommerce://nowhere").outcome == .rejected(reason: "unknownRoute"))
        #expect(try test.shown() == "home › auth[login]")
        #expect(try test.host.scene("A").parked.map(\.event) == ["waits"])
        // A flow for which nothing waits, over the fallback's own tab or another.
        let facts: [String: FactValue] = ["cart": .strings(["p1"]), "paymentMethod": .string("visa")]
        try await test.host.session.signIn(user: "anna", facts: facts)
        #expect(try await test.open("checkout", in: "B").outcome == .applied)
        let checkout = try test.shown("B")
        #expect(try await test.open("qcommerce://nowhere", in: "B").outcome == .rejected(reason: "unknownRoute"))
        #expect(try test.shown("B") == checkout)
        #expect(try test.host.scene("B").coordinators.contains("checkout"))
        #expect(test.records(of: .violation).isEmpty)
    }
}
