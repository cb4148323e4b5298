import SceneClient
import StrictJSON
import Testing
import Varlink

@Suite("io.scened.Session on the live daemon", .timeLimit(.minutes(15)))
struct SessionTests {
    @Test("a commit makes a revision, a change of user an epoch, and what changes nothing neither")
    func commits() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            var session = try await client.session()
            #expect(session.revision == 0 && session.epoch == 0 && session.user == nil)
            #expect(try await client.signOut().revision == 0)

            session = try await client.commit(set: ["cart": ["p1"], "market": "de"])
            #expect(session.revision == 1)
            session = try await client.signIn(user: "anna", facts: ["paymentMethod": "card"])
            #expect(session.revision == 2 && session.epoch == 0 && session.user == "anna")
            #expect(session.facts["cart"] == ["p1"], "facts set while nobody was signed in are kept")
            #expect(try await client.signIn(user: "anna").revision == 2)
            #expect(try await client.commit(set: ["market": "de"]).revision == 2)

            session = try await client.signIn(user: "ben")
            #expect(session.revision == 3 && session.epoch == 1 && session.user == "ben")
            #expect(session.facts["cart"] == [] && session.facts["paymentMethod"] == nil)
            #expect(session.facts["market"] == "de", "app facts stay")
            session = try await client.commit(set: ["cart": ["p2"]], remove: ["market"], expectedRevision: 3)
            #expect(session.revision == 4 && session.facts["cart"] == ["p2"] && session.facts["market"] == nil)
            session = try await client.signOut()
            #expect(session.revision == 5 && session.epoch == 2 && session.user == nil && session.facts["cart"] == [])
        }
    }

    @Test("invalid commits are refused by name and change nothing")
    func refusals() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            func refusal(_ method: String, _ parameters: JSONObject) async throws -> VarlinkError? {
                try await client.refusal("io.scened.Session.\(method)", parameters)
            }
            #expect(
                try await refusal("Commit", ["set": ["market": "de"], "expectedRevision": 7])
                    == VarlinkError("io.scened.Session.RevisionConflict", ["expected": 7, "actual": 0])
            )
            let invalid: [(String, JSONObject, JSONValue)] = [
                ("Commit", ["set": ["market": "de", "colour": "red"]], "colour"),
                ("Commit", ["set": ["cart": "p1"]], "cart"), ("Commit", ["set": ["cart": ["p1", 2]]], "cart"),
                ("Commit", ["set": ["market": nil]], "market"), ("Commit", ["remove": ["colour"]], "colour"),
                ("SignIn", ["user": "anna", "facts": ["paymentMethod": 5]], "paymentMethod"),
            ]
            for (method, parameters, fact) in invalid {
                let error = try await refusal(method, parameters)
                #expect(error?.name == "io.scened.Session.InvalidFact")
                #expect(error?.parameters["fact"] == fact)
                #expect(error?.parameters["reason"]?.stringValue?.isEmpty == false)
            }
            for method in ["SignOut", "Commit"] {
                #expect(
                    try await refusal(method, ["scene": "nowhere"])
                        == VarlinkError("io.scened.Session.UnknownScene", ["scene": "nowhere"])
                )
            }
            #expect(
                try await refusal("SignIn", ["user": "anna", "scene": "nowhere"])?.name.hasSuffix("UnknownScene")
                    == true
            )
            let user = String(repeating: "u", count: 129)
            let error = try await refusal("SignIn", ["user": .string(user)])
            #expect(error?.name == "org.varlink.service.InvalidParameter")
            #expect(error?.parameters["parameter"] == "user")
            #expect(try await daemon.client().session().revision == 0)
        }
    }

    @Test("a sign-in may expire")
    func expiry() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.signIn(user: "anna", expiresIn: .milliseconds(20))
            let record = try await daemon.record { $0["kind"] == "session.committed" && $0["user"] == .some(.null) }
            #expect(record["revision"] == 2 && record["epoch"] == 1)
            #expect(try await client.session().user == nil)
        }
    }

    @Test("a follower of the session sees every commit once, in order")
    func following() async throws {
        try await LiveDaemon.run { daemon in
            var sessions = try await daemon.connect().callMore("io.scened.Session.Get").makeAsyncIterator()
            func next() async throws -> JSONValue { try #require(await sessions.next()?["session"]) }
            #expect(try await next()["revision"] == 0)
            let commits = 200
            try await withThrowingTaskGroup { group in
                for number in 0..<4 {
                    let client = try await daemon.client()
                    group.addTask {
                        for commit in 1...commits / 4 {
                            _ = try await client.commit(set: ["cart": [.string("p\(number)\(commit)")]])
                        }
                    }
                }
                try await group.waitForAll()
            }
            for revision in 1...commits { #expect(try await next()["revision"] == .integer(revision)) }
        }
    }
}
