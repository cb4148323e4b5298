import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

/// Windows that coordinators in Swift ask for, and close (<doc:/SceneRuntime/Scenes>).
@Suite("Windows that a coordinator asks for", .timeLimit(.minutes(15)))
struct WindowRequestTests {
    private static func shop(_ answers: [String: [FlowCommand]], most: Int = 8) throws -> TestHost {
        try TestHost(
            windows: ["A"],
            edit: { $0.policies.maximumScenes = most },
            coordinators: { flow, _ in flow == "home" ? Answering(answers) : nil }
        )
    }

    private static let product = Destination(id: "product", parameters: ["id": "p1"])

    @Test("are new scenes in the configuration it names, however the commands are ordered")
    func opens() async throws {
        let shop = try Self.shop([
            "beside": [
                .route(Destination(id: "category", parameters: ["slug": "tea"])),
                .openWindow(Self.product, configuration: "detail"), .session(.set(fact: "market", .string("de"))),
            ]
        ])
        let receipt = try await shop.tap("beside")
        #expect(receipt.outcome == .applied && receipt.windows == [.opened(scene: "scene-1")])
        await shop.host.quiesce()
        #expect(try shop.host.scene("scene-1").configuration == "detail")
        #expect(try shop.shown("scene-1") == "home › product(id: p1)")
        #expect(try shop.shown() == "home › category(slug: tea)")
        // The session first, then the window, then where to go.
        let kinds = shop.records.filter { $0.subject.scene == "A" && $0.subject.event == receipt.event }.map(\.kind)
        let order = kinds.filter { [.sessionCommitted, .windowRequested, .dispatchResolved].contains($0) }
        #expect(order == [.sessionCommitted, .windowRequested, .dispatchResolved])
    }

    @Test("are refused where the destination is wrong, and nothing else is done then")
    func wrong() async throws {
        let shop = try Self.shop([
            "nowhere": [.openWindow(Destination(id: "nowhere")), .closeWindow],
            "unknown": [.openWindow(Self.product, configuration: "none")],
        ])
        let outcome = try await shop.tap("nowhere").outcome
        #expect(outcome == .rejected(reason: "validationFailed: destination"))
        #expect(shop.host.scenes.map(\.id) == ["A"])
        // The app is told of a configuration that it does not have, as the system denies it.
        let receipt = try await shop.tap("unknown")
        #expect(receipt.outcome == .delivered && receipt.windows == [.denied(.requestDenied)])
    }

    @Test("are opened up to as many as the app allows, and the app is told of the others")
    func limit() async throws {
        let shop = try Self.shop(
            ["three": [.openWindow(Self.product), .openWindow(Self.product), .openWindow(Self.product)]],
            most: 3
        )
        let receipt = try await shop.tap("three")
        #expect(
            receipt.windows == [.opened(scene: "scene-1"), .opened(scene: "scene-2"), .denied(.requestDenied)]
        )
        #expect(receipt.outcome == .delivered)
    }

    @Test("that takes too much memory beside what waits is denied, and leaves no trace")
    func memory() async throws {
        let long = Destination(id: "category", parameters: ["slug": String(repeating: "a", count: 20)])
        var settings = HostSettings()
        settings.waitingBytes = 2_600
        let shop = try TestHost(
            windows: ["A"],
            settings: settings,
            coordinators: { flow, _ in
                flow == "home" ? Answering(["beside": [.openWindow(long), .openWindow(long)]]) : nil
            }
        )
        // What the first window is to show waits while the second is asked for.
        let hold = try shop.hold(.admitted, event: "auto-2")
        let receipt = try await shop.tap("beside")
        #expect(receipt.windows == [.opened(scene: "scene-1"), .denied(.requestDenied)], "\(receipt.outcome)")
        hold.release()
        await shop.host.quiesce()
        #expect(shop.host.memoryUse.events.waiting == 0)
        #expect(shop.host.scenes.map(\.id) == ["A", "scene-1"])
    }

    @Test("closes, is gone, and its event has been done; nobody else's is")
    func closes() async throws {
        let shop = try Self.shop([
            "leave": [.closeWindow, .route(Destination(id: "category", parameters: ["slug": "tea"]))]
        ])
        try shop.host.connect(scene: "B")
        let receipt = try await shop.tap("leave")
        #expect(receipt.outcome == .applied && receipt.window?.topmost?.id == "category")
        await shop.host.quiesce()
        #expect(shop.host.scenes.map(\.id) == ["B"])
        #expect(shop.records(of: .sceneDiscarded).map(\.subject.scene) == ["A"])
    }

    /// A shop whose first window is for nothing, and which has asked for two more for a product and one for a category.
    private static func several(_ answers: [String: [FlowCommand]]) async throws -> TestHost {
        let tea = Destination(id: "category", parameters: ["slug": "tea"])
        let all: [FlowCommand] = [.openWindow(product), .openWindow(tea), .openWindow(product)]
        let shop = try Self.shop(answers.merging(["all": all]) { $1 })
        try await shop.tap("all")
        await shop.host.quiesce()
        return shop
    }

    private static func targets(_ shop: TestHost) -> [String] {
        shop.records.compactMap { record -> String? in
            switch record.body {
            case .windowRequested(.close(let window?)): "close \(window.scene ?? "none")"
            case .windowRequested(.refresh(let window?)): "refresh \(window.scene ?? "none")"
            case .windowRequested(.close(nil)): "close own"
            case .windowRequested(.refresh(nil)): "refresh own"
            default: nil
            }
        }
    }

    @Test("are closed by what they are for, every one of them and no other, wherever somebody has gone in them")
    func closesOthers() async throws {
        let shop = try await Self.several(["done": [.closeWindows(for: Self.product)]])
        // What a window shows by now does not matter, nor that the first one shows the product, too.
        try await shop.open("category/bread", in: "scene-1")
        try await shop.open("product/p1")
        let receipt = try await shop.tap("done")
        #expect(receipt.outcome == .delivered && receipt.windows.isEmpty)
        await shop.host.quiesce()
        #expect(shop.host.scenes.map(\.id) == ["A", "scene-2"])
        #expect(Self.targets(shop) == ["close scene-1", "close scene-3"])
        // Now there is none, which the app is told and which changes nothing.
        #expect(try await shop.tap("done").outcome == .delivered)
        #expect(Self.targets(shop).last == "close none")
    }

    @Test("are closed with what they had admitted, in the middle of what they do, and when they are away")
    func closesWhatGoesOn() async throws {
        let shop = try await Self.several(["done": [.closeWindows(for: Self.product)]])
        let hold = try shop.hold(.planned, scene: "scene-1")
        let running = try shop.admit("category/bread", in: "scene-1")
        let waiting = try shop.admit("category/fruit", in: "scene-1")
        _ = await hold.caught()
        try await shop.host.disconnect(scene: "scene-3")
        try await shop.tap("done")
        for admission in [running, waiting] {
            #expect(
                await shop.host.receipt(of: admission, at: .finished).outcome == .abandoned(reason: "sceneDiscarded")
            )
        }
        await shop.host.quiesce()
        #expect(shop.host.scenes.map(\.id) == ["A", "scene-2"])
    }

    @Test("that is among them is closed last, and only if all else was done", arguments: [false, true])
    func closesItsOwn(isDenied: Bool) async throws {
        let news = Destination(id: "category", parameters: ["slug": "new"])
        let shop = try Self.shop(
            ["all": [.openWindow(Self.product)], "done": [.closeWindows(for: Self.product), .openWindow(news)]],
            most: isDenied ? 2 : 3
        )
        try await shop.tap("all")
        await shop.host.quiesce()
        let receipt = try await shop.tap("done", in: "scene-1")
        #expect(receipt.windows == [isDenied ? .denied(.requestDenied) : .opened(scene: "scene-2")])
        await shop.host.quiesce()
        #expect(shop.host.scenes.map(\.id) == (isDenied ? ["A", "scene-1"] : ["A", "scene-2"]))
    }

    @Test("that two windows close at each other's request are both gone, and neither asks for anything any more")
    func closeEachOther() async throws {
        let tea = Destination(id: "category", parameters: ["slug": "tea"])
        let shop = try await Self.several([
            "tea": [.closeWindows(for: tea), .openWindow(tea)],
            "products": [.closeWindows(for: Self.product), .openWindow(Self.product)],
        ])
        let hold = try shop.hold(.planned, scene: "scene-2")
        let late = try shop.admit(.intent(Intent(name: "products")), in: "scene-2")
        _ = await hold.caught()
        let first = try await shop.tap("tea", in: "scene-1")
        #expect(first.windows == [.opened(scene: "scene-4")])
        #expect(await shop.host.receipt(of: late).outcome == .abandoned(reason: "sceneDiscarded"))
        await shop.host.quiesce()
        #expect(shop.host.scenes.map(\.id) == ["A", "scene-1", "scene-3", "scene-4"])
    }

    @Test("are refreshed where they are, and one that is away comes back in the background, where nothing is done")
    func refreshes() async throws {
        let shop = try await Self.several([
            "changed": [.refreshWindows(for: Self.product), .refreshWindow],
            "none": [.refreshWindows(for: Destination(id: "product", parameters: ["id": "p9"]))],
        ])
        try await shop.host.setActivation(.foregroundInactive, of: "scene-1")
        try await shop.host.setActivation(.background, of: "scene-1")
        try await shop.host.disconnect(scene: "scene-3")
        let before = shop.records.count
        #expect(try await shop.tap("changed").outcome == .delivered)
        await shop.host.quiesce()
        #expect(Self.targets(shop) == ["refresh scene-1", "refresh scene-3", "refresh own"])
        #expect(try shop.host.scene("scene-1").activation == .background)
        let back = try shop.host.scene("scene-3")
        #expect(back.isConnected && back.activation == .background && back.admitted == 1)
        #expect(try shop.shown("scene-3") == "home › product(id: p1)")
        let moved = shop.records.dropFirst(before).filter { $0.subject.scene == "scene-3" }
        #expect(moved.map(\.kind).filter { $0 != .coordinatorAttached } == [.sceneConnected, .sceneActivation])
        // In front stays who was in front.
        #expect(try shop.host.scene("A").activation == .foregroundActive)
        #expect(try await shop.tap("none").outcome == .delivered)
        #expect(Self.targets(shop).last == "refresh none")
    }

    @Test("are refreshed by what holds now, and what waits in them goes on")
    func refreshJudges() async throws {
        let shop = try await Self.several(["changed": [.refreshWindows(for: Self.product)]])
        let cart = try shop.admit("qcommerce://cart", in: "scene-3")
        #expect(await shop.host.receipt(of: cart).outcome == .gated(precondition: "signedIn"))
        try await shop.host.disconnect(scene: "scene-3")
        try await shop.host.session.signIn(user: "mina")
        await shop.host.quiesce()
        #expect(shop.host.receipt(event: cart.receipt.event)?.outcome == .gated(precondition: "signedIn"))
        try await shop.tap("changed")
        await shop.host.quiesce()
        #expect(await shop.host.receipt(of: cart, at: .finished).outcome == .applied)
        #expect(try shop.host.scene("scene-3").activation == .background)
    }

    @Test("are refused where a destination is wrong, and nothing is done", arguments: [true, false])
    func wrongName(closes: Bool) async throws {
        let wrong = Destination(id: "product", parameters: ["id": "!"])
        let shop = try await Self.several(["it": [closes ? .closeWindows(for: wrong) : .refreshWindows(for: wrong)]])
        #expect(try await shop.tap("it").outcome == .rejected(reason: "validationFailed: id"))
        #expect(Self.targets(shop).isEmpty && shop.host.scenes.count == 4)
    }

    @Test("is not closed for whom it has been discarded meanwhile")
    func discarded() async throws {
        let shop = try Self.shop(["leave": [.closeWindow]])
        let hold = try shop.hold(.planned, scene: "A")
        let leave = try shop.admit(.intent(Intent(name: "leave")))
        _ = await hold.caught()
        try await shop.host.discard(scene: "A")
        #expect(await shop.host.receipt(of: leave).outcome == .abandoned(reason: "sceneDiscarded"))
        #expect(shop.records(of: .windowRequested).isEmpty)
    }
}

/// A coordinator with these answers.
private final class Answering: FlowCoordinator {
    private let answers: [String: [FlowCommand]]

    init(_ answers: [String: [FlowCommand]]) {
        self.answers = answers
    }

    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        answers[intent.name]
    }
}
