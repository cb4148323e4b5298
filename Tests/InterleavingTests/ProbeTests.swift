@testable import Interleaving
import Testing

@Suite("The probe")
struct ProbeTests {
    @Test("every primitive runs in the simulation", arguments: MicroProgram.all.map(\.name))
    func primitives(name: String) async throws {
        let program = try #require(MicroProgram.all.first { $0.name == name })
        let (body, wanted) = (program.body, program.verdict)
        let verdict = try await withUncheckedRunner(SimulationSettings(), body: { _ in try await body() }) { runner in
            runner.run(seed: 0, schedule: .firstInFirstOut).verdict
        }
        #expect(verdict.kind == wanted, "\(verdict)")
    }
}
