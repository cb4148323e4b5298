internal import CInterleaving

/// Checks that every concurrency primitive of Swift runs in the simulation, with the runtime of this process.
///
/// The simulation relies on details of the runtime that may change with the toolchain. A primitive that escaped would silently make every
/// result worthless, so each is tried once per process, before the first exploration.
enum Probe {
    /// - Throws: ``ExplorationError/escapes(primitives:)``
    static func require() async throws {
        if let escapes = try await result.value { throw escapes }
    }

    private static let result = Task<ExplorationError?, any Error> {
        var escaped: [String] = []
        for program in MicroProgram.all where try await !program.runs() { escaped.append(program.name) }
        if !interleaving_clock_is_virtual() { escaped.append("clock_gettime") }
        return escaped.isEmpty ? nil : .escapes(primitives: escaped)
    }
}

/// A small program that uses one primitive.
struct MicroProgram: Sendable {
    let name: String
    let body: @Sendable () async throws -> Void
    /// How the run must end.
    var verdict = "passed"

    /// Whether it ran in the simulation from beginning to end, and ended as expected.
    func runs() async throws -> Bool {
        let (body, verdict) = (body, verdict)
        return try await withUncheckedRunner(SimulationSettings(), body: { _ in try await body() }) { runner in
            if verdict != "passed" { runner.expectsRest() }
            return runner.run(seed: 0, schedule: .firstInFirstOut).verdict.kind == verdict
        }
    }
}
