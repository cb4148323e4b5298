import Foundation
import Interleaving
import SceneEntryPoints
import SceneManifest
import SceneRouting
import Testing

@testable import SceneRaces
@testable import SceneRuntime

/// Compares what was observed in a run with its history: a difference is a race of the kind `history`.
@Suite("The history and the observed order", .serialized)
struct ObservedOrderTests {
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

    @Test("differ if the history is falsified")
    func disagree() async throws {
        let host = try SceneHost(id: "told", manifest: try AppManifest.builtInShop())
        let order = ObservedOrder(host)
        try host.connect(scene: "A")
        let began = host.records.watchedIndex
        let admission = try host.admit(Submission(.url("qcommerce://category/toys"), scene: "A", eventID: "link"))
        let during = StepMark(began: began, done: host.records.watchedIndex)
        order.admitted("link", await host.receipt(of: admission), during: during)
        _ = try await host.session.signIn(user: "anna")
        await host.quiesce()
        await host.drain()
        let history = host.records.read(after: 0).records
        #expect(order.differences(from: history) == [])

        func difference(_ change: (inout [Record]) throws -> Void) rethrows -> [String] {
            var changed = history
            try change(&changed)
            return order.differences(from: changed)
        }
        func index(_ kind: RecordKind) throws -> Int { try #require(history.firstIndex { $0.body.kind == kind }) }
        #expect(try difference { $0.remove(at: try index(.eventAdmitted)) }.count == 2)
        #expect(try difference { $0.remove(at: try index(.sessionCommitted)) }.count == 2)
        #expect(try difference { $0.swapAt(try index(.navigationStep), try index(.dispatchPlanned)) } != [])
        let stale = try difference { records in
            let step = try index(.navigationStep)
            var subject = records[step].subject
            subject.revision = 7
            let content = Record.Content(host: records[step].host, subject: subject, body: records[step].body)
            records[step] = Record(index: records[step].index, time: records[step].time, content)
        }
        #expect(stale.count == 1 && stale[0].hasSuffix("a step, says revision 7, but 0 was the newest"), "\(stale)")
    }
}
