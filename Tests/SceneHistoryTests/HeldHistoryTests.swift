import Basics
import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// Records of what holds stop (<doc:/SceneRuntime/Invariants>).
@Suite("What holds stop", .timeLimit(.minutes(15))) struct HeldHistoryTests {
    private static let places = HoldPoint.allCases.flatMap { point in DispatchKind.allCases.map { (point, $0) } }

    private static func admit(_ link: String, in scene: String = "A", to club: Club) throws -> SceneHost.Admission {
        try club.host.admit(Submission(try .url("qcommerce://\(link)"), scene: scene, connection: 7))
    }

    /// A history in which a hold stops something of this kind at this point, and a link waits behind it.
    private static func records(_ point: HoldPoint, _ kind: DispatchKind) async throws -> [JSONObject] {
        let club = try Club(.builtInShop())
        let host = club.host
        if kind == .resume { _ = await host.receipt(of: try admit("order/o1", to: club)) }
        if kind == .sweep { try await club.open("product/p1") }
        let hold = try host.hold(point, kind: kind)
        let caught = await withCheckedContinuation { done in
            _ = host.whenCaught(by: hold, { done.resume(returning: $0) })
            switch kind {
            case .dispatch: _ = try? admit("product/p1", to: club)
            case .resume: Task { try await host.session.signIn(user: "mina") }
            // What a user leaves behind would go without a transition.
            case .sweep: Task { try await host.session.commit(set: ["unavailable": .strings(["p1"])]) }
            }
        }
        #expect(caught.point == point && caught.kind == kind && (caught.ticket == nil) == (kind == .sweep))
        _ = try admit("product/p2", to: club)
        #expect(host.release(hold))
        await club.end()
        return club.records
    }

    @Test(
        "each is recorded with its hold, its point and what it is, and makes no record until it goes on",
        arguments: places
    )
    func recorded(point: HoldPoint, kind: DispatchKind) async throws {
        let records = try await Self.records(point, kind)
        #expect(checked(records, app: try .builtInShop()).conclusion == .holds)
        let caught = try #require(records.firstIndex { $0["kind"] == "hold.caught" })
        let released = try #require(records.firstIndex { $0["kind"] == "hold.released" })
        let record = records[caught]
        #expect(record["point"] == .string(point.rawValue) && record["item"] == .string(kind.rawValue))
        for member in ["hold", "scene", "ticket", "attempt", "event", "connection"] {
            #expect(record[member] == records[released][member])
        }
        // The link behind it, and what the session says, and no more.
        #expect(
            records[caught...released].dropFirst().dropLast().allSatisfy {
                $0["kind"] == "event.admitted" || $0["kind"] == "session.committed"
            }
        )
    }

    @Test("lies about it are found", arguments: places)
    func lies(point: HoldPoint, kind: DispatchKind) async throws {
        let records = try await Self.records(point, kind)
        let caught = try #require(records.firstIndex { $0["kind"] == "hold.caught" })
        let released = try #require(records.firstIndex { $0["kind"] == "hold.released" })
        func violated(_ edit: (inout [JSONObject]) -> Void) -> Bool {
            var lie = records
            edit(&lie)
            for index in lie.indices { lie[index]["index"] = .integer(index + 1) }
            return checked(lie).violated.contains(.continuity)
        }
        #expect(violated { $0.remove(at: caught) })
        #expect(violated { $0.insert($0[caught], at: caught) })
        #expect(violated { $0.insert($0[released], at: released) })
        #expect(violated { $0[released]["hold"] = "other" })
        if kind != .sweep {
            #expect(violated { $0[caught]["connection"] = nil })
            #expect(violated { $0[released]["event"] = "other" })
        }
        #expect(violated { $0[released]["ticket"] = .integer(99) })
        for other in DispatchKind.allCases where other != kind {
            #expect(violated { $0[caught]["item"] = .string(other.rawValue) }, "\(other)")
        }
        // Which of the points while it goes on it was is not judged.
        let within: Set<HoldPoint> = [.resolved, .planned, .transition]
        for other in HoldPoint.allCases where other != point && kind != .sweep {
            let isSeen = violated { $0[caught]["point"] = .string(other.rawValue) }
            #expect(isSeen == !(within.contains(other) && within.contains(point)), "\(other)")
        }
        // It goes on a while before it was let go.
        let ticket = records[caught]["ticket"]
        let own = records.indices.first { index in
            let record = records[index]
            guard index > released, record["scene"] == records[caught]["scene"], record["ticket"] == ticket else {
                return false
            }
            let family = record["kind"]?.stringValue?.prefix { $0 != "." } ?? ""
            return ["dispatch", "navigation", "gate"].contains(family) || record["kind"] == "scene.swept"
        }
        // At the last point it has made all its records.
        #expect((own == nil) == (point == .settled))
        if let own {
            #expect(
                violated { lie in
                    var record = lie.remove(at: own)
                    record["monotonic"] = lie[released]["monotonic"]
                    lie.insert(record, at: released)
                }
            )
        }
    }

    @Test("histories with holds at random points hold", arguments: UInt64(1)...40)
    func random(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let club = try Club(.builtInShop())
        let host = club.host
        try host.connect(scene: "B")
        var holds: [String] = []
        for _ in 0..<200 {
            switch random.below(8) {
            case 0: _ = try? await host.session.signIn(user: random.pick(["mina", "theo"]))
            case 1: await host.session.signOut()
            case 2, 3:
                let scene: String? = random.below(2) == 0 ? nil : random.pick(["A", "B"])
                let kind: DispatchKind? = random.below(2) == 0 ? nil : random.pick(DispatchKind.allCases)
                holds.append(try host.hold(random.pick(HoldPoint.allCases), scene: scene, kind: kind))
            case 4 where !holds.isEmpty: host.release(holds.remove(at: random.below(holds.count)))
            case 5 where random.below(10) == 0:
                let scene = random.pick(["A", "B"])
                host.discardLater(scene)
                for hold in holds { host.release(hold) }
                holds = []
                await host.quiesce()
                _ = try? await host.reconnect(scene: scene)
            default:
                let link = random.pick(["product/p1", "orders", "order/o1", "checkout", "account", "category/fruit"])
                _ = try? Self.admit(link, in: random.pick(["A", "B"]), to: club)
            }
            for _ in 0..<random.below(20) { await Task.yield() }
        }
        for hold in holds { host.release(hold) }
        await club.end()
        let records = club.records
        #expect(records.count { $0["kind"] == "hold.caught" } >= 1)
        #expect(records.count { $0["kind"] == "hold.caught" } == records.count { $0["kind"] == "hold.released" })
        #expect(checked(records, app: try .builtInShop()).conclusion == .holds)
    }
}

extension SceneHost {
    fileprivate func discardLater(_ scene: String) { try? discard(scene: scene) { _ in } }
}
