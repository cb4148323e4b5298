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
