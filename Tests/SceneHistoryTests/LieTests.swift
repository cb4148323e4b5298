import SceneEntryPoints
import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// Lies about real histories that contradict no other record directly.
@Suite("Lies about real histories", .timeLimit(.minutes(15)))
struct LieTests {
    /// The records without those of a kind, numbered anew.
    private static func without(_ kind: String, _ records: [JSONObject]) -> [JSONObject] {
        numbered(records.filter { $0["kind"] != .string(kind) })
    }

    private static func numbered(_ records: [JSONObject]) -> [JSONObject] {
        records.enumerated().map { index, record in
            var record = record
            record["index"] = .integer(index + 1)
            return record
        }
    }

    @Test("what waits at a gate has superseded what waited there before, if that is the policy")
    func superseded() async throws {
        let club = try Club()
        #expect(try await club.open("booking").outcome.name == .gated)
        #expect(try await club.open("locker/7").outcome.name == .gated)
        await club.host.quiesce()
        let records = club.records
        #expect(records.contains { $0["kind"] == "gate.superseded" })
        #expect(checked(records, app: club.manifest).conclusion == .holds)
        #expect(checked(Self.without("gate.superseded", records), app: club.manifest).violated == [.agreement])
        await club.end()
    }

    @Test("the events of a set have the set's ID and their places as given")
    func setIDs() async throws {
        let club = try Club()
        let urls = try URLSet(["club://help/lost", "club://help/keys", "club://booking"])
        for id in ["mail", nil] {
            for admission in try club.host.admit(SetSubmission(urls, scene: "A", eventID: id)) {
                _ = await club.host.receipt(of: admission)
            }
        }
        await club.end()
        let records = club.records
        let named = records.indices.filter { records[$0]["set"] != nil }.prefix(3)
        func given(_ numbers: [Int], _ set: [Int]) -> [JSONObject] {
            var lie = records
            for (index, number) in zip(set, numbers) {
                var place = records[index]["set"]?.objectValue ?? [:]
                place["given"] = .integer(number)
                lie[index]["set"] = .object(place)
            }
            return lie
        }
        let right = named.compactMap { records[$0]["set"]?["given"]?.integerValue }
        #expect(checked(given(right, Array(named))).conclusion == .holds)
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            var swapped = right
            swapped.swapAt(one, other)
            #expect(checked(given(swapped, Array(named))).violated == [.ticketOrder])
        }
        let second = try #require(named.dropFirst().first.flatMap { records[$0]["event"] })
        let renamed = records.map { record in
            var record = record
            if record["event"] == second { record["event"] = "zzz" }
            return record
        }
        #expect(checked(renamed).violated.contains(.ticketOrder))
    }

    @Test("the app has asked for no more windows than it asks for")
    func windows() async throws {
        let app = try Club(app: "windows") { $0.policies.maximumScenes = 2 }
        try await app.signIn()
        try app.host.connect(scene: "B")
        try await app.tap("lockerBesideTapped", ["locker": "7"])
        await app.end()
        let records = app.records
        let asked = try #require(records.firstIndex { $0["kind"] == "window.requested" })
        var lie = records
        lie.insert(records[asked], at: asked)
        #expect(checked(Self.numbered(lie), app: app.manifest).violated == [.agreement])
    }

    /// For whom it is not, by a condition, and by another user's; what was wanted may be the fallback itself.
    @Test("what was refused is not told as done because the fallback was shown", arguments: ["lost", "keys"])
    func instead(topic: String) async throws {
        let club = try Club { manifest in
            manifest.fallback = Destination(id: "help", parameters: ["topic": "lost"])
            manifest.adapters.append(
                AdapterDeclaration(
                    name: "for-somebody",
                    kinds: ["widget"],
                    mapping: .destination(id: "help", parameters: ["topic": "{userInfo.topic}"], parametersFrom: nil),
                    user: "userInfo.user"
                )
            )
        }
        try await club.signIn("mina", facts: ["closed": .boolean(true)])
        let tap = try EntryEvent.widget(kind: "help", userInfo: ["topic": .string(topic), "user": "theo"])
        let receipt = await club.host.receipt(of: try club.host.admit(Submission(tap, scene: "A")))
        #expect(receipt.outcome == .rejected(reason: "otherUser"))
        #expect(try club.window.topmost?.id == "help")
        try await club.act(.gesture(.dismiss))
        #expect(try await club.open("rating").outcome == .rejected(reason: "open"))
        try await club.act(.gesture(.dismiss))
        #expect(try await club.open("nowhere").outcome == .rejected(reason: "unknownRoute"))
        await club.end()
        let records = club.records
        #expect(checked(records, app: club.manifest).conclusion == .holds)
        let refused = records.indices.filter { records[$0]["outcome"] == "rejected" }
        #expect(refused.count == 3)
        for index in refused {
            for outcome in ["applied", "unchanged"] {
                var lie = records
                lie[index]["outcome"] = .string(outcome)
                lie[index]["reason"] = nil
                #expect(checked(lie).violated.contains(.continuity), "\(records[index]) as \(outcome)")
            }
        }
    }
}
