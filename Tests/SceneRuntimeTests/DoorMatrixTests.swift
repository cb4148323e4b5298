import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

/// Every shop destination × every kind of event that can carry it × cold and warm × who is signed in × explicit and
/// chosen scene: the same window and outcome as the plain link's.
@Suite("The matrix of doors", .timeLimit(.minutes(15)))
struct DoorMatrixTests {
    /// How an event finds its window.
    enum Delivery: CaseIterable {
        /// The window is there and shows something else.
        case warm
        /// The window was there, is disconnected and comes back for the event.
        case cold
        /// There was no window; one is opened for the event.
        case launch
    }

    enum Visitor: CaseIterable {
        case nobody, anna
        /// Signed in, with all that a checkout needs.
        case annaReadyToPay
    }

    struct Cell: CustomStringConvertible {
        let door: Door
        let delivery: Delivery
        let visitor: Visitor
        let scene: String?

        var description: String { "\(door), \(delivery), \(visitor), \(scene ?? "chosen")" }
    }

    struct End: Equatable {
        let outcome: Outcome
        let window: WindowState?
        let parked: [SceneStatus.Parked]
    }

    private let manifest: AppManifest

    init() throws { manifest = try AppManifest.builtInShop() }

    private func host(_ visitor: Visitor) async throws -> SceneHost {
        let host = try SceneHost(id: "test", manifest: manifest)
        switch visitor {
        case .nobody: break
        case .anna: try await host.session.signIn(user: "anna")
        case .annaReadyToPay:
            try await host.session.signIn(
                user: "anna",
                facts: ["cart": .strings(["p1"]), "paymentMethod": .string("visa")]
            )
        }
        return host
    }

    /// The result of one cell, in a new host.
    private func end(_ cell: Cell) async throws -> End {
        let host = try await host(cell.visitor)
        if cell.delivery != .launch { try host.connect(scene: "A") }
        if cell.delivery != .launch {
            let elsewhere = Submission(try .url("https://shop.example/promo/ELSEWHERE"), scene: "A")
            #expect(await host.receipt(of: try host.admit(elsewhere)).outcome == .applied)
        }
        if cell.delivery == .cold { try await host.disconnect(scene: "A") }
        let submission = Submission(cell.door.event, scene: cell.scene, eventID: "it")
        let receipt = await host.receipt(of: try host.admit(submission))
        let scene = try #require(receipt.scene)
        try check(cell, host, scene)
        // The event's ID is the same for all doors.
        return End(outcome: receipt.outcome, window: receipt.window, parked: try host.scene(scene).parked)
    }

    /// Checks that the event took the cell's door, and that a cold event was among the scene's connection options.
    private func check(_ cell: Cell, _ host: SceneHost, _ scene: String) throws {
        #expect(cell.scene == nil || cell.scene == scene, "\(cell)")
        let delivery = host.records.read(after: 0).records.compactMap { record -> EventDelivery? in
            guard record.subject.event == "it", case .eventAdmitted(let arrival) = record.body else { return nil }
            return arrival.delivery
        }
        #expect(delivery == [cell.delivery == .warm ? .warm : .cold], "\(cell)")
        let cold = try #require(cell.door.event.coldDelivery)
        #expect(cold.options.events + (cold.following.map { [$0] } ?? []) == [cell.door.event], "\(cell)")
    }

    @Test("an event ends with the same window and outcome as the plain link, whichever way it comes")
    func sameEnd() async throws {
        let shop = try Door.shop()
        var cells = 0
        for (destination, doors) in shop {
            let links = doors.filter { $0.name.hasPrefix("url ") }
            let link = try #require(links.first { $0.name == "url https" } ?? links.first, "\(destination) has no link")
            for visitor in Visitor.allCases {
                for delivery in Delivery.allCases {
                    // Start the link from the same place: a window opened for the event begins at its root, an old one may not.
                    let start: Delivery = delivery == .launch ? .launch : .warm
                    let plain = try await end(
                        Cell(door: link, delivery: start, visitor: visitor, scene: start == .launch ? nil : "A")
                    )
                    for scene in delivery == .launch ? [nil] : ["A", nil] {
                        for door in doors {
                            let cell = Cell(door: door, delivery: delivery, visitor: visitor, scene: scene)
                            #expect(try await end(cell) == plain, "\(destination): \(cell)")
                            cells += 1
                        }
                    }
                }
            }
        }
        let doors = shop.map(\.doors.count)
        print(
            "matrix of doors: \(shop.count) destinations, \(doors.reduce(0, +)) doors to them, \(cells) cells, all like the plain link"
        )
        // Otherwise doors that no longer lead to a destination would be missing unnoticed.
        #expect(shop.map(\.destination.id) == Self.destinations)
        #expect(doors == Self.doors)
        #expect(cells == doors.reduce(0, +) * Visitor.allCases.count * (2 + 2 + 1))
    }

    /// An intent is internal and keeps what is shown, so it ends like the link only if nothing but the root is shown.
    @Test("an in-app intent in a window at its root ends like the link")
    func intents() async throws {
        var cells = 0
        for (destination, doors) in try Door.shop() {
            guard let link = doors.first(where: { $0.name == "url https" }) else { continue }
            for intent in manifest.intents where intent.screens.isEmpty {
                guard case .route(destination.id, let sources)? = intent.effects.first, intent.effects.count == 1,
                    Set(sources.keys) == Set(destination.parameters.keys)
                else { continue }
                var parameters: [String: String] = [:]
                for case (let name, .parameter(let source)) in sources {
                    parameters[source] = destination.parameters[name]
                }
                for visitor in Visitor.allCases {
                    let reported = Submission(
                        .intent(Intent(name: intent.name, parameters: parameters)),
                        scene: "A",
                        eventID: "it"
                    )
                    let opened = Submission(link.event, scene: "A", eventID: "it")
                    var ends: [End] = []
                    for submission in [opened, reported] {
                        let host = try await host(visitor)
                        try host.connect(scene: "A")
                        let receipt = await host.receipt(of: try host.admit(submission))
                        let parked = try host.scene("A").parked
                        ends.append(End(outcome: receipt.outcome, window: receipt.window, parked: parked))
                    }
                    #expect(ends[0] == ends[1], "\(destination): \(intent.name), \(visitor)")
                    cells += 1
                }
            }
        }
        print("matrix of intents: \(cells) cells, all like the plain link")
        #expect(cells == 6 * Visitor.allCases.count)
    }

    private static let destinations = [
        "home", "category", "product", "product", "promo", "cart", "checkout", "orders", "order", "account", "settings",
        "deleteAccount",
    ]
    /// Four by the app's scheme; six by https, except for the root; then push route, Handoff, activity and, with one
    /// parameter at most, Spotlight; then those that only some destinations have.
    private static let doors = [8, 14, 14, 13, 14, 15, 14, 15, 15, 14, 14, 14]
}
