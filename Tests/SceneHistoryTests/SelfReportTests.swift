import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// What a screen or a container reports by itself (<doc:/SceneRuntime/Windows>).
@Suite("What reports by itself", .timeLimit(.minutes(15)))
struct SelfReportTests {
    private static func act(_ intent: String, _ parameters: [String: String] = [:], from reporter: String)
        -> SceneAction
    {
        .intent(Intent(name: intent, parameters: parameters), from: reporter)
    }

    /// What was asked to take the intent that came last.
    private static func chain(_ club: Club) -> [String] {
        let bubbled = club.records.last { $0["kind"]?.stringValue == "intent.bubbled" }
        return bubbled?["chain"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    private static func isForward(_ club: Club) throws -> Bool {
        try club.host.scene("A").activation == .foregroundActive
    }

    @Test("may be a covered screen, in any tab, or a container; it goes up from there and brings nothing to the front")
    func anywhere() async throws {
        let club = try Club()
        try await club.signIn()
        try await club.open("court/c1")
        try await club.act(.gesture(.selectTab("news")))
        try await club.open("card")
        #expect(try club.shown == "courts: courts › court(id: c1) | *news: news › sheet join[form]")
        for activation in [Activation.foregroundInactive, .background] {
            _ = try await club.host.setActivation(activation, of: "A")
        }
        let places = [
            ("form", ["screen form", "sheet of join", "join", "news", "root"]),
            ("sheet of join", ["sheet of join", "join", "news", "root"]),
            ("news", ["screen news", "tab news", "news", "root"]),
            ("tab news", ["tab news", "news", "root"]),
            ("court", ["screen court(id: c1)", "tab courts", "courts", "root"]),
            ("tab courts", ["tab courts", "courts", "root"]),
        ]
        for (reporter, chain) in places {
            let receipt = try await club.act(Self.act("nobodyKnows", from: reporter))
            #expect(receipt.outcome == .rejected(reason: "unhandledIntent"), "\(reporter)")
            #expect(Self.chain(club) == chain)
        }
        #expect(
            try await club.act(Self.act("lockerTapped", ["locker": "7"], from: "courts")).outcome
                == .gated(precondition: "key")
        )
        #expect(Self.chain(club) == ["screen courts", "tab courts", "courts", "root"])
        #expect(try Self.isForward(club) == false)
        // What somebody does is done in front.
        try await club.tap("nobodyKnows")
        #expect(try Self.isForward(club))
        await club.end()
    }

    @Test("moves its flow under what covers it, and starts no other")
    func covered() async throws {
        let club = try Club { manifest in
            // Both flows may search.
            let wanted = manifest.flows.flatMap(\.intents).first { $0.name == "searchWanted" }
            guard let wanted, let join = manifest.flows.firstIndex(where: { $0.name == "join" }) else { return }
            manifest.flows[join].intents.append(wanted)
        }
        try await club.signIn()
        try await club.open("card")
        try await club.tap("sponsorWanted")
        #expect(
            try club.shown == "*courts: courts › sheet join[form] › popover sponsor[names(club: tennis)] | news: news"
        )
        #expect(
            try await club.act(Self.act("searchWanted", from: "form")).outcome
                == .rejected(reason: "alreadyPresenting")
        )
        #expect(try await club.act(Self.act("filled", from: "form")).outcome == .applied)
        #expect(
            try club.shown
                == "*courts: courts › sheet join[form › sent(sponsor: nobody)] › popover sponsor[names(club: tennis)] | news: news"
        )
        // It ends with what covers it, and what waits goes on.
        #expect(try await club.act(Self.act("joined", from: "sheet of join")).outcome == .applied)
        #expect(try club.shown == "*courts: courts › fullScreen card[card] | news: news")
        await club.end()
    }

    @Test("has nothing to report when it is not shown at its turn")
    func gone() async throws {
        let club = try Club()
        try await club.signIn()
        for reporter in ["court", "form", "sheet of join", "sheet", "popover of sponsor", "tab root"] {
            let receipt = try await club.act(Self.act("rate", from: reporter))
            #expect(receipt.outcome == .rejected(reason: "unhandledIntent"), "\(reporter)")
            #expect(Self.chain(club) == [], "\(reporter)")
        }
        await club.end()
    }

    @Test(
        "is refused at the door if the app has no such screen or container",
        arguments: [
            "", "nowhere", "tab", "tab ", "tab nowhere", "tab  news", "sheet of", "sheet of nowhere", "drawer of join",
            "TAB news",
            "\u{212A}eys", "tab news\u{0}", String(repeating: "x", count: 100_000),
        ]
    )
    func unknown(reporter: String) async throws {
        let club = try Club()
        let before = club.records.count
        let error = #expect(throws: AdmissionError.self) {
            try club.host.admit(Submission(Self.act("rate", from: reporter), scene: "A"))
        }
        #expect(
            error.map { "\($0)".utf8.count < 500 && "\($0)".contains("'tab courts'") } ?? false,
            "\(String(describing: error))"
        )
        #expect(club.records.count == before)
    }

    @Test("is refused from a window that is disconnected")
    func disconnected() async throws {
        let club = try Club()
        try await club.host.disconnect(scene: "A")
        let error = #expect(throws: AdmissionError.self) {
            try club.host.admit(Submission(Self.act("rate", from: "courts"), scene: "A"))
        }
        #expect("\(String(describing: error))".contains("A is disconnected"))
        await club.end()
    }

    @Test("is known for that to the checker: said to be somebody's doing, or in front for it, is violated")
    func falsified() async throws {
        let club = try Club()
        try await club.signIn()
        try await club.act(Self.act("asked", from: "news"))
        await club.host.drain()
        let honest = club.records
        let admitted = try #require(honest.lastIndex { $0["kind"] == "event.admitted" })
        func falsified(_ edit: (inout JSONObject) -> Void) -> HistoryReport {
            var records = honest
            edit(&records[admitted])
            return checked(records, app: club.manifest)
        }
        #expect(falsified { _ in }.conclusion == .holds)
        #expect(falsified { $0["silent"] = nil }.violated == [.lifecycle])
        #expect(falsified { $0["act"] = ["parameters": [:]] }.violated.contains(.lifecycle))
        #expect(falsified { $0["act"] = ["parameters": [:], "from": "tab news"] }.violated == [.agreement])
        #expect(falsified { $0["act"] = ["parameters": [:], "from": "court"] }.violated == [.agreement])
    }
}
