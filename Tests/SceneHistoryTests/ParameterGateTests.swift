import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// Preconditions that look at a destination's parameters (<doc:/SceneRuntime/TheSession>): each locker of the club has a key of
/// its own.
@Suite("A precondition for a parameter", .timeLimit(.minutes(15)))
struct ParameterGateTests {
    private static func club(queues: Bool = false) async throws -> Club {
        let club = try Club { if queues { $0.policies.whileGated = .queue } }
        try await club.signIn()
        return club
    }

    private static func desk(_ locker: String, over stack: String = "", then screens: String = "") -> String {
        "*courts: courts\(stack) › sheet keys[desk(locker: \(locker))\(screens)] | news: news"
    }

    private static func parked(_ club: Club) throws -> [String] {
        try club.host.scene("A").parked.map {
            "\($0.precondition)(\($0.parameters["locker"] ?? "")): \($0.destination)"
        }
    }

    private static func outcome(_ receipt: Receipt, _ club: Club) -> Outcome? {
        club.host.receipt(event: receipt.event)?.outcome
    }

    private static func keys(_ club: Club, _ keys: [String]) async throws {
        try await club.host.session.commit(set: ["keys": .strings(keys)])
        await club.host.quiesce()
    }

    @Test("is satisfied for that value alone, by its flow or by any commit", arguments: ["flow", "commit"])
    func oneValue(by way: String) async throws {
        let club = try await Self.club()
        let seven = try await club.open("locker/7")
        #expect(seven.outcome == .gated(precondition: "key"))
        #expect(try Self.parked(club) == ["key(7): locker(locker: 7)"])
        #expect(try club.shown == Self.desk("7"))
        try await Self.keys(club, ["8"])
        #expect(try Self.parked(club).count == 1, "the key of another locker does not open this one")
        if way == "flow" { try await club.tap("handedOut", ["locker": "7"]) } else { try await Self.keys(club, ["7"]) }
        #expect(Self.outcome(seven, club) == .applied)
        #expect(try club.shown == "*courts: courts › locker(locker: 7) | news: news")
        let eight = try await club.open("locker/8")
        #expect(eight.outcome == (way == "flow" ? .applied : .gated(precondition: "key")))
        await club.end()
    }

    @Test("of the ancestry is judged with what the ancestor takes, on the way and while it is shown")
    func ancestry() async throws {
        let club = try await Self.club()
        #expect(try await club.open("locker/8/bag").outcome == .gated(precondition: "key"))
        #expect(try Self.parked(club) == ["key(8): bag(locker: 8)"])
        try await Self.keys(club, ["7", "8"])
        #expect(try club.shown == "*courts: courts › locker(locker: 8) › bag(locker: 8) | news: news")
        try await Self.keys(club, ["7"])
        #expect(try club.shown == "*courts: courts | news: news")
        #expect(try await club.open("locker/7/bag").outcome == .applied)
        try await club.host.disconnect(scene: "A")
        try await Self.keys(club, [])
        try club.host.connect(scene: "A")
        await club.host.quiesce()
        #expect(try club.shown == "*courts: courts | news: news")
        await club.end()
    }

    @Test("a newer link for another value takes the place of the first, and its flow begins afresh")
    func superseded() async throws {
        let club = try await Self.club()
        let seven = try await club.open("locker/7")
        try await club.tap("depositWanted")
        // For the same value the flow stays as it is.
        let bag = try await club.open("locker/7/bag")
        #expect(Self.outcome(seven, club) == .superseded(by: bag.event))
        #expect(try club.shown == Self.desk("7", then: " › deposit"))
        let eight = try await club.open("locker/8")
        #expect(Self.outcome(bag, club) == .superseded(by: eight.event))
        #expect(try club.shown == Self.desk("8"))
        try await club.tap("handedOut", ["locker": "8"])
        #expect(Self.outcome(eight, club) == .applied)
        await club.end()
    }

    @Test("what waits behind it with another value is tried again, and gets the flow anew", arguments: [true, false])
    func behind(isQueued: Bool) async throws {
        let club = try await Self.club(queues: isQueued)
        let seven = try await club.open("locker/7")
        // A link waits for what the first waits for; from inside the app it waits for its own.
        if isQueued { try await club.open("locker/8") } else { try await club.tap("otherWanted", ["locker": "8"]) }
        let wanted = isQueued ? "locker" : "bag"
        #expect(
            try Self.parked(club)
                == ["key(7): locker(locker: 7)", "key(\(isQueued ? "7" : "8")): \(wanted)(locker: 8)"]
        )
        #expect(try club.shown == Self.desk("7"))
        try await club.tap("handedOut", ["locker": "7"])
        #expect(Self.outcome(seven, club) == .applied)
        #expect(try Self.parked(club) == ["key(8): \(wanted)(locker: 8)"])
        #expect(try club.shown == Self.desk("8", over: " › locker(locker: 7)"))
        try await club.tap("handedOut", ["locker": "8"])
        #expect(try Self.parked(club) == [])
        #expect(try club.window.topmost == Destination(id: wanted, parameters: ["locker": "8"]))
        await club.end()
    }

    @Test("a commit in another window that opens the first gate does the same")
    func behindACommit() async throws {
        let club = try await Self.club()
        let seven = try await club.open("locker/7")
        try await club.tap("otherWanted", ["locker": "8"])
        try await club.tap("depositWanted")
        try await Self.keys(club, ["7"])
        #expect(Self.outcome(seven, club) == .applied)
        #expect(try Self.parked(club) == ["key(8): bag(locker: 8)"])
        #expect(try club.shown == Self.desk("8", over: " › locker(locker: 7)"))
        await club.end()
    }

    @Test("a commit that opens the gate behind resumes what waits there, and the flow stays for the first")
    func commitForTheOneBehind() async throws {
        let club = try await Self.club()
        let seven = try await club.open("locker/7")
        try await club.tap("otherWanted", ["locker": "8"])
        try await Self.keys(club, ["8"])
        // It goes on as anything does that may proceed: from inside the app it takes away what is in its way.
        #expect(Self.outcome(seven, club) == .abandoned(reason: "flowCancelled"))
        #expect(try club.shown == "*courts: courts › bag(locker: 8) | news: news")
        await club.end()
    }

    @Test("a flow that ends without satisfying it ends what it was shown for, and only that")
    func unsatisfied() async throws {
        let club = try await Self.club()
        let seven = try await club.open("locker/7")
        try await club.tap("otherWanted", ["locker": "8"])
        try await club.act(.finishFlow("keys", .completed(FlowCompletion())))
        #expect(Self.outcome(seven, club) == .rejected(reason: "gateUnsatisfied"))
        #expect(try Self.parked(club) == ["key(8): bag(locker: 8)"])
        #expect(try club.shown == Self.desk("8"))
        try await club.act(.finishFlow("keys", .completed(FlowCompletion())))
        #expect(try Self.parked(club) == [])
        #expect(try club.shown == "*courts: courts | news: news")
        await club.end()
    }

    @Test("cancelling the flow abandons what waits for it, whatever the value")
    func cancelled() async throws {
        let club = try await Self.club()
        let seven = try await club.open("locker/7")
        try await club.tap("otherWanted", ["locker": "8"])
        try await club.tap("gaveUp")
        #expect(Self.outcome(seven, club) == .abandoned(reason: "flowCancelled"))
        #expect(try Self.parked(club) == [])
        await club.end()
    }

    @Test("a reload by which it looks at nothing else resumes what waits for a value")
    func reloaded() async throws {
        let club = try await Self.club()
        let seven = try await club.open("locker/7")
        var other = club.manifest
        other.version = "2"
        let index = try #require(other.preconditions.firstIndex { $0.name == "key" })
        other.preconditions[index].holds = .present(fact: "keys")
        try await club.host.reload(other)
        await club.host.quiesce()
        // Its gate is another one now.
        #expect(try club.host.scene("A").parked.map(\.parameters) == [[:]])
        #expect(Self.outcome(seven, club) == .gated(precondition: "key"))
        try await Self.keys(club, ["9"])
        #expect(Self.outcome(seven, club) == .applied)
        await club.host.drain()
        let report = checked(club.records, apps: [club.manifest, other])
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    /// What a history says of a gate's values is judged: each change is noticed.
    @Test("a history that says otherwise is noticed", arguments: ["other", "none", "extra"])
    func falsified(how: String) async throws {
        let club = try await Self.club()
        try await club.open("locker/7")
        try await club.tap("handedOut", ["locker": "7"])
        await club.end()
        let changed = club.records.map { record -> JSONObject in
            guard record["kind"] == "gate.parked" else { return record }
            var record = record
            record["parameters"] =
                switch how {
                case "other": ["locker": "8"]
                case "none": nil
                default: ["locker": "7", "shelf": "2"]
                }
            return record
        }
        #expect(changed != club.records)
        #expect(checked(changed, app: club.manifest).conclusion == .violated)
    }

    /// A destination without the parameter takes the default of its ancestor, and so does the flow's first screen.
    @Test("the flow's first screen has the value that the gate is for, also where that is an ancestor's default")
    func ancestorsDefault() async throws {
        let club = try Club { manifest in
            for index in manifest.destinations.indices {
                switch manifest.destinations[index].id {
                case "locker": manifest.destinations[index].parameters[0].defaultValue = "8"
                case "bag":
                    manifest.destinations[index].parameters = []
                    manifest.routes.removeAll { $0.destination == "bag" }
                default: continue
                }
            }
            for flow in manifest.flows.indices {
                for intent in manifest.flows[flow].intents.indices
                where manifest.flows[flow].intents[intent].name == "otherWanted" {
                    manifest.flows[flow].intents[intent].effects = [.route(destination: "bag", parameters: [:])]
                }
            }
        }
        try await club.signIn()
        let seven = try await club.open("locker/7")
        try await club.tap("otherWanted", ["locker": "7"])
        #expect(try Self.parked(club) == ["key(7): locker(locker: 7)", "key(8): bag"])
        try await Self.keys(club, ["7"])
        #expect(Self.outcome(seven, club) == .applied)
        #expect(try club.shown == Self.desk("8", over: " › locker(locker: 7)"))
        await club.end()
    }

    @Test("a history in which something waits for another's value, or goes on before what came earlier, is noticed")
    func falsifiedBehind() async throws {
        let club = try await Self.club()
        try await club.open("locker/7")
        try await club.tap("otherWanted", ["locker": "8"])
        try await Self.keys(club, ["7"])
        await club.end()
        let parked = club.records.indices.filter { club.records[$0]["kind"] == "gate.parked" }
        var other = club.records
        other[parked[1]]["parameters"] = ["locker": "7"]
        #expect(checked(other, app: club.manifest).violated.contains(.agreement))
        let resumed = club.records.indices.filter { club.records[$0]["kind"] == "gate.resumed" }
        try #require(resumed.count == 2 && resumed[1] == resumed[0] + 1)
        var swapped = club.records
        swapped.swapAt(resumed[0], resumed[1])
        for place in resumed {
            for name in ["index", "monotonic"] { swapped[place][name] = club.records[place][name] }
        }
        #expect(checked(swapped).violated.contains(.continuity))
    }

    /// What belongs to whom is judged when a user leaves: what anybody may see then stays, and is the next one's from then on.
    @Test("what was anybody's when the user left is not taken for hers", arguments: [false, true])
    func anybodys(atOnce: Bool) async throws {
        let club = try Club { manifest in
            manifest.roots = []
            let index = manifest.preconditions.firstIndex { $0.name == "key" } ?? 0
            let key = manifest.preconditions[index].holds
            manifest.preconditions[index].holds = .any([.compare(fact: "closed", .equal, .value(.boolean(true))), key])
        }
        let session = club.host.session
        try await session.signIn(user: "mina", facts: ["keys": .strings(["7"])])
        try await club.open("locker/7")
        if !atOnce { try await session.commit(set: ["closed": .boolean(true)]) }
        try await session.signIn(
            user: "theo",
            facts: atOnce ? ["keys": .strings(["7"]), "closed": .boolean(true)] : ["keys": .strings(["7"])]
        )
        await club.host.quiesce()
        try await session.commit(set: ["closed": .boolean(false)])
        await club.host.quiesce()
        #expect(try await club.open("locker/7/bag").outcome == .applied)
        await club.end()
    }
}
