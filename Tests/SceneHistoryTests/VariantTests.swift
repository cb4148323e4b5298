import SceneEntryPoints
import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import SceneVocabulary
import StrictJSON
import Testing

/// Destinations in whose place others are shown, chosen once for each user (<doc:/SceneRuntime/WayOfAnEvent>); each history is
/// checked by the model, too.
@Suite(.timeLimit(.minutes(15))) struct VariantTests {
    static let plus: [String: FactValue] = ["arm": .string("plus")]
    static let club: [String: FactValue] = ["arm": .string("club")]

    private static func chosen(_ app: Club) -> [String] {
        app.records.filter { $0["kind"] == "variant.chosen" }.map {
            "\($0["user"]?.stringValue ?? "nobody") \($0["variant"]?["id"]?.stringValue ?? "")"
        }
    }

    @Test("the first whose condition holds is shown, with the parameters that it takes, else the destination itself")
    func first() async throws {
        let app = try Club(app: "offers")
        try await app.signIn(facts: Self.plus)
        #expect(try await app.open("offer/o1?from=mail").outcome == .applied)
        #expect(try app.shown.contains("offerPlus(id: o1)"))
        let resolved = try #require(app.records.last { $0["kind"] == "dispatch.resolved" })
        #expect(
            resolved["destination"]?["id"] == "offer"
                && resolved["variant"] == ["id": "offerPlus", "parameters": ["id": "o1"]]
        )
        try await app.signIn("theo")
        try await app.open("offer/o1?from=mail")
        #expect(try app.shown.contains("offer(from: mail, id: o1)"))
        try await app.signIn("noor", facts: Self.club.merging(["member": .boolean(true)]) { $1 })
        try await app.open("offer/o1?from=mail")
        // It is in another tab, and has a default of its own.
        #expect(try app.shown.contains("offerClub(id: o1, size: s)") && app.window.selectedTab == "saved")
        #expect(Self.chosen(app) == ["mina offerPlus", "theo offer", "noor offerClub"])
        // Of what has no variants nothing is said.
        try await app.open("home")
        #expect(app.records.last { $0["kind"] == "dispatch.resolved" }?["variant"] == nil)
        await app.end()
    }

    @Test("a user's choice holds in every window, whatever the fact becomes, and when she comes back")
    func once() async throws {
        let app = try Club(app: "offers")
        try app.host.connect(scene: "B")
        try await app.signIn(facts: Self.plus)
        try await app.open("offer/o1")
        _ = try await app.host.session.commit(set: Self.club)
        try await app.open("offer/o2", in: "B")
        #expect(try app.host.scene("B").window.description.contains("offerPlus(id: o2)"))
        await app.host.session.signOut()
        try await app.signIn("theo", facts: Self.club.merging(["member": .boolean(true)]) { $1 })
        try await app.open("offer/o3")
        #expect(try app.shown.contains("offerClub(id: o3, size: s)"))
        try await app.signIn("mina")
        try await app.open("offer/o3")
        #expect(try app.shown.contains("offerPlus(id: o3)"))
        // Her choice is not that of what is another destination, nor of its own link.
        _ = try await app.host.session.commit(set: ["member": .boolean(true)])
        try await app.open("club/o1")
        #expect(try app.shown.contains("offerClub(id: o1, size: s)"))
        #expect(Self.chosen(app) == ["mina offerPlus", "theo offerClub"])
        await app.end()
    }

    @Test("nobody counts as one user, and has no part in the choice of who signs in")
    func nobody() async throws {
        let app = try Club(app: "offers")
        try await app.open("deals")
        _ = try await app.host.session.commit(set: ["renewed": .boolean(true)])
        try await app.signIn()
        try await app.open("deals")
        #expect(try app.window.modals.last?.stack == [Destination(id: "newDeals")])
        await app.host.session.signOut()
        await app.host.quiesce()
        try await app.open("home")
        try await app.open("deals")
        #expect(try app.shown.contains("deals") && app.window.modals.isEmpty)
        #expect(Self.chosen(app) == ["nobody deals", "mina newDeals"])
        await app.end()
    }

    @Test("nothing is chosen before the destination itself may be shown")
    func gateFirst() async throws {
        let app = try Club(app: "offers")
        #expect(try await app.open("offer/o1").outcome == .gated(precondition: "signedIn"))
        #expect(Self.chosen(app).isEmpty && app.records.allSatisfy { $0["variant"] == nil })
        _ = try await app.host.session.commit(set: ["soldOut": .strings(["o1"])])
        try await app.signIn(facts: Self.plus)
        await app.host.quiesce()
        #expect(Self.chosen(app).isEmpty, "it is sold out")
        _ = try await app.host.session.commit(set: ["soldOut": .strings([])])
        #expect(try await app.open("offer/o1").outcome == .applied)
        #expect(Self.chosen(app) == ["mina offerPlus"])
        await app.end()
    }

    @Test("a variant waits at its own gate, and what was chosen is what is shown when that opens")
    func gatedVariant() async throws {
        let app = try Club(app: "offers")
        try await app.signIn(facts: Self.club)
        let admission = try app.admit("offer/o1")
        #expect(await app.host.receipt(of: admission).outcome == .gated(precondition: "member"))
        #expect(try app.host.scene("A").parked.map(\.destination.id) == ["offer"])
        _ = try await app.host.session.commit(set: Self.plus)
        try await app.tap("joined")
        #expect(await app.host.receipt(of: admission, at: .finished).outcome == .applied)
        #expect(try app.shown.contains("offerClub(id: o1, size: s)"))
        #expect(Self.chosen(app) == ["mina offerClub"])
        await app.end()
        var lie = app.records
        let gated = try #require(lie.firstIndex { $0["verdict"] == "gated" && $0["variant"] != nil })
        lie[gated]["variant"] = ["id": "offerClub", "parameters": ["id": "o2", "size": "s"]]
        #expect(checked(lie, app: app.manifest).violated.contains(.agreement))
        #expect(checked(lie).violated.contains(.continuity))
        for kind in ["variant.chosen", "dispatch.resolved"] {
            lie = app.records
            lie[try #require(lie.firstIndex { $0["kind"] == .string(kind) && $0["destination"]?["id"] == "offer" })][
                "wall"
            ] =
                5
            #expect(checked(lie, app: app.manifest).violated == [.agreement])
        }
    }

    @Test("what nobody's variant waits for is decided afresh for who signs in")
    func gatedGuest() async throws {
        let app = try Club(app: "offers") { manifest in
            let index = manifest.destinations.firstIndex { $0.id == "newDeals" } ?? 0
            manifest.destinations[index].preconditions = ["signedIn"]
        }
        _ = try await app.host.session.commit(set: ["renewed": .boolean(true)])
        #expect(try await app.open("deals").outcome == .gated(precondition: "signedIn"))
        _ = try await app.host.session.commit(set: ["renewed": .boolean(false)])
        try await app.signIn()
        #expect(try app.shown.contains("deals") && !app.shown.contains("newDeals"))
        #expect(Self.chosen(app) == ["nobody newDeals", "mina deals"])
        await app.end()
    }

    @Test("taps and windows that the app asks for are led there, too, after what they commit")
    func taps() async throws {
        let app = try Club(app: "offers")
        try await app.signIn(facts: Self.club)
        #expect(try await app.tap("plusTapped", ["id": "o2"]).outcome == .applied)
        #expect(try app.shown.contains("offerPlus(id: o2)"))
        let beside = try await app.tap("besideTapped", ["id": "o3"])
        #expect(beside.windows == [.opened(scene: "scene-1")])
        #expect(try app.host.scene("scene-1").window.description.contains("offerPlus(id: o3)"))
        await app.end()
    }

    @Test("what is shown is judged by what it needs itself")
    func swept() async throws {
        let app = try Club(app: "offers")
        try await app.signIn(facts: Self.plus)
        try await app.open("offer/o1")
        _ = try await app.host.session.commit(set: ["soldOut": .strings(["o1"])])
        await app.host.quiesce()
        #expect(try !app.shown.contains("offerPlus"))
        await app.end()
    }

    @Test("two windows that are led there while the fact changes show the same")
    func twoWindows() async throws {
        let app = try Club(app: "offers")
        try app.host.connect(scene: "B")
        try await app.signIn(facts: Self.plus)
        let hold = try app.host.hold(.resolved, scene: "A", event: nil)
        let slow = try app.admit("offer/o1")
        await withCheckedContinuation { continuation in
            _ = app.host.whenCaught(by: hold) { _ in continuation.resume() }
        }
        _ = try await app.host.session.commit(set: Self.club)
        try await app.open("offer/o1", in: "B")
        app.host.release(hold)
        _ = await app.host.receipt(of: slow)
        #expect(try app.shown.contains("offerPlus") && app.host.scene("B").window.description.contains("offerPlus"))
        #expect(Self.chosen(app) == ["mina offerPlus"])
        await app.end()
    }

    @Test(
        "what was chosen for nobody is not shown to who signs in before it is",
        arguments: [HoldPoint.resolved, .planned]
    )
    func signsInMeanwhile(point: HoldPoint) async throws {
        let app = try Club(app: "offers")
        _ = try await app.host.session.commit(set: ["renewed": .boolean(true)])
        // The sweep of that commit may still be to come; it passes the same points.
        let hold = try app.host.hold(point, scene: "A", kind: .dispatch)
        let slow = try app.admit("deals")
        await withCheckedContinuation { continuation in
            _ = app.host.whenCaught(by: hold) { _ in continuation.resume() }
        }
        _ = try await app.host.session.commit(set: ["renewed": .boolean(false)])
        // Signing in begins no epoch.
        _ = try await app.host.session.signIn(user: "mina")
        app.host.release(hold)
        #expect(await app.host.receipt(of: slow).outcome == .applied)
        #expect(try app.shown.contains("deals") && app.window.modals.isEmpty)
        #expect(Self.chosen(app) == ["nobody newDeals", "mina deals"])
        await app.end()
    }

    @Test("a manifest that does not have any more what was chosen has it chosen anew; any other leaves it")
    func reload() async throws {
        let app = try Club(app: "offers")
        try await app.signIn(facts: Self.plus)
        try await app.open("offer/o1")
        let index = try #require(app.manifest.destinations.firstIndex { $0.id == "offer" })
        var reversed = app.manifest
        reversed.version = "2"
        reversed.destinations[index].variants.reverse()
        var without = app.manifest
        without.version = "3"
        without.destinations[index].variants.removeAll { $0.destination == "offerPlus" }
        try await app.host.reload(reversed)
        _ = try await app.host.session.commit(set: Self.club.merging(["member": .boolean(true)]) { $1 })
        try await app.open("offer/o2")
        #expect(try app.shown.contains("offerPlus(id: o2)"))
        try await app.host.reload(without)
        try await app.open("offer/o3")
        #expect(try app.shown.contains("offerClub(id: o3, size: s)"))
        // It is not forgotten again.
        try await app.host.reload(app.manifest)
        _ = try await app.host.session.commit(set: Self.plus)
        try await app.open("offer/o1")
        #expect(try app.shown.contains("offerClub(id: o1, size: s)"))
        #expect(Self.chosen(app) == ["mina offerPlus", "mina offerClub"])
        await app.host.quiesce()
        await app.host.drain()
        let report = checked(app.records, app: app.manifest, apps: [reversed, without])
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test("what waits at the gate of a variant goes on when a manifest does not have that any more")
    func reloadedGate() async throws {
        let app = try Club(app: "offers")
        try await app.signIn(facts: Self.club)
        let admission = try app.admit("offer/o1")
        #expect(await app.host.receipt(of: admission).outcome == .gated(precondition: "member"))
        let index = try #require(app.manifest.destinations.firstIndex { $0.id == "offer" })
        var without = app.manifest
        without.version = "2"
        without.destinations[index].variants.removeLast()
        try await app.host.reload(without)
        await app.host.quiesce()
        #expect(await app.host.receipt(of: admission, at: .finished).outcome == .applied)
        #expect(try app.shown.contains("offer(id: o1)"))
        await app.host.drain()
        let report = checked(app.records, app: app.manifest, apps: [without])
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test("of more users than a host keeps, who was led somewhere first the longest ago is forgotten")
    func manyUsers() async throws {
        let app = try Club(app: "offers", settings: Self.roomy)
        try await app.signIn("u0", facts: Self.plus)
        try await app.open("offer/o1")
        // Led there again: that makes nobody newer.
        for number in 1..<VariantMemory.users { try await Self.lead("u\(number)", app) }
        try await Self.lead("u0", app)
        #expect(try app.shown.contains("offerPlus"))
        try await Self.lead("one-more", app)
        try await Self.lead("u0", app)
        #expect(try app.shown.contains("offer(id: o1)"))
        // That took the place of the next.
        #expect(Self.chosen(app).count == VariantMemory.users + 2)
        await app.end()
    }

    private static let roomy: HostSettings = {
        var settings = HostSettings()
        settings.retainedRecords = 100_000
        settings.retainedRecordBytes = 1 << 30
        return settings
    }()

    private static func lead(_ user: String, _ app: Club) async throws {
        _ = try await app.host.session.signIn(user: user)
        try await app.open("offer/o1")
    }

    // MARK: - Histories that are not true

    /// What is changed in the history of two users who are led to an offer twice each.
    enum Lie: String, CaseIterable {
        case secondChoice, neverChosen, othersChoice, shownOtherwise, shownItself, olderSession
        case conditionDoesNotHold, chosenAndShownOtherwise, noSuchVariant, wrongParameters

        /// Whether only the manifest shows it.
        var isOfManifest: Bool {
            switch self {
            case .secondChoice, .neverChosen, .othersChoice, .shownOtherwise, .shownItself, .olderSession: false
            case .conditionDoesNotHold, .chosenAndShownOtherwise, .noSuchVariant, .wrongParameters: true
            }
        }
    }

    @Test("a history in which it is otherwise is found", arguments: Lie.allCases)
    func lies(lie: Lie) async throws {
        let app = try Club(app: "offers")
        for user in ["mina", "theo"] {
            try await app.signIn(user, facts: Self.plus)
            try await app.open("offer/o1")
            try await app.open("home")
            _ = try await app.host.session.commit(set: Self.club)
            await app.host.quiesce()
            try await app.open("offer/o2")
        }
        await app.end()
        let records = Self.tell(lie, app.records)
        #expect(records != app.records)
        let violated = checked(records, app: app.manifest).violated
        if lie.isOfManifest {
            #expect(violated.contains(.agreement), "\(violated)")
        } else {
            #expect(checked(records).violated.contains(.continuity), "\(violated)")
        }
    }

    private static func tell(_ lie: Lie, _ records: [JSONObject]) -> [JSONObject] {
        var records = records
        let chosen = records.indices.filter { records[$0]["kind"] == "variant.chosen" }
        let resolved = records.indices.filter {
            records[$0]["variant"] != nil && records[$0]["kind"] == "dispatch.resolved"
        }
        func place(_ id: String, _ parameters: JSONObject = ["id": "o1"]) -> JSONValue {
            ["id": .string(id), "parameters": .object(parameters)]
        }
        switch lie {
        case .secondChoice:
            var again = records[chosen[0]]
            let later = records[resolved[1]]
            for key in ["ticket", "event", "revision", "epoch", "monotonic", "destination"] { again[key] = later[key] }
            again["variant"] = later["variant"]
            records.insert(again, at: resolved[1])
        case .neverChosen: records[chosen[0]]["kind"] = "something.else"
        case .othersChoice: records[chosen[1]]["user"] = "mina"
        case .shownOtherwise: records[resolved[1]]["variant"] = place("offer", ["id": "o2"])
        case .shownItself: records[resolved[1]]["variant"] = nil
        case .olderSession: records[chosen[0]]["revision"] = 0
        case .conditionDoesNotHold:
            for index in [chosen[0]] + resolved.prefix(2) { records[index]["variant"] = place("offer", ["id": "o1"]) }
        case .chosenAndShownOtherwise:
            for index in [chosen[0], resolved[0]] {
                records[index]["variant"] = place("offerClub", ["id": "o1", "size": "s"])
            }
        case .noSuchVariant:
            for index in [chosen[0], resolved[0]] { records[index]["variant"] = place("newDeals", [:]) }
        case .wrongParameters:
            for index in [chosen[0], resolved[0]] { records[index]["variant"] = place("offerPlus", ["id": "o3"]) }
        }
        for index in records.indices { records[index]["index"] = .integer(index + 1) }
        return records
    }

    private static func saysWhatIsParked(_ record: JSONObject) -> Bool {
        record["kind"] == "scene.snapshot" && record["parked"]?.arrayValue?.isEmpty == false
    }

    @Test("a history that is taken up later, with a snapshot of what waits for a variant, is judged from there on")
    func takenUp() async throws {
        var settings = HostSettings()
        settings.snapshotInterval = 5
        let app = try Club(app: "offers", settings: settings)
        try await app.signIn(facts: Self.club)
        try await app.open("offer/o1")
        // A window makes its snapshot when it has something to do, once one is due.
        for number in 1...1_000 where !app.records.contains(where: Self.saysWhatIsParked) {
            _ = try await app.host.session.commit(set: ["arm": .string("b\(number)")])
            await app.host.quiesce()
        }
        let parked = try #require(app.records.lastIndex(where: Self.saysWhatIsParked))
        let start = try #require(app.records[..<parked].lastIndex { $0["kind"] == "host.snapshot" })
        _ = try await app.host.session.commit(set: Self.plus)
        try await app.tap("joined")
        try await app.open("offer/o2")
        await app.end()
        let later = Array(app.records[start...])
        let snapshot = try #require(later.first { $0["kind"] == "scene.snapshot" })
        #expect(snapshot["parked"]?.arrayValue?.first?["variant"]?["id"] == "offerClub")
        let report = checked(later, app: app.manifest)
        #expect(report.violated.isEmpty, "\(report.text)")
        // The second time she is led there it is still the same.
        let last = try #require(later.lastIndex { $0["kind"] == "dispatch.resolved" && $0["variant"] != nil })
        var lie = later
        lie[last]["variant"] = ["id": "offer", "parameters": ["id": "o2"]]
        #expect(checked(lie).violated.contains(.continuity))
    }
}
