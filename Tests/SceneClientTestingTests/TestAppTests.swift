import Basics
import SceneClientTesting
import Testing

/// What a test has in its hands.
@Suite("A test's app", .daemon(app: "hotel.yaml", transition: .milliseconds(350)), .timeLimit(.minutes(15)))
struct TestAppTests {
    let app = TestApp.current

    // MARK: - As at the start

    @Test("each test finds the daemon as at its start", arguments: 0..<3)
    func reset(_: Int) async throws {
        #expect(try await app.windows().isEmpty)
        try await app.expect(user: nil)
        #expect(try await app.clock.now == .zero)
        let receipt = try await app.window().open("hotel://stay").receipt()
        #expect(receipt.ticket == 1)
        try await app.signIn("anna")
        try await app.clock.advance(by: .seconds(5))
    }

    @Test("a window is opened once, and the daemon may open others")
    func windows() async throws {
        let window = try await app.window("A")
        try await window.open("hotel://room/7")
        try await app.window("A").expect("rooms › room(id: 7)")
        #expect(try await app.windows().map(\.name) == ["A"])
        try await app.window("B").discard()
        try await TestWindow.expectGone(app, "B")
    }

    // MARK: - Expectations

    /// What the issues of `body` say, which has some unless `isExpected` says otherwise.
    private func issue(isExpected: Bool = true, _ body: () async throws -> Void) async throws -> String {
        let text = Guarded("")
        try await withKnownIssue(isIntermittent: !isExpected) {
            try await body()
        } matching: { issue in
            let said = issue.comments.map(\.rawValue) + [issue.error.map { "\($0)" }].compactMap(\.self)
            text.withLock { $0 += said.joined() }
            return true
        }
        return text.withLock(\.self)
    }

    @Test("an expectation that is not met says what is different")
    func differences() async throws {
        let window = try await app.window("A")
        let link = try await window.open("hotel://bill", event: "mine")
        let differs = try await issue { try await window.expect("stay › bill") }
        #expect(
            differs == """
                window A does not show what was expected
                  expected:   stay › bill
                  shown:      rooms › auth[login]
                  differs:    place 1 is rooms, not stay
                  gated at:   signedIn: bill (event mine)
                  last event: #1 mine (hotel://bill) gated at signedIn
                """
        )
        for (text, says) in [
            ("rooms", "too much:   auth[login]"), ("rooms › auth[login] › [bill]", "missing:    [bill]"),
            ("rooms › checkIn[arrival]", "differs:    place 2 is auth[login], not checkIn[arrival]"),
            ("rooms: rooms | *stay: stay", "shown:      *rooms: rooms › sheet auth[login] | stay: stay"),
            ("gone", "shown:      *rooms: rooms › sheet auth[login] | stay: stay"),
            ("disconnected", "expected:   disconnected"),
        ] {
            let found = try await issue { try await window.expect(text) }
            #expect(found.contains(says), "\(found)")
        }
        let others: [(String, () async throws -> Void)] = [
            ("shows what was not expected", { try await window.expect(notShown: "bill", "login") }),
            (
                "expected: rejected (otherUser)\n  is:       #1 mine (hotel://bill) gated at signedIn",
                { try await link.expect(.rejected, reason: "otherUser") }
            ),
            ("expected: gated at checkedIn", { try await link.expect(gatedAt: "checkedIn") }),
            ("nothing waits for checkedIn in window A", { try await window.expect(parkedAt: "checkedIn") }),
            ("expected: background\n  is:       foregroundActive", { try await window.expect(.background) }),
            ("expected:  anna\n  signed in: nobody", { try await app.expect(user: "anna") }),
            ("checkedIn: expected true, is ", { try await app.expect(facts: ["checkedIn": true]) }),
        ]
        for (says, body) in others {
            let found = try await issue(body)
            #expect(found.contains(says), "\(found)")
        }
    }

    @Test("an expectation that could never be met is an error with what was meant")
    func misspelt() async throws {
        let window = try await app.window()
        let link = try await window.open("hotel://bill")
        for (says, body) in [
            ("there is no screen 'bil'; did you mean 'bill'?", { try await window.expect("stay › bil") }),
            ("there is no screen 'bil'; did you mean 'bill'?", { try await window.expect(notShown: "bil") }),
            ("there is no flow 'authh'; did you mean 'auth'?", { try await window.expect("stay › authh[login]") }),
            (
                "there is no tab 'romms'; did you mean 'rooms'?",
                { try await window.expect("*romms: rooms | stay: stay") }
            ),
            (
                "there is no fact 'checkedIm'; did you mean 'checkedIn'?",
                { try await app.expect(facts: ["checkedIm": true]) }
            ),
            (
                "'checkedIn' cannot be \"yes\": it is of type boolean",
                { try await app.expect(facts: ["checkedIn": "yes"]) }
            ),
            ("'checkedIn' cannot be 1: it is of type boolean", { try await app.expect(facts: ["checkedIn": 1]) }),
            ("'paid' cannot be true: it is of type integer", { try await app.expect(facts: ["paid": true]) }),
            ("'paid' cannot be 1.5: it is of type integer", { try await app.expect(facts: ["paid": 1.5]) }),
            ("'paid' always has a value; the app declares a default", { try await app.expect(facts: ["paid": .null]) }),
            ("'stays' cannot be \"a\": it is of type strings", { try await app.expect(facts: ["stays": "a"]) }),
            (
                "'stays' cannot be [\"a\",1]: it is of type strings",
                { try await app.expect(facts: ["stays": ["a", 1]]) }
            ),
            ("'arrival' cannot be 5: it is of type date", { try await app.expect(facts: ["arrival": 5]) }),
            ("'key' cannot be this value: it is of type string", { try await app.expect(facts: ["key": ["hush"]]) }),
            (
                "'arrival' is never '2026-11-28'; expected '2026-11-28T00:00:00Z'.",
                { try await app.expect(facts: ["arrival": "2026-11-28"]) }
            ),
            (
                "'key' is secret; expected the placeholder that the session shows",
                { try await app.expect(facts: ["key": "hush"]) }
            ),
            ("is no window: at character 13: found the end", { try await window.expect("stay › auth[") }),
            (
                "the flow 'checkIn' has no screen 'login'; expected one of arrival.",
                { try await window.expect("rooms › checkIn[login]") }
            ),
            (
                "'room' has no parameter 'ID'; did you mean 'id'?",
                { try await window.expect(notShown: "room(ID: 7)") }
            ),
            (
                "no window shows 'night(date: 2026-11-28)' so; expected 'night(date: 2026-11-28T00:00:00Z)'.",
                { try await window.expect(notShown: "night(date: 2026-11-28)") }
            ),
            (
                "'applied' has no reason; expected 'applied' alone.",
                { try await link.expect(.applied, reason: "open") }
            ),
            ("use expect(gatedAt: \"signedIn\")", { try await link.expect(.gated, reason: "signedIn") }),
            (
                "there is no reason 'userLeftt'; did you mean 'userLeft'?",
                { try await link.expect(.abandoned, reason: "userLeftt") }
            ),
            (
                "there is no precondition 'signdIn'; did you mean 'signedIn'?",
                { try await link.expect(gatedAt: "signdIn") }
            ),
            ("the user \"a b\"", { try await app.expect(user: "a b") }),
            ("nil expects nobody", { try await app.expect(user: "") }),
            ("of nothing is always met", { try await window.expect() }),
        ] as [(String, () async throws -> Void)] {
            let found = try await issue(body)
            #expect(found.contains(says), "\(found)")
        }
    }

    @Test("facts of every type can be expected, and a secret by its placeholder")
    func facts() async throws {
        let set: JSONObject = [
            "checkedIn": true, "paid": 5, "stays": ["a", "b"], "arrival": "2026-11-27T08:00:00Z", "key": "hush",
        ]
        var facts = try await app.set(set).facts
        #expect(facts["key"] != "hush")
        try await app.expect(facts: facts)
        facts["key"] = .string("secret:" + String(repeating: "0", count: 24))
        let found = try await issue { try await app.expect(facts: facts) }
        #expect(found.contains("key: expected \"secret:0000"), "\(found)")
    }

    // MARK: - Time

    @Test("a virtual clock goes on while the test waits, but never to where a sign-in expires")
    func virtualTime() async throws {
        try await app.signIn("anna", expiresIn: .seconds(60))
        let window = try await app.window()
        try await window.open("hotel://bill")
        try await window.expect("stay › bill")
        let now = try await app.clock.now
        #expect(now > .zero && now < .seconds(10))
        try await app.expect(user: "anna")
    }

    @Test("a clock that is stopped leaves a window in its transition")
    func stopped() async throws {
        let window = try await app.window()
        try await app.clock.stopped {
            try await window.open("hotel://room/7")
            try await app.clock.advance(by: .milliseconds(349))
            try await window.back().expect(.ignored)
            #expect(try await window.state()?.window?.isTransitioning == true)
        }
        try await app.settle()
        try await window.back().expect(.applied)
        try await window.expect("rooms")
    }

    // MARK: - Holds

    @Test("a hold that catches nothing is an issue, unless it need not", arguments: [true, false])
    func nothingHeld(mustCatch: Bool) async throws {
        let window = try await app.window()
        let found = try await issue(isExpected: mustCatch) {
            try await window.at(.planned, event: "other", mustCatch: mustCatch) {
                _ = try await window.open("hotel://stay")
            }
        }
        #expect(found.contains("caught nothing") == mustCatch)
    }

    @Test("what is held says what it has caught, and lets go in between")
    func hold() async throws {
        let window = try await app.window("A")
        try await window.at(.planned) { hold in
            #expect(try await !hold.look())
            let link = try await window.open("hotel://room/7", event: "first")
            #expect(try await hold.wait() == hold.caught && hold.caught?.event == "first" && hold.caught?.scene == "A")
            try await link.expect(.admitted)
            try await hold.release()
            try await window.expect("rooms › room(id: 7)")
        }
    }

    @Test("a window's life changes behind what is held in it")
    func lifeUnderHold() async throws {
        let window = try await app.window("A")
        try await window.at(.planned) {
            try await window.open("hotel://room/7")
            try await window.background()
            #expect(try await window.state()?.activation.known == .foregroundActive)
        }
        try await window.expect(.background)
        try await window.expect("rooms › room(id: 7)")
    }

    @Test("an error in a hold lets go of what it holds")
    func errorInHold() async throws {
        struct Mistake: Error {}
        let window = try await app.window()
        await #expect(throws: Mistake.self) {
            try await window.at(.planned) {
                try await window.open("hotel://room/7")
                throw Mistake()
            }
        }
        try await window.expect("rooms › room(id: 7)")
    }

    // MARK: - Adapters

    @Test("an adapter can look at the app while the event waits for it")
    func adapterLooks() async throws {
        try await app.signIn("anna")
        let window = try await app.window()
        try await app.adapter("by-user", kinds: ["url"], priority: 20) { _ in
            try await window.expect("rooms")
            return .destination(Destination(id: "room", parameters: ["id": try await app.session().user ?? "nobody"]))
        }
        try await window.open("hotel://stay")
        try await window.expect("rooms › room(id: anna)")
    }

    @Test(
        "an adapter that returns a destination that cannot be declines the event, which is an issue",
        arguments: [
            (Destination(id: "rom"), "destination: there is no destination 'rom'; did you mean 'room'?"),
            (Destination(id: "room"), "id: is missing; room needs a text"),
            (Destination(id: "room", parameters: ["Id": "7"]), "Id: room has no such parameter, only id"),
        ]
    )
    func adapterErrs(destination: Destination, says: String) async throws {
        let window = try await app.window()
        let found = try await issue {
            try await app.adapter("errs", kinds: ["url"], priority: 20) { _ in .destination(destination) }
            try await window.open("hotel://room/7")
        }
        #expect(found.contains("the adapter 'errs' returned a destination that cannot be: \(says)"), "\(found)")
        try await window.expect("rooms › room(id: 7)")
    }

    @Test("an adapter whose answer is none declines the event at once, which is an issue", arguments: ["", "a b"])
    func adapterAnswersForNobody(user: String) async throws {
        let window = try await app.window()
        let found = try await issue {
            try await app.adapter("errs", kinds: ["url"], priority: 20) { _ in .url("hotel://stay", user: user) }
            try await window.open("hotel://room/7")
        }
        #expect(found.contains("the answer of the adapter 'errs' was not taken"), "\(found)")
        try await window.expect("rooms › room(id: 7)")
    }

    @Test("what the daemon refuses to an adapter's closure is said as what it threw, not as its answer")
    func adapterIsRefused() async throws {
        let window = try await app.window()
        let found = try await issue {
            try await app.adapter("asks", kinds: ["url"], priority: 20) { [app] _ in
                _ = try await app.client.call(
                    "io.scened.Routing.Print",
                    ["destination": ["id": "rom", "parameters": [:]]]
                )
                return .handled
            }
            try await window.open("hotel://room/7")
        }
        #expect(found.contains("the adapter 'asks' threw io.scened.Routing.ValidationFailed"), "\(found)")
        try await window.expect("rooms › room(id: 7)")
    }

    @Test("an adapter that throws declines the event, which is an issue")
    func adapterThrows() async throws {
        let window = try await app.window()
        try await withKnownIssue {
            try await app.adapter("broken", kinds: ["url"], priority: 20) { _ in
                try await window.open("hotel://stay")
                return .handled
            }
            try await window.open("hotel://room/7")
        } matching: {
            $0.comments.contains { $0.rawValue.contains("an adapter cannot wait for another event") }
        }
        try await window.expect("rooms › room(id: 7)")
    }
}

extension TestWindow {
    /// Expects that there is no window of this name.
    fileprivate static func expectGone(_ app: TestApp, _ name: String) async throws {
        #expect(try await !app.windows().contains { $0.name == name })
    }
}
