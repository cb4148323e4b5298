internal import CInterleaving

/// Checks that every concurrency primitive of Swift runs in the simulation, with the runtime of this process.
///
/// The simulation relies on details of the runtime that may change with the toolchain. A primitive that escaped would silently make every
/// result worthless, so each is tried once per process, before the first exploration.
enum Probe {
    /// - Throws: ``ExplorationError/escapes(primitives:)``
    static func require(_ granularity: SimulationSettings.Granularity) async throws {
        if let escapes = try await whole.value { throw escapes }
        if granularity != .jobs, let escapes = try await stopped.value { throw escapes }
    }

    private static let whole = Task { try await escapes(.jobs) }
    private static let stopped = Task { try await escapes(.stops) }

    private static func escapes(_ granularity: SimulationSettings.Granularity) async throws -> ExplorationError? {
        var escaped: [String] = []
        for program in MicroProgram.all where try await !program.runs(granularity) { escaped.append(program.name) }
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
    func runs(_ granularity: SimulationSettings.Granularity = .jobs) async throws -> Bool {
        let (body, verdict) = (body, verdict)
        var settings = SimulationSettings()
        settings.granularity = granularity
        return try await withUncheckedRunner(settings, body: { _ in try await body() }) { runner in
            if verdict != "passed" { runner.expectsRest() }
            return runner.run(seed: 0, schedule: .firstInFirstOut).verdict.kind == verdict
        }
    }
}
