import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneModel
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// The checker takes what a reload does to what waits at a gate, and nothing else, for right.
@Suite struct ReloadedGateHistoryTests {
    /// What another manifest says, and whether it takes the gate away at which the cart waits.
    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var frees = true
        let edit: @Sendable (inout AppManifest) -> Void
    }

    static let changes = [
        Change(testDescription: "the precondition holds") { $0.setHolds("signedIn", .always) },
        Change(testDescription: "the cart does not need it") { $0.setPreconditions("cart", []) },
        Change(testDescription: "there is no such precondition") { manifest in
            manifest.preconditions.removeAll { $0.name == "signedIn" }
            for place in manifest.destinations.indices {
                manifest.destinations[place].preconditions.removeAll { $0 == "signedIn" }
            }
        },
        Change(testDescription: "another flow satisfies it") { manifest in
            for place in manifest.flows.indices where manifest.flows[place].name == "auth" {
                manifest.flows[place].name = "signInAgain"
            }
            for place in manifest.preconditions.indices where manifest.preconditions[place].flow == "auth" {
                manifest.preconditions[place].flow = "signInAgain"
            }
        },
        Change(testDescription: "the tabs are others", frees: false) { $0.tabs.reverse() },
        Change(testDescription: "nothing opens", frees: false) { $0.setHolds("paymentMethod", .always) },
        Change(testDescription: "only what waits behind does not need it", frees: false) { manifest in
            manifest.setPreconditions("order", [])
        },
    ]

    private static func shop(_ policy: Policies.WhileGated) throws -> AppManifest {
        var manifest = try AppManifest.builtInShop()
        manifest.policies.whileGated = policy
        return manifest
    }

    private static func changed(_ manifest: AppManifest, by change: Change) -> AppManifest {
        var next = manifest
        next.version = "2"
        change.edit(&next)
        return next
    }

    /// The records of a host whose windows A, and B, which is released meanwhile, wait for somebody to sign in.
    private static func records(
        _ first: AppManifest,
        _ second: AppManifest,
        signsIn: Bool
    ) async throws -> [JSONObject] {
        let host = try SceneHost(id: "reloaded", manifest: first)
        for scene in ["A", "B"] {
            try host.connect(scene: scene)
            for (url, id) in [("cart", "cart"), ("order/o7", "order"), ("product/p1", "product")] {
                let event = Submission(try .url("qcommerce://" + url), scene: scene, eventID: "\(id)-\(scene)")
                _ = await host.receipt(of: try host.admit(event))
                if first.policies.whileGated != .queue { break }
            }
        }
        await host.quiesce()
        try await host.disconnect(scene: "B")
        try await host.reload(second)
        if !signsIn { await host.quiesce() }
        if signsIn { try await host.session.signIn(user: "mina") }
        try host.connect(scene: "B")
        await host.quiesce()
        try await host.session.commit(set: ["market": .string("de")])
        await host.quiesce()
        await host.drain()
        return host.records.read(after: 0).records.map(\.json)
    }

    private static func report(_ records: [JSONObject], _ apps: [AppModel]) throws -> HistoryReport {
        var checker = HistoryChecker(apps: apps)
        for record in records { checker.check(try HistoryRecord(record)) }
        return checker.finish()
    }

    @Test("a true history holds", arguments: changes, [Policies.WhileGated.supersede, .queue])
    func holds(change: Change, policy: Policies.WhileGated) async throws {
        let first = try Self.shop(policy)
        let second = Self.changed(first, by: change)
        for signsIn in [false, true] {
            let records = try await Self.records(first, second, signsIn: signsIn)
            let report = try Self.report(records, [AppModel(first), AppModel(second)])
            #expect(report.conclusion == .holds, "\(report.text)")
            // Without the manifests nothing is taken for wrong either.
            #expect(try Self.report(records, []).violated.isEmpty)
        }
    }

    @Test("an intent that should have been resumed after the reload, and was not, is noticed", arguments: changes)
    func notResumed(change: Change) async throws {
        let first = try Self.shop(.supersede)
        let second = Self.changed(first, by: change)
        var records = try await Self.records(first, second, signsIn: false)
        let loaded = try #require(records.firstIndex { $0["kind"] == "manifest.loaded" })
        let quiet = try #require(records[..<loaded].last { $0["kind"] == "host.quiet" })
        records = Array(records[...loaded])
        var rest = quiet
        rest["index"] = .integer(records.count + 1)
        rest["monotonic"] = records[loaded]["monotonic"]
        let report = try Self.report(records + [rest], [AppModel(first), AppModel(second)])
        #expect(report.violated.isEmpty != change.frees, "\(report.text)")
    }

    @Test("an intent that was resumed although its gate is still there is noticed")
    func resumedWrongly() async throws {
        let first = try Self.shop(.queue)
        let second = Self.changed(first, by: Self.changes[1])
        let records = try await Self.records(first, second, signsIn: false)
        // By this manifest the cart still needs it.
        var other = first
        other.version = "2"
        let report = try Self.report(records, [AppModel(first), AppModel(other, digest: second.digest)])
        #expect(report.text.contains("it was resumed although signedIn does not hold"), "\(report.text)")
        // Without a reload there is no reason to go on.
        let held = records.filter { $0["kind"] != "manifest.loaded" }.enumerated().map { place, record in
            var record = record
            record["index"] = .integer(place + 1)
            return record
        }
        #expect(try Self.report(held, []).violated.contains(.resumes))
    }
}

extension AppManifest {
    fileprivate mutating func setHolds(_ precondition: String, _ predicate: FactPredicate) {
        for place in preconditions.indices where preconditions[place].name == precondition {
            preconditions[place].holds = predicate
        }
    }

    fileprivate mutating func setPreconditions(_ destination: String, _ names: [String]) {
        for place in destinations.indices where destinations[place].id == destination {
            destinations[place].preconditions = names
        }
    }
}
