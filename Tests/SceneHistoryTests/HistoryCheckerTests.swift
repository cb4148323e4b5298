import Basics
import SceneManifest
import SceneRouting
import SceneRuntime
import SceneHistory
import StrictJSON
import Testing

@Suite struct HistoryCheckerTests {
    private func verdicts(_ report: HistoryReport) -> [Invariant: Verdict] {
        Dictionary(report.hosts.flatMap(\.verdicts).map { ($0.invariant, $0.verdict) }) { first, _ in first }
    }

    private func unknown(_ report: HistoryReport) -> Set<Invariant> {
        Set(verdicts(report).filter { if case .unknown = $0.value { true } else { false } }.keys)
    }

    @Test func `a history that ends in the middle leaves only what its end would decide unknown`() {
        var history = HandMade()
        history.admit()
        history.begin(1)
        let report = checked(history.records)
        #expect(unknown(report) == [.outcomes, .completion])
        #expect(report.conclusion == .unknown)
        #expect(
            verdicts(report)[.outcomes]
                == .unknown(
                    "the records end before the host stopped or was quiet: event e1 (ticket 1 of scene s1) began but never ended"
                )
        )
    }

    @Test func `a copied checker is independent of the original`() throws {
        let records = try HandMade.clean.records.map { try HistoryRecord($0) }
        for count in records.indices {
            var first = HistoryChecker()
            for record in records[..<count] { first.check(record) }
            var second = first
            for record in records[count...] { first.check(record) }
            for record in records[count...] { second.check(record) }
            #expect(first.finish() == checked(HandMade.clean.records), "copied after \(count)")
            #expect(second.finish() == first.finish(), "copied after \(count)")
        }
    }

    @Test func `a sweep that is due when the records end is not a violation`() {
        var history = HandMade()
        history.commit(user: "mina")
        history.apply(HandMade.push("cart"), HandMade.window(home: ["home", "cart"]))
        history.commit(user: nil, leaves: true)
        #expect(unknown(checked(history.records)) == [.quietScenes])
    }

    @Test func `an intent may be parked when the records end`() {
        var history = HandMade()
        history.park()
        #expect(checked(history.records).conclusion == .holds)
    }

    @Test(arguments: [
        (0, "the records begin with record 2; 91 of 91"), (4, "record 5 is missing; 87 of 91"),
        (5, "record 6 is missing; 86 of 91"),
    ])
    func `a hole leaves everything open`(dropped: Int, reason: String) {
        var records = HandMade.clean.records
        records.remove(at: dropped)
        let report = checked(records)
        #expect(unknown(report) == Set(Invariant.ofRecords))
        #expect(verdicts(report)[.stacks] == .unknown("\(reason) records could not be judged"))
    }

    @Test func `after a gap everything is unknown, but a violation before it counts`() {
        var history = HandMade()
        history.activate("s1", "foregroundActive", "background")
        let index = history.records.count + 5
        history.add("gap", ["count": 4, "index": .integer(index)])
        history.add("host.stopped", ["index": .integer(index)])
        let report = checked(history.records)
        #expect(report.violated == [.lifecycle])
        #expect(unknown(report) == Set(Invariant.ofRecords).subtracting([.lifecycle]))
        #expect(
            verdicts(report)[.stacks]
                == .unknown("4 records before record \(index) are missing; 1 of 9 records could not be judged")
        )
    }

    @Test func `every gap is counted, and a gap before which nothing had to be known is said to be one`() async throws {
        var host = try RandomHost(seed: 5)
        host.actions = 30
        var records = try await host.run()
        let first = try #require(records.firstIndex { $0["kind"] == "host.snapshot" })
        #expect(
            verdicts(checked([records[first]]))[.stacks]
                == .unknown("the records begin with record \(first + 1); all others were judged")
        )
        for place in [first - 3, first - 5, first - 7] { records.remove(at: place) }
        let reason = "record \(first - 6) is missing, and there are 2 more gaps; "
        guard case .unknown(let said) = verdicts(checked(records))[.stacks] else {
            Issue.record("nothing is unknown")
            return
        }
        #expect(said.hasPrefix(reason), "\(said)")
    }

    @Test func `a snapshot that contradicts itself is noticed where nothing before it is known`() async throws {
        var host = try RandomHost(seed: 6)
        host.actions = 30
        let records = try await host.run()
        let first = try #require(records.firstIndex { $0["kind"] == "host.snapshot" })
        let place = try #require(records[first...].firstIndex { $0["kind"] == "scene.snapshot" })
        let event: JSONObject = [
            "ticket": 1, "event": "e", "source": "external", "admittedIn": 0, "attempt": 1, "precondition": "signedIn",
            "destination": ["id": "cart", "parameters": [:]], "flow": "auth", "user": "nobody-here",
            "parkedIn": records[place]["epoch"] ?? 0,
        ]
        let lies: [(String, JSONValue)] = [
            ("judgedIn", 99), ("gateFlows", ["nosuchflow"]), ("parked", [.object(event)]),
            ("waiting", [["ticket": 1_000_000, "event": "e", "source": "external", "admittedIn": 0]]),
        ]
        for (field, value) in lies {
            var lying = Array(records[first...])
            lying[place - first][field] = value
            #expect(checked(lying).violated.contains(.continuity), "\(field)")
        }
        #expect(checked(Array(records[first...])).violated == [])
    }

    @Test func `an event is admitted by the newest revision`() async throws {
        var records = try await RandomHost(seed: 7).run()
        let place = try #require(
            records.lastIndex { $0["kind"] == "event.admitted" && ($0["revision"]?.integerValue ?? 0) > 0 }
        )
        records[place]["revision"] = .integer((records[place]["revision"]?.integerValue ?? 0) - 1)
        #expect(checked(records).violated.contains(.snapshots))
    }

    @Test func `who connects a window again may choose its configuration, an event may not`() async throws {
        var manifest = try AppManifest.builtInShop()
        manifest.configurations.append(SceneConfiguration(name: "other"))
        let host = try SceneHost(id: "h", manifest: manifest)
        try host.connect(scene: "A")
        try await host.disconnect(scene: "A")
        try await host.reconnect(scene: "A", configuration: "other")
        await host.quiesce()
        await host.drain()
        var records = host.records.read(after: 0).records.map(\.json)
        #expect(checked(records, app: manifest).conclusion == .holds)
        let place = try #require(records.lastIndex { $0["kind"] == "scene.connected" })
        records[place]["event"] = "e"
        #expect(checked(records).violated.contains(.lifecycle))
    }

    @Test func `a recorded violation of a window's rule counts after a gap too`() {
        var records = HandMade.breaking(.windowRules).records
        records.remove(at: 3)
        #expect(checked(records).violated == [.windowRules])
    }

    @Test func `a repeated record is noticed`() {
        var records = HandMade.clean.records
        records.insert(records[9], at: 10)
        #expect(
            verdicts(checked(records))[.stacks]
                == .unknown("record 10 comes after record 10; 83 of 93 records could not be judged")
        )
    }

    /// What comes after the first record out of order is not judged: a violation there may be none, and a promise may be broken.
    @Test(arguments: ["two hosts under one ID, one after the other", "two mixed", "backwards", "shuffled"])
    func `records of two histories under one ID, or in another order, make everything unknown`(how: String) {
        let (clean, broken) = (HandMade.clean.records, HandMade.breaking(.stacks).records)
        var random = SplitMix(seed: 7)
        let records =
            switch how {
            case "two hosts under one ID, one after the other": clean + broken
            case "two mixed": zip(clean, broken).flatMap { [$0, $1] }
            case "backwards": Array(clean.reversed())
            default: clean.shuffled(using: &random)
            }
        let report = checked(records)
        #expect(report.hosts.map(\.records) == [records.count] && report.violated.isEmpty, "\(report.text)")
        #expect(report.conclusion == .unknown)
    }

    @Test func `each host is judged by itself, even if records of several are mixed`() {
        let clean = HandMade.clean.records
        let broken = HandMade.breaking(.stacks).records.map { record in
            var record = record
            record["host"] = "other"
            return record
        }
        var mixed: [JSONObject] = []
        for index in 0..<max(clean.count, broken.count) {
            if index < clean.count { mixed.append(clean[index]) }
            if index < broken.count { mixed.append(broken[index]) }
        }
        let report = checked(mixed)
        #expect(report.hosts.map(\.host) == ["h", "other"])
        #expect(report.hosts[0].verdicts.allSatisfy { $0.verdict == .holds })
        #expect(report.violated == [.stacks])
    }

    @Test func `events that have ended take no memory`() {
        var history = HandMade()
        for _ in 1...2_000 {
            history.admit(connection: 3, to: nil)
            history.begin(history.tickets)
            history.end(history.tickets, "delivered")
        }
        history.add("host.stopped")
        #expect(checked(history.records, limit: 3).conclusion == .holds)
    }

    @Test func `with more open than the limit, everything after is unknown`() {
        var history = HandMade()
        for _ in 1...4 { history.admit() }
        let report = checked(history.records, limit: 3)
        #expect(unknown(report).isSuperset(of: [.ticketOrder, .outcomes, .stacks]))
        #expect(
            verdicts(report)[.stacks]
                == .unknown("more than 3 events and scenes were open at record 9; 1 of 10 records could not be judged")
        )
    }

    @Test func `with too many windows and commits to judge each at each rest, that is said`() {
        func report(commits: Int) -> HistoryReport {
            var history = HandMade()
            for number in 0..<200 { history.connect("w\(number)") }
            for _ in 0..<commits {
                history.commit(user: "mina")
                history.add("host.quiet")
            }
            history.add("host.stopped")
            return checked(history.records)
        }
        #expect(report(commits: 20).conclusion == .holds)
        let many = report(commits: 600)
        #expect(unknown(many) == [.quietScenes])
        #expect(many.conclusion == .unknown)
    }

    @Test func `closed connections take no memory, and one that was forgotten and comes back makes a doubt`() {
        var history = HandMade()
        for connection in 1...20 {
            history.admit(connection: connection, call: 1, to: nil)
            history.begin(history.tickets)
            history.end(history.tickets, "delivered")
        }
        #expect(checked(history.records, limit: 4).conclusion == .holds)
        history.admit(connection: 1, call: 2, to: nil)
        history.begin(history.tickets)
        history.end(history.tickets, "delivered")
        #expect(unknown(checked(history.records, limit: 4)) == [.sendOrder])
    }

    @Test func `without records nothing is decided`() {
        #expect(checked([]).conclusion == .unknown)
        #expect(checked([]).text == "no records\n")
    }

    @Test func `a bad line makes the conclusion unknown`() {
        var records = HandMade.clean.records
        records.append(["host": "h"])
        let report = checked(records)
        #expect(report.conclusion == .unknown)
        #expect(report.badLineCount == 1)
    }

    @Test func `a violation is reported with its records, as text and as JSON`() {
        let report = checked(HandMade.breaking(.lifecycle).records)
        #expect(
            report.text.contains(
                """
                  11  VIOLATED  scenes change as the automaton allows, nothing is dispatched in a discarded one
                        record 7: scene s1 went from foregroundActive to background, which the automaton does not allow
                """
            ),
            "\(report.text)"
        )
        let json = report.json
        #expect(json["conclusion"] == "violated")
        let invariant = json["hosts"]?[0]?["invariants"]?[10]
        #expect(invariant?["number"] == 11)
        #expect(invariant?["name"] == "lifecycle")
        #expect(invariant?["verdict"] == "violated")
        #expect(invariant?["violations"]?[0]?["records"] == [7])
        #expect(json["hosts"]?[0]?["invariants"]?[0]?["verdict"] == "holds")
    }

    @Test func `of many violations the first are reported and all are counted`() {
        var history = HandMade()
        for _ in 1...20 { history.activate("s1", "foregroundActive", "foregroundActive") }
        guard case .violated(let kept, let count)? = verdicts(checked(history.records))[.lifecycle] else {
            Issue.record("expected a violation")
            return
        }
        #expect(kept.count == 8)
        #expect(count == 20)
    }
}
