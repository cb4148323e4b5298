import SceneHistory
import SceneRouting
import Testing

/// The runtime keeps its promises under random events, and the checker sees that it does.
@Suite struct RealHistoryTests {
    @Test(arguments: 1...12)
    func `a host under random events keeps every promise`(seed: UInt64) async throws {
        let report = checked(try await RandomHost(seed: seed).run())
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test(arguments: [Policies.WhileGated.queue, .reject, .supersede])
    func `it does so under every policy`(policy: Policies.WhileGated) async throws {
        let report = checked(try await RandomHost(seed: 77, whileGated: policy).run())
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test(arguments: [Policies.WhileGated.queue, .reject, .supersede])
    func `it does so with a fallback for what is rejected`(policy: Policies.WhileGated) async throws {
        let home = Destination(id: "home")
        let report = checked(try await RandomHost(seed: 78, whileGated: policy, fallback: home).run())
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test func `a quiet host that was not stopped has nothing left to decide`() async throws {
        let report = checked(try await RandomHost(seed: 5).run(stopping: false))
        #expect(report.conclusion == .holds, "\(report.text)")
    }
}
