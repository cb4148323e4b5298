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

    @Test("a system on which nothing can be explored is named at once, and this is none")
    func elsewhere() throws {
        try SupportedSystem.require(.system)
        #expect(throws: ExplorationError.unsupportedSystem("macOS")) {
            try SupportedSystem.require(.system, problem: "macOS")
        }
        let text = ExplorationError.unsupportedSystem("macOS").description
        #expect(text.hasPrefix("explorations run on Linux with Swift 6.3: this is macOS. "), "\(text)")
        // Executors that are given need nothing of the system.
        try SupportedSystem.require(.injected, problem: "macOS")
    }

    @Test("where primitives escape, the toolchain is named, because a newer one is only tried out")
    func escapes() {
        let text = ExplorationError.escapes(primitives: ["Task.sleep", "async let"]).description
        #expect(text.hasPrefix("exploring is impossible in this process: Task.sleep, async let would run outside"))
        #expect(text.contains("(Swift 6.3; this is \(Build.current.toolchain))"), "\(text)")
    }
}
