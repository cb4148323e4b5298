import StrictJSON
import Testing

@testable import SceneSoak

@Suite("A user of the shop")
struct SoakUserTests {
    private func calls(_ count: Int, seed: UInt64, number: Int = 0, mix: [String: Double] = [:]) -> [SoakCall] {
        var user = SoakUser(
            number: number,
            scenes: ["soak-1", "soak-2"],
            seed: seed,
            mix: mix,
            actions: ShopActions()
        )
        return (0..<count).map { _ in user.next() }
    }

    @Test("does the same with the same seed, and something else with another, or as another user")
    func seeded() {
        let one = calls(500, seed: 5)
        #expect(one == calls(500, seed: 5))
        #expect(one != calls(500, seed: 6))
        #expect(one != calls(500, seed: 5, number: 1))
    }

    @Test("takes every kind of action by itself")
    func habits() {
        let seen = Set(calls(20_000, seed: 1).map(\.kind))
        #expect(seen == Set(ActionKind.allCases.filter { $0 != .other }))
    }

    @Test("takes the actions of a mix in its proportions, and no others")
    func mix() {
        let calls = calls(20_000, seed: 2, mix: ["links": 60, "pushes": 30, "gestures": 10])
        let counts = Dictionary(calls.map { ($0.kind, 1) }, uniquingKeysWith: +)
        #expect(Set(counts.keys) == [.openurl, .push, .gesture])
        #expect(abs(Double(counts[.openurl] ?? 0) / 20_000 - 0.6) < 0.02)
        #expect(abs(Double(counts[.push] ?? 0) / 20_000 - 0.3) < 0.02)
    }

    @Test("stays in the windows of its own device, except for a few links that name none")
    func scenes() {
        let scenes = calls(5_000, seed: 3).map(\.scene)
        #expect(Set(scenes.compactMap { $0 }) == ["soak-1", "soak-2"])
        let unnamed = scenes.count { $0 == nil }
        #expect(unnamed > 0 && unnamed < 250, "\(unnamed)")
    }
}
