import Foundation
import SceneHistory
import StrictJSON
import TestFixtures
import Testing

@testable import SceneSoak

@Suite("EvidenceFiles")
struct EvidenceFilesTests {
    private static func records(_ numbers: ClosedRange<Int>) throws -> [JSONPart] {
        try numbers.map { number in
            let text = #"{"host":"h","index":\#(number),"kind":"window.shown","scene":"A"}"#
            return try JSONDocument(parsing: Array(text.utf8)).root
        }
    }

    private static func report(_ seen: [Int]) -> HostReport {
        let violations = seen.map { Violation([$0 - 1, $0], "seen with record \($0)") }
        return HostReport(
            host: "h",
            records: 9000,
            verdicts: [InvariantReport(invariant: .stacks, verdict: .violated(violations, count: violations.count))]
        )
    }

    private static func text(_ file: String, in directory: TemporaryDirectory) throws -> String {
        try String(contentsOfFile: "\(directory.path)/\(file)", encoding: .utf8)
    }

    @Test("each violation is in a page; a new one is written only for those that the earlier ones do not show")
    func violations() async throws {
        let directory = try TemporaryDirectory()
        let files = EvidenceFiles(directory: directory.path, calls: RecentCalls(limit: 1)) { Issue.record("\($0)") }
        let early = try Self.records(1...100)
        let first = await files.write(Self.report([30, 50]), newest: early, known: [])
        #expect(first.map(\.places) == [[30: 29, 50: 49]])
        let again = await files.write(Self.report([30, 50]), newest: early, known: first)
        #expect(again == first)
        let late = try Self.records(201...300)
        let second = await files.write(Self.report([30, 50, 250]), newest: late, known: first)
        #expect(second.map(\.places) == [[30: 29, 50: 49], [250: 49]])
        #expect(Set(second.compactMap(\.page)).count == 2)
        // What is in no record that is still known gets no page, however often it is asked for.
        let gone = await files.write(Self.report([30, 50, 150, 250]), newest: late, known: second)
        #expect(gone == second)
        let page = try Self.text(try #require(second.last?.page), in: directory)
        #expect(page.contains("seen with record 250") && !page.contains("seen with record 30"))
        #expect(page.contains(#" data-marks="250""#) && page.contains(#""index":201,"#))
    }

    @Test("the page about a fault has the records before it, of its time and after it, and what happened")
    func fault() async throws {
        let directory = try TemporaryDirectory()
        let files = EvidenceFiles(directory: directory.path, calls: RecentCalls(limit: 1)) { Issue.record("\($0)") }
        var stretch = FaultStretch(host: "h<1>", newest: try Self.records(1...1500))
        for record in try Self.records(1501...1600) { stretch.take(record) }
        #expect(!stretch.isWhole, "the fault goes on")
        stretch.end(SoakFault(kind: .stall, start: .seconds(300), end: .seconds(330), note: "nothing <read>"))
        for record in try Self.records(1601...2099) { stretch.take(record) }
        #expect(!stretch.isWhole)
        for record in try Self.records(2100...2100) { stretch.take(record) }
        #expect(stretch.isWhole)
        let page = await files.write(stretch)
        #expect(page == SoakFault.Page(file: "fault-stall.html", place: 1000))
        let text = try Self.text("fault-stall.html", in: directory)
        #expect(text.contains(#" data-opens-at="1000""#), "it opens where the fault began")
        #expect(text.contains("<title>Fault stall, 5:00 to 5:30</title>") && text.contains("nothing &lt;read&gt;."))
        #expect(!text.contains(#""index":500,"#) && text.contains(#""index":501,"#) && text.contains(#""index":2100,"#))
    }

    @Test("a stretch has room for so many records, and ends with its host", arguments: [true, false])
    func bounds(isKilled: Bool) throws {
        var stretch = FaultStretch(host: "h", newest: try Self.records(1...10))
        if isKilled { stretch.hostEnded() }
        for record in try Self.records(11...5000) { stretch.take(record) }
        #expect(stretch.records.count == (isKilled ? 10 : FaultStretch.most))
        #expect(!stretch.isWhole)
        stretch.end(SoakFault(kind: .kill, start: .zero, end: .seconds(1), note: ""))
        #expect(stretch.isWhole)
    }
}
