import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

/// What is sold out asks nobody to sign in first (<doc:/SceneRuntime/WayOfAnEvent>).
@Suite("The order of gates and refusals", .timeLimit(.minutes(15)))
struct JudgementOrderTests {
    /// A condition of the cart, and whether it is judged before the sign-in that the cart needs.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let isFirst: Bool
        let holds: FactPredicate
    }

    private static let open = FactPredicate.compare(fact: "open", .equal, .value(.boolean(true)))
    private static let member = FactPredicate.compare(fact: "member", .equal, .value(.boolean(true)))

    static let cases = [
        Case(testDescription: "a fact of the app", isFirst: true, holds: open),
        Case(testDescription: "a fact of the user", isFirst: false, holds: member),
        Case(testDescription: "who is signed in", isFirst: false, holds: .all([.signedIn, .not(.signedIn)])),
        Case(testDescription: "the app's version", isFirst: true, holds: .appVersion(.greaterOrEqual, "99")),
        Case(testDescription: "the time", isFirst: true, holds: .period(from: nil, until: .date(0))),
        Case(testDescription: "never", isFirst: true, holds: .not(.always)),
        Case(testDescription: "the user in one of the branches", isFirst: false, holds: .all([open, member])),
        Case(
            testDescription: "the user under not",
            isFirst: false,
            holds: .any([open, .all([member, .not(.signedIn)])])
        ),
    ]

    private func shop(_ holds: FactPredicate) throws -> TestHost {
        try TestHost(windows: ["A"]) { manifest in
            manifest.facts.append(FactDeclaration(name: "open", type: .boolean, scope: .app))
            manifest.facts.append(FactDeclaration(name: "member", type: .boolean))
            manifest.conditions.append(ConditionDeclaration(name: "it", holds: holds, reason: "it does not"))
            let place = try #require(manifest.destinations.firstIndex { $0.id == "cart" })
            manifest.destinations[place].conditions.append("it")
        }
    }

    @Test("what looks at nobody is judged before all gates, the rest after them", arguments: cases)
    func order(_ example: Case) async throws {
        let shop = try shop(example.holds)
        let receipt = try await shop.open("cart")
        if example.isFirst {
            #expect(receipt.outcome == .rejected(reason: "it"))
            #expect(try shop.window().modals.isEmpty, "nobody is asked to sign in")
        } else {
            #expect(receipt.outcome == .gated(precondition: "signedIn"))
            try await shop.host.session.signIn(user: "mina")
            await shop.host.quiesce()
            #expect(try await shop.open("cart").outcome == .rejected(reason: "it"))
        }
        // What stands on it needs it, too, and a gate of its own.
        #expect(
            try await shop.open("checkout").outcome
                == (example.isFirst ? .rejected(reason: "it") : .gated(precondition: "paymentMethod"))
        )
    }

    @Test("S1: a resume judges all again: what was sold out meanwhile is refused")
    func resume() async throws {
        let shop = try shop(Self.open)
        try await shop.host.session.commit(set: ["open": .boolean(true)])
        let waiting = try shop.admit("cart")
        #expect(await shop.host.receipt(of: waiting).outcome == .gated(precondition: "signedIn"))
        try await shop.host.session.commit(set: ["open": .boolean(false)])
        await shop.host.quiesce()
        #expect(await shop.host.receipt(of: waiting).outcome == .gated(precondition: "signedIn"))
        try await shop.host.session.signIn(user: "mina")
        #expect(await shop.host.receipt(of: waiting, at: .finished).outcome == .rejected(reason: "it"))
        await shop.host.quiesce()
        #expect(try shop.window().modals.isEmpty)
    }

    @Test("S3: a sweep gives the first in the same order as its reason", arguments: [true, false])
    func sweep(isFirst: Bool) async throws {
        let shop = try shop(isFirst ? Self.open : Self.member)
        try await shop.host.session.signIn(user: "mina")
        try await shop.host.session.commit(set: ["open": .boolean(true), "member": .boolean(true)])
        #expect(try await shop.open("cart").outcome == .applied)
        let changes: [SessionChange] = [.signOut, .set(fact: "open", .boolean(false))]
        _ = try await shop.host.session.apply(changes, origin: CommitOrigin())
        await shop.host.quiesce()
        guard case .sceneSwept(let removed) = shop.records(of: .sceneSwept).last?.body else {
            Issue.record("nothing was swept")
            return
        }
        #expect(removed.map(\.reason) == [isFirst ? "it" : "signedIn"])
    }
}
