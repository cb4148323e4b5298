import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

/// Facts that are dates, and what begins and ends by them, on a clock that only the test moves.
@Suite("Facts that are dates", .timeLimit(.minutes(15)))
struct DateFactTests {
    private static let app = """
        name: Travel
        schemes: [travel]
        facts: { departure: { type: date }, sale: { type: date, scope: app }, note: { type: string } }
        tabs: { home: home }
        preconditions:
          booked: { holds: { present: departure }, flow: book }
          seated:
            holds: { any: [{ present: note }, { period: { from: { fact: departure, minus: 90m } } }] }
            flow: seat
        conditions:
          checkIn:
            holds: { period: { from: { fact: departure, minus: 24h }, until: { fact: departure, minus: 40m } } }
            reason: the check-in is not open
          onSale: { holds: { period: { until: { fact: sale, plus: 1h } } }, reason: the sale is over }
        destinations:
          home: { tab: home, routes: ["travel://home"] }
          checkin: { ancestry: [home], preconditions: [booked], conditions: [checkIn], routes: ["travel://checkin"] }
          seat: { ancestry: [home], preconditions: [seated], routes: ["travel://seat"] }
          offer: { ancestry: [home], conditions: [onSale], routes: ["travel://offer"] }
        flows:
          book: { screens: [flights], intents: { chosen: { parameters: { at: date }, effects: [{ set: departure, value: { parameter: at } }, complete] } } }
          seat: { screens: [plan] }
        intents:
          noted: { parameters: { at: string }, effects: [{ set: note, value: { parameter: at } }, { set: departure, value: { parameter: at } }] }
        """

    /// A host whose time is the beginning of 27 November 2026.
    private static func host() throws -> TestHost {
        let manifest = try AppManifest.read(app).manifest
        let clock = VirtualClock(wallTime: Instant.seconds("2026-11-27") ?? 0)
        return try TestHost(windows: ["A"], clock: clock, edit: { $0 = manifest })
    }

    // MARK: - The doors

    enum Way: CaseIterable {
        case commit, signIn, change, completion, effect
    }

    /// Sets the fact. Returns why it was refused, and what the fact is then.
    private static func set(_ value: FactValue, _ way: Way) async throws -> (refusal: String?, value: FactValue?) {
        let test = try host()
        let session = test.host.session
        var refusal: String?
        do {
            switch way {
            case .commit: try await session.commit(set: ["departure": value])
            case .signIn: try await session.signIn(user: "anna", facts: ["departure": value])
            case .change: try await session.apply([.set(fact: "departure", value)], origin: CommitOrigin())
            case .completion:
                try await test.open("travel://checkin")
                try await test.act(.finishFlow("book", .completed(FlowCompletion(facts: ["departure": value]))))
            case .effect:
                let receipt = try await test.tap("noted", ["at": value.parameterText])
                if case .rejected(let reason) = receipt.outcome { refusal = reason }
                // What is refused is refused with all that came with it.
                if refusal != nil { #expect(session.snapshot.facts["note"] == nil) }
            }
        } catch SessionError.invalidFact("departure", let reason) {
            refusal = reason
        } catch AdmissionError.invalidFact("departure", let reason) {
            refusal = reason
        }
        return (refusal, session.snapshot.facts["departure"])
    }

    static let written = ["2026-11-28T00:00:00Z", "2026-11-28T00:00Z", "2026-11-28"]

    @Test("have one text, whichever way and however they are written", arguments: written, Way.allCases)
    func canonical(text: String, way: Way) async throws {
        let (refusal, value) = try await Self.set(.string(text), way)
        #expect(refusal == nil && value == .string("2026-11-28T00:00:00Z"))
    }

    static let wrong = [
        "tomorrow", "2026-11-31", "2026-11-28T24:00:00Z", "2026-11-28T00:00:00+01:00", "1795824000", " ",
    ]

    @Test("are refused at every door if they are none", arguments: wrong, Way.allCases)
    func refused(text: String, way: Way) async throws {
        let (refusal, value) = try await Self.set(.string(text), way)
        let reason =
            "expected a date in UTC, such as 2026-11-27 or 2026-11-27T08:00:00Z, found the text '\(text)'"
        // The receipt of an event names the fact only.
        #expect(refusal == (way == .effect ? "invalidFact: departure" : reason) && value == nil)
    }

    @Test("are no numbers", arguments: [Way.commit, .signIn, .change, .completion])
    func number(way: Way) async throws {
        let (refusal, value) = try await Self.set(.integer(1_795_824_000), way)
        #expect(
            refusal == "expected a date in UTC, such as 2026-11-27 or 2026-11-27T08:00:00Z, found an integer"
                && value == nil
        )
    }

    // MARK: - Periods

    /// The outcome of a link now.
    private func outcome(_ link: String, _ test: TestHost) async throws -> Outcome {
        let outcome = try await test.open(link).outcome
        try await test.act(.gesture(.back))
        return outcome
    }

    @Test("begin and end a period to the second, and take it with them when they change")
    func boundaries() async throws {
        let test = try Self.host()
        let closed = Outcome.rejected(reason: "checkIn")
        // Without a date at no time; but that is asked only of somebody who has booked.
        #expect(try await outcome("travel://checkin", test) == .gated(precondition: "booked"))
        try await test.host.session.commit(set: ["departure": .string("2026-11-28T00:00:01Z")])
        #expect(try await outcome("travel://checkin", test) == closed)
        await test.host.advance(by: .milliseconds(999))
        #expect(try await outcome("travel://checkin", test) == closed)
        await test.host.advance(by: .milliseconds(1))
        #expect(try await outcome("travel://checkin", test) == .applied)

        // The flight is delayed: the period moves with it, and so does what is shown.
        try await test.host.session.commit(set: ["departure": .string("2026-11-28T00:00:02Z")])
        #expect(try await outcome("travel://checkin", test) == closed)
        await test.host.advance(by: .seconds(1))
        #expect(try await outcome("travel://checkin", test) == .applied)

        // 40 minutes before the departure.
        await test.host.advance(by: .seconds(86_400 - 2_400) - .milliseconds(1))
        #expect(try await outcome("travel://checkin", test) == .applied)
        await test.host.advance(by: .milliseconds(1))
        #expect(try await outcome("travel://checkin", test) == closed)
    }

    @Test("take away what is shown when a change of them ends its period")
    func sweep() async throws {
        let test = try Self.host()
        try await test.host.session.commit(set: ["departure": .string("2026-11-27T12:00:00Z")])
        #expect(try await test.open("travel://checkin").outcome == .applied)
        try await test.host.session.commit(set: ["departure": .string("2026-11-27T00:40:00Z")])
        await test.host.quiesce()
        #expect(try test.host.scene("A").window.topmost?.id == "home")
        // A period that does not end takes it away only when something else is judged: time alone sweeps nothing.
        try await test.host.session.commit(set: ["departure": .string("2026-11-27T00:41:00Z")])
        #expect(try await test.open("travel://checkin").outcome == .applied)
        await test.host.advance(by: .seconds(61))
        #expect(try test.host.scene("A").window.topmost?.id == "checkin")
        try await test.host.session.commit(set: ["note": .string("x")])
        await test.host.quiesce()
        #expect(try test.host.scene("A").window.topmost?.id == "home")
    }

    @Test("let go on what waits when a change of them begins its period")
    func waits() async throws {
        let test = try Self.host()
        try await test.host.session.commit(set: ["departure": .string("2026-11-27T02:00:00Z")])
        #expect(try await test.open("travel://seat", id: "e").outcome == .gated(precondition: "seated"))
        await test.host.advance(by: .seconds(1_798))
        try await test.host.session.commit(set: ["departure": .string("2026-11-27T01:59:59Z")])
        await test.host.quiesce()
        #expect(test.host.receipt(event: "e")?.outcome == .gated(precondition: "seated"), "a second too early")
        await test.host.advance(by: .seconds(1))
        #expect(test.host.receipt(event: "e")?.outcome == .gated(precondition: "seated"), "time alone opens no gate")
        // An hour and a half before the departure, to the second.
        try await test.host.session.commit(set: ["sale": .string("2026-11-27")])
        await test.host.quiesce()
        #expect(test.host.receipt(event: "e")?.outcome == .applied)
    }

    @Test("are gone with the user, and what began by them with them")
    func signOut() async throws {
        let test = try Self.host()
        let date = FactValue.string("2026-11-27T12:00:00Z")
        try await test.host.session.signIn(user: "anna", facts: ["departure": date, "sale": date])
        #expect(try await outcome("travel://offer", test) == .applied)
        #expect(try await test.open("travel://checkin").outcome == .applied)
        await test.host.session.signOut()
        await test.host.quiesce()
        #expect(test.host.session.snapshot.facts == ["sale": date])
        #expect(try test.host.scene("A").window.topmost?.id == "home")
        #expect(try await outcome("travel://checkin", test) == .gated(precondition: "booked"))
        #expect(try await outcome("travel://offer", test) == .applied)
    }

    @Test("say in the record of a refusal what the time would have to be, and of nothing else")
    func untimely() async throws {
        let test = try Self.host()
        func details() -> [String?] {
            test.records.compactMap { record in
                if case .dispatchResolved(_, _, _, _, _, _, let detail) = record.body { .some(detail) } else { nil }
            }
        }
        _ = try await outcome("travel://checkin", test)
        try await test.host.session.commit(set: ["departure": .string("2026-11-28T06:00:00Z")])
        _ = try await outcome("travel://checkin", test)
        _ = try await outcome("travel://home", test)
        // Once of the link that waited until there was a departure, once of the link after that.
        let early =
            "only from 2026-11-27T06:00:00Z (departure minus 1d) until 2026-11-28T05:20:00Z (departure minus 40m); "
            + "it is 2026-11-27T00:00:00Z"
        #expect(details() == [nil, early, early, nil])
    }

    @Test("stay over a reload as long as they are dates")
    func reload() async throws {
        let test = try Self.host()
        let facts: [String: FactValue] = [
            "departure": .string("2026-11-27T12:00:00Z"), "note": .string("2026-11-27"), "sale": .string("2026-11-28"),
        ]
        try await test.host.session.commit(set: facts)
        var manifest = try AppManifest.read(Self.app).manifest
        manifest.facts = manifest.facts.map { fact in
            var fact = fact
            fact.type = fact.type == .date && fact.name == "sale" ? .string : .date
            return fact
        }
        manifest.preconditions.removeAll { $0.name == "seated" }
        manifest.conditions.removeAll { $0.name == "onSale" }
        for index in manifest.destinations.indices {
            manifest.destinations[index].preconditions.removeAll { $0 == "seated" }
            manifest.destinations[index].conditions.removeAll { $0 == "onSale" }
        }
        try await test.host.reload(manifest)
        // A fact of another type begins anew.
        #expect(test.host.session.snapshot.facts == ["departure": .string("2026-11-27T12:00:00Z")])
    }
}
