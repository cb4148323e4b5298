import Basics
import SceneClient
import StrictJSON
import TestFixtures

/// Holds that come and go by chance, for recordings.
struct RandomHolds {
    private var random: SplitMix
    /// How many there are at most.
    private let limit: Int
    private(set) var standing: [String] = []

    init(seed: UInt64, limit: Int) {
        random = SplitMix(seed: seed)
        self.limit = limit
    }

    /// Makes a hold or releases one, or neither. Some have a name of the daemon's.
    mutating func change(on client: SceneClient, _ scenes: [String], releasesAll: Bool = false) async throws {
        let chance = random.next() % 4
        if releasesAll || chance == 0 {
            while let hold = standing.popLast() {
                _ = try await client.call("io.scened.Control.Release", ["hold": .string(hold)])
                guard releasesAll else { return }
            }
        } else if chance < 3, standing.count < limit, let scene = scenes.randomElement(using: &random) {
            var parameters: JSONObject = ["point": .string(HoldTests.points.randomElement(using: &random) ?? "")]
            if random.next() % 3 != 0 { parameters["scene"] = .string(scene) }
            if random.next() % 3 == 0 { parameters["kind"] = "dispatch" }
            // A name is used again when its hold is released.
            let free = ["of.mine", "if", "h2"].first { !standing.contains($0) }
            if random.next() % 2 == 0, let free { parameters["hold"] = .string(free) }
            let reply = try await client.call("io.scened.Control.Hold", parameters)
            if let hold = reply["hold"]?.stringValue { standing.append(hold) }
        }
    }
}
