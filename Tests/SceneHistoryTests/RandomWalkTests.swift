import Foundation
import SceneHistory
import SceneManifest
import SceneRouting
import StrictJSON
import Testing

/// 100,000 gestures, intents, links, flow results, commits, disconnections and discards violate no invariant.
///
/// The walks are the same in every run, so that a change is judged by what it changed. `TEST_WALK_SEED` takes others,
/// `TEST_WALK_STEPS` longer or shorter ones; `TEST_WALK_KEEP` names a folder for the records of those that fail.
@Suite(.timeLimit(.minutes(15))) struct RandomWalkTests {
    static let seed = environment("TEST_WALK_SEED").flatMap(UInt64.init) ?? 1
    static let folder = environment("TEST_WALK_KEEP")
    private static let steps = environment("TEST_WALK_STEPS").flatMap(Int.init) ?? 100_000

    /// The hosts share the steps, so that all cores are used.
    @Test(
        arguments: [
            "shop", "shop", "club", "ledger", "bank", "windows", "offers", "vault", "travel", "intake",
        ].enumerated().map {
            ($0.offset, $0.element)
        }
    )
    func `a long random walk keeps every promise`(part: Int, app: String) async throws {
        print("random walk, part \(part) of \(Self.steps) steps in all, seed \(Self.seed)")
        let manifest = try Self.app(app == "ledger" ? "login-first" : app)
        let seed = Self.seed &* 7 &+ UInt64(part)
        var met = try await Self.walk(app, manifest, seed: seed, users: 2 + part % 2)
        guard Self.steps >= 100_000 else { return }
        // Outcomes that never occurred were not tested.
        var due = [
            "applied", "unchanged", "delivered", "ignored", "rejected", "gated", "unhandledIntent", "noSuchFlow",
            "inTransition", "swipeCancelled", "nothingToPop", "flowCancelled", "userLeft", "nothingPresented",
        ]
        switch app {
        case "shop": due += ["gateUnsatisfied", "tabsCovered", "superseded"]
        case "club": due += ["gateUnsatisfied", "tabsCovered", "superseded", "noTabs", "open"]
        case "bank":
            due += [
                "gateUnsatisfied", "tabsCovered", "superseded", "noTabs", "transfersOpen", "accountOpen", "asked: open",
                "asked: close",
            ]
        case "windows":
            due += [
                "superseded", "noTabs", "asked: open", "asked: close", "asked: refresh", "closed another",
                "refreshed another", "asked: requestDenied",
            ]
        case "offers":
            due += ["offer", "offerPlus", "offerClub", "deals", "newDeals"].map { "chosen: \($0)" } + ["gated variant"]
        case "vault":
            due += [
                "superseded", "tabsCovered", "locked: connected", "locked: background", "unlocked: completed",
                "unlocked: lifted", "covered",
            ]
        case "travel": due += ["superseded", "checkIn", "onSale", "ahead", "soon"]
        case "intake": due += ["superseded", "flowShown", "gateUnsatisfied", "noTabs"]
        default: due += ["gateUnsatisfied", "noTabs"]
        }
        // What is rare hangs on how fast the host is beside its walker: further walks look for it.
        for further in 1...UInt64(8) where !met.isSuperset(of: due) {
            met.formUnion(try await Self.walk(app, manifest, seed: seed &+ further &* 1_000, users: 2 + part % 2))
        }
        #expect(met.isSuperset(of: due), "seed \(Self.seed): never \(Set(due).subtracting(met).sorted())")
    }

    /// Ten short walks in each app, each with six other manifests that may be loaded at any time.
    @Test(arguments: ["shop", "club", "login-first", "bank", "windows", "offers", "vault", "travel", "intake"])
    func `reloads of other manifests break no promise`(app: String) async throws {
        let manifest = try Self.app(app)
        for part in 0..<UInt64(10) {
            _ = try await Self.walk(app, manifest, seed: Self.seed &* 10 &+ part, steps: Self.steps / 500, reloads: 6)
        }
    }

    /// Takes a walk that has to keep every promise.
    /// - Returns: What it met, such as outcomes and reasons.
    private static func walk(
        _ app: String,
        _ manifest: AppManifest,
        seed: UInt64,
        users: Int = 2,
        steps: Int = steps / 10,
        reloads: Int = 0
    ) async throws -> Set<String> {
        var walk = try RandomWalk(seed: seed, manifest: manifest, users: users, keeps: folder != nil, reloads: reloads)
        try await walk.go(steps: steps)
        let report = walk.report
        #expect(report.conclusion == .holds, "\(app), seed \(seed): \(report.text)")
        #expect(walk.shownTwice == [], "\(app), seed \(seed)")
        if report.conclusion != .holds { try keepRecords(of: walk, as: "\(app)-\(seed)") }
        return Set(walk.met.keys)
    }

    /// An example that ships, with at most eight windows, so that each of them is judged; or an app of `Tests/Apps`.
    static func app(_ name: String) throws -> AppManifest {
        if let example = ExampleApp(rawValue: name) {
            var manifest = try example.manifest()
            manifest.policies.maximumScenes = min(manifest.policies.maximumScenes, 8)
            return manifest
        }
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Apps/\(name).yaml")
        return try AppManifest.read(String(contentsOf: file, encoding: .utf8)).manifest
    }

    /// Leaves the records of a walk that failed where they are asked for.
    static func keepRecords(of walk: RandomWalk, as name: String) throws {
        guard let folder else { return }
        let lines = walk.records.map { JSONValue.object($0).text() + "\n" }
        try lines.joined().write(toFile: "\(folder)/\(name).jsonl", atomically: true, encoding: .utf8)
    }

    private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
