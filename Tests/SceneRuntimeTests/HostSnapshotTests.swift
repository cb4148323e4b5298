import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

/// When a host says what is the case (<doc:/SceneRuntime/Records>). That it says the truth is the checker's to find
/// out, which compares it with the records before.
struct HostSnapshotTests {
    private static func host(interval: Int = 20, windows: [String] = ["A", "B"]) throws -> TestHost {
        var settings = HostSettings()
        settings.snapshotInterval = interval
        return try TestHost(windows: windows, settings: settings)
    }

    /// Has something happen in a scene until there is a snapshot more.
    private static func nextSnapshot(of test: TestHost, by scene: String) async throws {
        let count = test.records(of: .hostSnapshot).count
        for step in 0..<1_000 where test.records(of: .hostSnapshot).count == count {
            try await test.open(step.isMultiple(of: 2) ? "cart" : "product/p1", in: scene)
        }
        #expect(test.records(of: .hostSnapshot).count == count + 1)
    }

    private static func lastSnapshot(of test: TestHost, _ scene: String) -> (
        record: Record, snapshot: Record.SceneSnapshot
    )? {
        guard let record = test.records(of: .sceneSnapshot, scene: scene).last,
            case .sceneSnapshot(let snapshot) = record.body
        else { return nil }
        return (record, snapshot)
    }

    @Test func `the host says first what it is, then each scene does, and not before it is due`() async throws {
        let test = try Self.host()
        try await test.host.disconnect(scene: "B")
        for _ in 1...2 { try await Self.nextSnapshot(of: test, by: "A") }
        await test.host.quiesce()
        let snapshots = test.records.filter { [.hostSnapshot, .sceneSnapshot].contains($0.kind) }
        #expect(
            snapshots.map(\.kind) == [.hostSnapshot, .sceneSnapshot, .sceneSnapshot] + [
                .hostSnapshot, .sceneSnapshot, .sceneSnapshot,
            ]
        )
        for round in [snapshots[..<3], snapshots[3...]] {
            #expect(Set(round.compactMap(\.subject.scene)) == ["A", "B"])
            guard case .hostSnapshot(let host) = try #require(round.first).body else { continue }
            #expect(host.scenes == ["A", "B"])
        }
        let due = snapshots.filter { $0.kind == .hostSnapshot }.map(\.index)
        #expect(due[0] >= 20 && due[1] - due[0] >= HostSettings.snapshotShare * 2, "\(due)")
        // The window that was released says what it will show.
        let released = test.records(of: .sceneSnapshot, scene: "B").compactMap { record -> Record.SceneSnapshot? in
            if case .sceneSnapshot(let scene) = record.body { scene } else { nil }
        }
        #expect(released.allSatisfy { !$0.isConnected && $0.activation == .unattached && $0.coordinators.isEmpty })
        #expect(released.first?.window.state == (try test.window("B")))
    }

    @Test func `what is parked, and what waits behind the scene's turn, stands in it`() async throws {
        let test = try Self.host()
        try await test.open("checkout", in: "A", id: "parked", until: .settled)
        try await Self.nextSnapshot(of: test, by: "B")
        await test.host.quiesce()
        let first = try #require(Self.lastSnapshot(of: test, "A")).snapshot
        #expect(first.parked.map(\.event.event) == ["parked"] && first.waiting.isEmpty && first.lastTicket == 1)
        #expect(first.parked.map(\.flow) == first.gateFlows && !first.gateFlows.isEmpty)
        let hold = try test.hold(.admitted, scene: "A")
        try test.admit("cart", in: "A", id: "running")
        _ = await hold.caught()
        try await Self.nextSnapshot(of: test, by: "B")
        try test.admit(.gesture(.back), in: "A", id: "waiting")
        hold.release()
        await test.host.quiesce()
        // A newer link supersedes what was parked; the snapshot comes between it and the gesture.
        let (record, snapshot) = try #require(Self.lastSnapshot(of: test, "A"))
        #expect(snapshot.parked.map(\.event.event) == ["running"])
        #expect(snapshot.waiting.map(\.event) == ["waiting"])
        #expect(snapshot.waiting.map(\.action?.name) == ["back"])
        #expect(snapshot.lastTicket == 3)
        let began = test.records(of: .dispatchBegan, scene: "A")
        #expect(began.first { $0.subject.event == "waiting" }.map { $0.index > record.index } == true)
        #expect(began.first { $0.subject.event == "running" }.map { $0.index < record.index } == true)
    }

    @Test func `a scene in which more waits than a record can carry makes none until it has less`() async throws {
        let test = try Self.host()
        let hold = try test.hold(.admitted, scene: "A")
        try test.admit("cart", in: "A")
        _ = await hold.caught()
        try await Self.nextSnapshot(of: test, by: "B")
        let text = String(repeating: "x", count: 100 << 10)
        for _ in 1...6 {
            try test.admit(.intent(Intent(name: "unheardOf", parameters: ["x": text])), in: "A")
        }
        hold.release()
        await test.host.quiesce()
        #expect(test.records(of: .sceneSnapshot, scene: "A").isEmpty)
        #expect(test.records(of: .sceneSnapshot, scene: "B").count == 1)
        try await Self.nextSnapshot(of: test, by: "B")
        await test.host.quiesce()
        #expect(test.records(of: .sceneSnapshot, scene: "A").count == 1)
    }

    @Test func `a scene that goes while its snapshot is due makes none, and a new one of its ID does`() async throws {
        let test = try Self.host()
        let hold = try test.hold(.admitted, scene: "A")
        try test.admit("cart", in: "A")
        _ = await hold.caught()
        try await Self.nextSnapshot(of: test, by: "B")
        try await test.host.discard(scene: "A")
        hold.release()
        await test.host.quiesce()
        #expect(test.records(of: .sceneSnapshot, scene: "A").isEmpty)
        try test.host.connect(scene: "A")
        try await Self.nextSnapshot(of: test, by: "B")
        await test.host.quiesce()
        #expect(test.records(of: .sceneSnapshot, scene: "A").count == 1)
    }
}
