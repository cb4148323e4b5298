import SceneClient
import StrictJSON
import TestFixtures
import Testing
import Varlink

/// A client may send events and disconnect: admitted events go on as if it were still connected.
@Suite("Events of a client that disconnects", .timeLimit(.minutes(15)))
struct GoneClientTests {
    /// A call as bytes; `rest` is further parameters, `member` a further member of the call.
    private static func call(_ event: String, _ link: String, _ rest: String = "", member: String = "") -> String {
        let parameters = #"{"url":"qcommerce://\#(link)","scene":"A","event":"\#(event)"\#(rest)}"#
        return #"{"method":"io.scened.Events.OpenURL","parameters":\#(parameters)\#(member)}␀"#
    }

    private static func connections(_ race: Race) async throws -> Int {
        try await race.client.call("io.scened.Manager.GetStatus")["connections"]?.integerValue ?? 0
    }

    private static func waiters(_ race: Race) async throws -> Int {
        let users = try await race.client.call("io.scened.Manager.GetStatus")["users"]?.arrayValue ?? []
        return users.compactMap { $0["waiters"]?.integerValue }.reduce(0, +)
    }

    /// Sends, disconnects once the last of `admitted` is admitted, and waits until the daemon has noticed.
    private static func sendAndLeave(_ race: Race, _ bytes: String, admitted: String) async throws {
        let before = try await connections(race)
        do {
            let raw = try RawConnection(path: race.daemon.socket)
            try await raw.write(bytes)
            try await race.daemon.record("event.admitted", event: admitted)
            raw.closeBoth()
        }
        // Followers of the records come and go too, so this waits until only the earlier connections are left.
        try await until("only they are left") { try await connections(race) <= before }
    }

    @Test(
        "whatever it waits for, and wherever its event stands",
        arguments: ["admitted", "resolved", "planned", "transition"],
        ["settled", "finished"]
    )
    func one(point: String, wait: String) async throws {
        try await Race.run { race in
            let hold = try await race.hold(point, "A")
            let before = try await Self.waiters(race)
            try await Self.sendAndLeave(
                race,
                Self.call("mine", "product/p1", #","wait":"\#(wait)""#),
                admitted: "mine"
            )
            #expect(try await Self.waiters(race) == before, "nobody waits for it")
            try await hold.caught()
            try await hold.release()
            try await race.quiesce()
            #expect(try await race.outcome("mine") == "applied")
            #expect(try await race.records("dispatch.ended", of: "mine").map { $0["outcome"] } == ["applied"])
            #expect(try await race.shown() == ["home", "product(id: p1)"])
        }
    }

    @Test(
        "several that it had pipelined: admitted they are all carried out, in the order sent",
        arguments: [false, true]
    )
    func pipelined(isOneway: Bool) async throws {
        try await Race.run { race in
            let hold = try await race.hold("admitted", "A")
            let calls = (1...5).map { number in
                isOneway
                    ? Self.call("e\(number)", "product/p\(number)", member: #","oneway":true"#)
                    : Self.call("e\(number)", "product/p\(number)", #","wait":"admitted""#)
            }
            try await Self.sendAndLeave(race, calls.joined(), admitted: "e5")
            try await hold.release()
            try await race.quiesce()
            for number in 1...5 { #expect(try await race.outcome("e\(number)") == "applied") }
            let ended = try await race.daemon.records(scene: "A").filter { $0["kind"] == "dispatch.ended" }
            #expect(ended.map { $0["event"] } == (1...5).map { .string("e\($0)") })
            #expect(ended.map { $0["ticket"] } == (1...5).map { .integer($0) })
            #expect(try await race.shown() == ["home", "product(id: p5)"])
        }
    }

    @Test("several that it had pipelined, each waiting for its end: the first is carried out, the others never came in")
    func pipelinedAndWaiting() async throws {
        try await Race.run { race in
            let hold = try await race.hold("planned", "A")
            let calls = (1...5).map { Self.call("e\($0)", "product/p\($0)") }
            try await Self.sendAndLeave(race, calls.joined(), admitted: "e1")
            try await hold.caught()
            try await hold.release()
            try await race.quiesce()
            #expect(try await race.outcome("e1") == "applied")
            for number in 2...5 {
                #expect(try await race.daemon.records(event: "e\(number)").isEmpty)
                let refusal = try await race.daemon.connect()
                    .refusal("io.scened.Events.Get", ["event": .string("e\(number)")])
                #expect(refusal?.name == "io.scened.Events.UnknownEvent")
            }
            #expect(try await race.open("orders").ticket == 2, "no ticket was wasted")
        }
    }

    @Test("a parked event resumes all the same")
    func parked() async throws {
        try await Race.run { race in
            let before = try await Self.connections(race)
            do {
                let raw = try RawConnection(path: race.daemon.socket)
                try await raw.write(Self.call("mine", "cart", #","wait":"finished""#))
                try await race.daemon.record("gate.parked", event: "mine")
                raw.closeBoth()
            }
            try await until("it has gone") { try await Self.connections(race) <= before }
            // The gate's record comes before the receipt.
            try await race.quiesce()
            #expect(try await race.outcome("mine") == "gated: signedIn")
            _ = try await race.client.signIn(user: "anna", scene: "B")
            try await race.quiesce()
            #expect(try await race.outcome("mine") == "applied")
            #expect(try await race.shown() == ["home", "cart"])
        }
    }
}
