import Foundation
import Basics
import SceneManifest
import SceneRouting
import SceneRuntime
import StrictJSON
import Systemd
import TestFixtures
import Testing

@testable import SceneDaemon

@Suite("Records written whole", .timeLimit(.minutes(15)))
struct RecordJournalingTests {
    /// A journal that can be made to block.
    private final class Sink: Sendable {
        private let entries = Guarded<[JournalEntry]>([])
        private let changed = NSCondition()
        private let isOpen = Guarded(true)
        private let entered = Guarded(false)

        /// Whether the writer has brought an entry.
        var isEntered: Bool { entered.withLock { $0 } }

        @Sendable
        func take(_ entry: JournalEntry) -> Int32 {
            entered.withLock { $0 = true }
            changed.lock()
            while !isOpen.withLock({ $0 }) { changed.wait() }
            changed.unlock()
            entries.withLock { $0.append(entry) }
            return 0
        }

        func stop() { isOpen.withLock { $0 = false } }
        func goOn() {
            changed.lock()
            isOpen.withLock { $0 = true }
            changed.broadcast()
            changed.unlock()
        }

        /// The fields of each entry; no field appears twice.
        var all: [[String: String]] {
            entries.withLock { $0 }.map { entry in
                Dictionary(
                    uniqueKeysWithValues: entry.fields.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) }
                )
            }
        }
    }

    @Test("every record of a host is written whole, in order, with the fields by which journalctl finds it")
    func whole() async throws {
        let sink = Sink()
        let records = try RecordJournaling(send: sink.take)
        let host = try SceneHost(id: "test", manifest: try AppManifest.builtInShop())
        _ = host.records.listen(replaying: true, records.write)
        try host.connect(scene: "A")
        for number in 0..<50 { try await host.session.commit(set: ["order": .string("\(number)")]) }
        await host.drain()
        records.finish(within: .seconds(30))

        let expected = host.records.read(after: 0).records
        let entries = sink.all
        #expect(entries.count == expected.count)
        for (entry, record) in zip(entries, expected) {
            let text = try #require(entry["SCENED_RECORD_JSON"])
            #expect(try JSONValue(parsing: text) == .object(record.json))
            #expect(entry["SCENED_INDEX"] == "\(record.index)" && entry["SCENED_HOST"] == "test")
            #expect(entry["SCENED_RECORD"] == record.kind.rawValue && entry["SCENED_SCENE"] == record.subject.scene)
            #expect(entry["SYSLOG_IDENTIFIER"] == "scened" && entry["MESSAGE"] == record.summary)
        }
        #expect(Set(entries.map { $0["SCENED_HOST_STARTED"] }).count == 1)
        #expect(entries.first?["SCENED_HOST_STARTED"].flatMap { UInt64($0) } ?? 0 > 1_600_000_000_000_000)
    }

    @Test("records for which the queue is full are counted, and a gap stands in their place")
    func gap() async throws {
        let sink = Sink()
        sink.stop()
        let records = try RecordJournaling(limit: 10, send: sink.take)
        let host = try SceneHost(id: "test", manifest: try AppManifest.builtInShop())
        _ = host.records.listen(replaying: true, records.write)
        // From here on no record leaves the queue.
        try await until("the writer stands at the first record") { sink.isEntered }
        for number in 0..<20 { try host.connect(scene: "s\(number)") }
        sink.goOn()
        records.finish(within: .seconds(30))

        let entries = sink.all
        let indices = entries.compactMap {
            $0["SCENED_RECORD_JSON"] == nil ? nil : $0["SCENED_INDEX"].flatMap { Int($0) }
        }
        let last = try #require(indices.last)
        #expect(indices == Array(1...last))
        let gap = try #require(entries.last)
        #expect(gap["MESSAGE_ID"] == JournalMessageID.gap.text && gap["SCENED_HOST"] == "test")
        #expect(gap["SCENED_GAP_AFTER"] == "\(last)")
        #expect(gap["SCENED_GAP"] == "\(host.records.newestIndex - last)")
    }

    @Test("records that are left when the daemon ends are a gap too")
    func leftBehind() throws {
        let sink = Sink()
        sink.stop()
        let records = try RecordJournaling(send: sink.take)
        let host = try SceneHost(id: "test", manifest: try AppManifest.builtInShop())
        _ = host.records.listen(replaying: true, records.write)
        try host.connect(scene: "A")
        records.finish(within: .zero, grace: .zero)
        sink.goOn()
        records.finish(within: .seconds(30))

        let entries = sink.all
        let written = entries.filter { $0["SCENED_RECORD_JSON"] != nil }.count
        #expect(written <= 1 && entries.count == written + 1)
        #expect(entries.last?["SCENED_GAP"] == "\(host.records.newestIndex - written)")
        #expect(entries.last?["SCENED_GAP_AFTER"] == "\(written)")
    }
}
