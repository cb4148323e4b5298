import Basics
import SceneEntryPoints
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

/// Which of several scenes takes an event that names none (<doc:/SceneRuntime/Scenes>).
@Suite struct SceneOrderTests {
    /// The rule once more: what is told of each scene, in the order in which the scenes were opened.
    private struct Rule {
        struct Known {
            let id: String
            var activation = Activation.background
            var isConnected = true
            /// When it became active if it is, else when it ceased to be; 0 if it never was.
            var lastActive = 0
        }

        var scenes: [Known] = []
        private var now = 0

        mutating func change(_ id: String, _ change: (inout Known) -> Void) {
            guard let index = scenes.firstIndex(where: { $0.id == id }) else { return }
            now += 1
            let before = scenes[index].activation
            change(&scenes[index])
            let after = scenes[index].activation
            if (before == .foregroundActive) != (after == .foregroundActive) { scenes[index].lastActive = now }
        }

        /// Somebody taps, which counts for a scene that is in front, too.
        mutating func tap(_ id: String) {
            change(id) {
                $0.activation = .foregroundActive
                $0.isConnected = true
            }
            if let index = scenes.firstIndex(where: { $0.id == id }) { scenes[index].lastActive = now }
        }

        /// The one that takes a tap, and why.
        var right: (id: String, choice: SceneChoice)? {
            if let active = scenes.filter({ $0.activation == .foregroundActive }).max(by: {
                $0.lastActive < $1.lastActive
            }) {
                return (active.id, .active)
            }
            if let recent = scenes.filter({ $0.lastActive > 0 }).max(by: { $0.lastActive < $1.lastActive }) {
                return (recent.id, .recent)
            }
            return scenes.first.map { ($0.id, .oldest) }
        }
    }

    private static func tap(_ host: SceneHost, in scene: String? = nil) async throws -> Receipt {
        let receipt = await host.receipt(of: try host.admit(Submission(try .url("qcommerce://home"), scene: scene)))
        await host.quiesce()
        return receipt
    }

    @Test("of those that were never active the oldest takes it", arguments: ["AB", "BA", "CAB", "ZYXW"])
    func oldest(order: String) async throws {
        let test = try TestHost(windows: [])
        for scene in order { try test.host.connect(scene: "\(scene)", inBackground: true) }
        let receipt = try await Self.tap(test.host)
        #expect(receipt.scene == order.first.map { "\($0)" } && receipt.choice == .oldest)
    }

    @Test("of those that are not active any more the one that was so most recently takes it")
    func recent() async throws {
        let test = try TestHost(windows: ["A", "B"])
        try await test.host.setActivation(.foregroundInactive, of: "B")
        try await test.host.setActivation(.foregroundInactive, of: "A")
        let receipt = try await Self.tap(test.host)
        #expect(receipt.scene == "A" && receipt.choice == .recent, "B became active after it, and ceased to be before")
        try await test.host.setActivation(.foregroundInactive, of: "A")
        _ = try await Self.tap(test.host, in: "B")
        _ = try await Self.tap(test.host, in: "A")
        try await test.host.disconnect(scene: "A")
        try await test.host.disconnect(scene: "B")
        let last = try await Self.tap(test.host)
        #expect(last.scene == "B" && last.choice == .recent, "it was active until it was disconnected")
    }

    @Test("whatever comes and goes, it is the one that the rule says", arguments: UInt64(0)..<40)
    func always(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let test = try TestHost(windows: [])
        let host = test.host
        var rule = Rule()
        for step in 0..<60 {
            let id = rule.scenes.isEmpty ? "" : rule.scenes[random.below(rule.scenes.count)].id
            let known = rule.scenes.first { $0.id == id }
            switch random.below(7) {
            case 0 where rule.scenes.count < 6:
                let isQuiet = random.below(3) > 0
                try host.connect(scene: "s\(step)", inBackground: isQuiet)
                rule.scenes.append(Rule.Known(id: "s\(step)"))
                if !isQuiet { rule.change("s\(step)") { $0.activation = .foregroundActive } }
            case 1 where known?.isConnected == true:
                try await host.disconnect(scene: id)
                rule.change(id) {
                    $0.isConnected = false
                    $0.activation = .unattached
                }
            case 2 where known?.isConnected == false:
                try await host.reconnect(scene: id)
                rule.change(id) {
                    $0.isConnected = true
                    $0.activation = .foregroundActive
                }
            case 3 where known != nil && rule.scenes.count > 3:
                try await host.discard(scene: id)
                rule.scenes.removeAll { $0.id == id }
            case 4, 5:
                guard let known, known.isConnected else { continue }
                let next = known.activation.successors.sorted { $0.rawValue < $1.rawValue }
                let to = next[random.below(next.count)]
                try await host.setActivation(to, of: id)
                rule.change(id) { $0.activation = to }
            default:
                guard let right = rule.right else { continue }
                let receipt = try await Self.tap(host)
                #expect(receipt.scene == right.id && receipt.choice == right.choice, "step \(step): \(rule.scenes)")
                rule.tap(right.id)
            }
        }
    }
}
