import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import TestFixtures
import Testing

/// Each job given to an executor costs waking a thread. A scene needs one job to begin; every further job means that it left
/// its executor and came back.
@Suite("A scene stays on its executor", .timeLimit(.minutes(15)))
struct HopTests {
    /// A host of one window, all of which runs on one executor.
    private struct Counted {
        let executor = GatedExecutor(isOpen: true)
        let shop: TestHost

        init() throws {
            let executor = executor
            shop = try TestHost(
                windows: ["A"],
                executors: HostExecutors(session: executor, scene: { _ in executor })
            )
        }

        /// How many jobs ran until nothing was left to do.
        func jobs(_ step: (TestHost) async throws -> Void) async throws -> Int {
            await rest()
            let before = executor.enqueued
            try await step(shop)
            await rest()
            return executor.enqueued - before
        }

        private func rest() async {
            await shop.host.quiesce()
            await executor.close()
            executor.open()
        }

        func expectOneJob(
            _ link: String,
            _ outcome: Outcome,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            try await expectOneJob(link, outcome, sourceLocation) { try await $0.open(link) }
        }

        func expectOneJob(
            _ action: SceneAction,
            _ outcome: Outcome = .applied,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            try await expectOneJob("\(action)", outcome, sourceLocation) { try await $0.act(action) }
        }

        private func expectOneJob(
            _ what: String,
            _ outcome: Outcome,
            _ sourceLocation: SourceLocation,
            _ step: (TestHost) async throws -> Receipt
        ) async throws {
            let jobs = try await jobs { shop in
                let receipt = try await step(shop)
                #expect(receipt.outcome == outcome, "\(what)", sourceLocation: sourceLocation)
            }
            #expect(jobs == 1, "\(what)", sourceLocation: sourceLocation)
        }
    }

    @Test("while an event is delivered, whether the window moves or not")
    func events() async throws {
        let counted = try Counted()
        try await counted.expectOneJob("product/p1", .applied)
        try await counted.expectOneJob("product/p1", .unchanged)
        try await counted.expectOneJob("product/p2", .applied)
        try await counted.expectOneJob(.intent(Intent(name: "productSelected", parameters: ["id": "p3"])))
        try await counted.expectOneJob(.gesture(.back))
        try await counted.expectOneJob(.gesture(.selectTab("orders")))
        try await counted.expectOneJob(.gesture(.dismiss), .ignored(reason: "nothingPresented"))
    }

    @Test("while a flow begins, moves, commits to the session and resumes what waited for it")
    func flows() async throws {
        let counted = try Counted()
        try await counted.expectOneJob("cart", .gated(precondition: "signedIn"))
        try await counted.expectOneJob(.intent(Intent(name: "signUpRequested", parameters: [:])))
        try await counted.expectOneJob(.intent(Intent(name: "signUpCancelled", parameters: [:])))
        try await counted.expectOneJob(.finishFlow("auth", .completed(FlowCompletion(user: "anna"))))
        #expect(try counted.shop.shown() == "home › cart")
        try await counted.expectOneJob("checkout", .gated(precondition: "paymentMethod"))
        try await counted.expectOneJob(.gesture(.swipeDown()))
    }

    @Test("while a commit sweeps it, and while its life changes")
    func life() async throws {
        let counted = try Counted()
        try await counted.shop.host.session.signIn(user: "anna")
        try await counted.expectOneJob("cart", .applied)
        // One for the session, one for the sweep.
        #expect(try await counted.jobs { await $0.host.session.signOut() } == 2)
        #expect(try counted.shop.shown() == "home")
        #expect(try await counted.jobs { try await $0.host.setActivation(.foregroundInactive, of: "A") } == 1)
        #expect(try await counted.jobs { try await $0.host.disconnect(scene: "A") } == 1)
        try await counted.expectOneJob("product/p1", .applied)
        #expect(try await counted.jobs { try await $0.host.disconnect(scene: "A") } == 1)
        #expect(try await counted.jobs { try await $0.host.reconnect(scene: "A") } == 1)
    }
}
