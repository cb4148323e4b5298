import SceneEntryPoints
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import StrictJSON
import Testing

/// Three pushes are tapped at once: who wins must not depend on how long anything takes.
@Suite("Seed situation: three pushes racing for one window", .timeLimit(.minutes(15)))
struct RacingPushesTests {
    /// Every order in which three can arrive.
    static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

    private func push(_ link: String, _ event: String, _ shop: TestHost) throws -> SceneHost.Admission {
        let payload: JSONObject = ["aps": ["alert": "x"], "url": .string("https://shop.example/\(link)")]
        return try shop.host.admit(Submission(try .push(payload: payload), scene: "A", eventID: event))
    }

    /// Has three pushes arrive in an order while the window does something else, and answers their receipts in it.
    private func race(_ links: [String], _ order: [Int], _ shop: TestHost) async throws -> [Receipt] {
        let hold = try shop.hold(.transition, scene: "A", kind: .dispatch)
        let first = try shop.admit("category/tea", id: "first")
        _ = await hold.caught()
        let admissions = try order.map { try push(links[$0], links[$0], shop) }
        hold.release()
        #expect(await shop.host.receipt(of: first).outcome == .applied)
        var receipts: [Receipt] = []
        for admission in admissions { receipts.append(await shop.host.receipt(of: admission)) }
        await shop.host.quiesce()
        return receipts
    }

    @Test("all three may show: each is applied in the order of tickets, and the last is what stays", arguments: orders)
    func ungated(order: [Int]) async throws {
        let links = ["product/p1", "product/p2", "promo/SPRING"]
        let screens = ["product(id: p1)", "product(id: p2)", "promo(code: SPRING)"]
        let shop = try TestHost(windows: ["A"])
        let receipts = try await race(links, order, shop)
        #expect(receipts.map(\.ticket) == [2, 3, 4])
        #expect(receipts.allSatisfy { $0.outcome == .applied })
        // Each was shown when its turn came, on a window that was at rest, and nothing of the others was left on it.
        let shown = order.map { "home › \(screens[$0])" }
        #expect(receipts.map { $0.window?.selectedStack.map(\.description).joined(separator: " › ") } == shown)
        #expect(try shop.shown() == shown[2])
        let dispatches = shop.records.filter { [.dispatchBegan, .dispatchEnded].contains($0.body.kind) }
        #expect(dispatches.map(\.subject.ticket) == [1, 1, 2, 2, 3, 3, 4, 4], "one after the other")
        #expect(!shop.records.contains { $0.body.kind == .violation })
    }

    @Test(
        "all three need somebody signed in: the newest waits, the older ones are superseded, one sheet is shown",
        arguments: orders
    )
    func gated(order: [Int]) async throws {
        let links = ["cart", "order/o1", "account/settings/privacy"]
        let screens = ["home › cart", "orders › order(id: o1)", "account › settings(section: privacy)"]
        let shop = try TestHost(windows: ["A"])
        let receipts = try await race(links, order, shop)
        #expect(receipts.map(\.ticket) == [2, 3, 4])
        let ended = shop.records.filter { $0.body.kind == .dispatchEnded }.dropFirst()
        let gated = Record.Body.dispatchEnded(outcome: .gated(precondition: "signedIn"))
        #expect(ended.map(\.body) == [gated, gated, gated], "as each first attempt ended")
        let events = order.map { links[$0] }
        for (older, newer) in zip(events, events.dropFirst()) {
            #expect(shop.host.receipt(event: older)?.outcome == .superseded(by: newer))
        }
        #expect(try shop.window().modals.map(\.flow) == ["auth"])
        #expect(try shop.host.scene("A").parked.map(\.event) == [events[2]])
        try await shop.host.session.signIn(user: "anna")
        await shop.host.quiesce()
        #expect(shop.host.receipt(event: events[2])?.outcome == .applied)
        #expect(try shop.shown() == screens[order[2]])
        #expect(shop.records(of: .dispatchBegan).filter { $0.subject.attempt == 2 }.map(\.subject.ticket) == [4])
    }

    @Test(
        "one of them needs somebody signed in: it is superseded by what comes after it, else it waits",
        arguments: 0..<3
    )
    func mixed(place: Int) async throws {
        let links = ["product/p1", "product/p2", "cart"]
        var order = [0, 1]
        order.insert(2, at: place)
        let shop = try TestHost(windows: ["A"])
        let receipts = try await race(links, order, shop)
        #expect(receipts.map(\.ticket) == [2, 3, 4])
        let cart = shop.host.receipt(event: "cart")?.outcome
        if place == 2 {
            #expect(cart == .gated(precondition: "signedIn"))
            #expect(try shop.shown() == "home › product(id: p2) › auth[login]")
        } else {
            #expect(cart == .superseded(by: links[order[place + 1]]))
            #expect(try shop.shown() == "home › product(id: p2)", "the sheet went with what waited behind it")
        }
        for index in 0..<2 { #expect(shop.host.receipt(event: links[index])?.outcome == .applied) }
    }
}
