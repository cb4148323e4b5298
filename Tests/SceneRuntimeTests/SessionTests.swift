import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Basics
import TestFixtures
import Testing

@Suite("The session commits whole revisions", .timeLimit(.minutes(15)))
struct SessionTests {
    @Test("a commit makes the next revision, one that changes nothing makes none")
    func revisions() async throws {
        let session = try TestHost().host.session
        #expect(try await session.commit(set: ["cart": .strings(["p1"])]).revision == 1)
        #expect(try await session.commit(set: ["cart": .strings(["p1"])]).revision == 1)
        #expect(await session.signOut().revision == 1)
        #expect(try await session.signIn(user: "anna").revision == 2)
        #expect(try await session.signIn(user: "anna").revision == 2)
    }

    @Test("a change of user makes a new epoch and resets the facts of the user who leaves, in one commit")
    func epochs() async throws {
        let session = try TestHost().host.session
        try await session.commit(set: ["cart": .strings(["p1"]), "market": .string("de")])
        let anna = try await session.signIn(user: "anna")
        #expect(anna.epoch == 0)
        #expect(anna.facts["cart"] == .strings(["p1"]))
        let bert = try await session.signIn(user: "bert")
        #expect(bert.epoch == 1)
        #expect(bert.revision == anna.revision + 1)
        #expect(bert.facts["cart"] != .strings(["p1"]))
        #expect(bert.facts["market"] == .string("de"))
        let nobody = await session.signOut()
        #expect(nobody.epoch == 2)
        #expect(nobody.user == nil)
    }

    @Test(
        "nobody is signed in by what is no name",
        arguments: ["", "anna b", "änna", String(repeating: "x", count: 129)]
    )
    func names(user: String) async throws {
        let session = try TestHost().host.session
        await #expect {
            try await session.signIn(user: user)
        } throws: { error in
            if case SessionError.invalidUser = error { true } else { false }
        }
        await #expect {
            try await session.apply([.signIn(user: user)], origin: CommitOrigin())
        } throws: { error in
            if case SessionError.invalidUser = error { true } else { false }
        }
        #expect(session.snapshot.revision == 0)
    }

    @Test("all facts together have a limit, and what is there may stay and shrink")
    func allFacts() async throws {
        let names = (0..<5).map { "fact\($0)" }
        let session = try TestHost { manifest in
            manifest.facts += names.map { FactDeclaration(name: $0, type: .string) }
        }.host.session
        @Sendable func text(_ size: Int) -> FactValue { .string(String(repeating: "x", count: size)) }
        for name in names.prefix(4) { try await session.commit(set: [name: text(60 << 10)]) }
        let before = session.snapshot.revision
        let fill: [@Sendable () async throws -> Void] = [
            { try await session.commit(set: ["fact4": text(60 << 10)]) },
            { try await session.signIn(user: "anna", facts: ["fact4": text(60 << 10)]) },
            { try await session.apply([.set(fact: "fact4", text(60 << 10))], origin: CommitOrigin()) },
        ]
        for fill in fill {
            await #expect {
                try await fill()
            } throws: { error in
                guard case SessionError.invalidFact("fact4", let reason) = error else { return false }
                return reason.contains("together they may take")
            }
        }
        #expect(session.snapshot.revision == before)
        #expect(try await session.commit(set: ["fact0": text(1)]).revision == before + 1)
        #expect(try await session.commit(set: ["fact4": text(59 << 10)]).revision == before + 2)
    }

    @Test("a stale expectation is refused with both revisions, and nothing is merged")
    func expectedRevision() async throws {
        let session = try TestHost().host.session
        try await session.commit(set: ["cart": .strings(["p1"])], expectedRevision: 0)
        await #expect(throws: SessionError.revisionConflict(expected: 0, actual: 1)) {
            try await session.commit(set: ["cart": .strings(["p2"])], expectedRevision: 0)
        }
        #expect(session.snapshot.facts["cart"] == .strings(["p1"]))
    }

    @Test("undeclared facts and values of another type are refused and leave everything as it was")
    func invalidFacts() async throws {
        let session = try TestHost().host.session
        await #expect(throws: SessionError.self) { try await session.commit(set: ["nothing": .boolean(true)]) }
        await #expect(throws: SessionError.self) {
            try await session.signIn(user: "anna", facts: ["cart": .string("p1")])
        }
        await #expect(throws: SessionError.self) { try await session.commit(remove: ["nothing"]) }
        #expect(session.snapshot.revision == 0)
        #expect(session.snapshot.user == nil)
    }

    @Test("a sign-in with a lifetime ends by itself on the host's clock, unless somebody signs in again before")
    func expiry() async throws {
        let clock = ManualClock()
        let session = try TestHost(clock: clock).host.session
        try await session.signIn(user: "anna", expiresAfter: .seconds(10))
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(9))
        #expect(session.snapshot.user == "anna")
        let (signedOut, tell) = AsyncStream.makeStream(of: Void.self)
        _ = session.listen { if $0.user == nil { tell.finish() } }
        await clock.advance(by: .seconds(1))
        for await _ in signedOut {}
        #expect(session.snapshot.epoch == 1)
    }

    @Test("the times of a sign-in count as activity only until they begin to pass, and while what they bring is done")
    func timesAtRest() async throws {
        let clock = ManualClock()
        let host = try TestHost(windows: [], clock: clock).host
        try await host.session.signIn(user: "anna", expiresAfter: .seconds(10), staleAfter: .seconds(5))
        await clock.waitForSleepers(2)
        #expect(host.activity.count(of: ActivityMonitor.session) == 0)
        for revision in [2, 3] {
            await clock.advance(by: .seconds(5))
            try await until("it is done") { host.activity.count(of: ActivityMonitor.session) == 0 }
            #expect(host.session.snapshot.revision == revision)
        }
        #expect(host.session.snapshot.user == nil)
    }

    @Test("signing in again or signing out cancels the first sign-in's lifetime")
    func expiryIsCancelled() async throws {
        let clock = ManualClock()
        let session = try TestHost(clock: clock).host.session
        try await session.signIn(user: "anna", expiresAfter: .seconds(10))
        await clock.waitForSleepers(1)
        try await session.signIn(user: "anna")
        #expect(clock.sleeping == 0)
        try await session.signIn(user: "anna", expiresAfter: .seconds(10))
        await clock.waitForSleepers(1)
        await session.signOut()
        #expect(clock.sleeping == 0)
    }

    @Test("a listener sees the newest snapshot and then every commit, in order")
    func listener() async throws {
        let session = try TestHost().host.session
        let seen = Guarded<[Int]>([])
        let token = session.listen { snapshot in seen.withLock { $0.append(snapshot.revision) } }
        await withTaskGroup { group in
            for number in 1...50 {
                group.addTask { _ = try? await session.commit(set: ["cart": .strings(["p\(number)"])]) }
            }
        }
        session.stopListening(token)
        try await session.commit(set: ["cart": .strings([])])
        #expect(seen.withLock { $0 } == Array(0...50))
    }
}
