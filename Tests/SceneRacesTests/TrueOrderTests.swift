import Foundation
import Interleaving
import SceneRaces
import Testing

/// What the explorer knows of a run, and what the checker makes of its history: a difference is a race of the kind `history`.
@Suite("The checker and the true order", .serialized)
struct TrueOrderTests {
    /// How many orders of each scenario; `TEST_RACE_ORDERS=100000` for the evidence.
    private static let orders = ProcessInfo.processInfo.environment["TEST_RACE_ORDERS"].flatMap { Int($0) } ?? 3

    @Test("agree in every scenario that ships", arguments: ShippedScenarios.names)
    func agree(name: String) async throws {
        let race = try Race(try #require(try ShippedScenarios.scenario(name)))
        let report = try await race.search(Race.Options(iterations: Self.orders, seed: 11, strategy: .pos))
        #expect(report.found == nil, "\(report.found?.kind ?? ""): \(report.found?.findings ?? [])")
        guard Self.orders > 3 else { return }
        let exploration = report.exploration
        let end = exploration.isComplete ? "complete" : "not complete"
        print(
            "\(name): \(exploration.runs) schedules, \(report.coverage.classes) classes, \(end), "
                + "\(report.found == nil ? 0 : 1) differences, \(exploration.duration)"
        )
    }

    #if DEBUG
        @Test("do not agree where the history is made wrong")
        func disagree() async throws {
            let race = try Race(try #require(try ShippedScenarios.scenario("close-one-window")))
            var options = Race.Options(iterations: 1_000, seed: 5)
            options.fault = "oldRevisionRecorded"
            let report = try await race.search(options)
            #expect(report.found != nil)
        }
    #endif
}
