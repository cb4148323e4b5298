import Figures
import Foundation
import Glibc
import LoadGenerator
import SceneHistory
import SceneJournal
import TestFixtures

/// What it costs to log every record whole to the journal: events a second of a live daemon with and without, against a
/// real systemd-journald, and how fast the records are written and read back.
///
///     make bench ARGS=bench-journal
@main
struct JournalBenchmark {
    static func main() throws {
        if let obstacle = PrivateJournal.obstacle {
            print("journal: skipped, \(obstacle)")
            return
        }
        for pipeline in [Int32(1), 16] { try throughput(pipeline) }
        try burst()
    }

    private static let rounds = 5
    private static let eventsPerRound = 20_000
    private static let connections: Int32 = 50
    /// So few that the daemon can queue all their records.
    private static let burstEvents = 5_000

    private static let ways: [(name: String, arguments: [String])] = [
        ("warnings only", ["--log-level", "warning"]),
        ("records in brief", []),
        ("every record whole", ["--log-level", "warning", "--set", "logRecords=whole"]),
    ]

    /// Events per second with each of the three ways to log, measured in turns.
    private static func throughput(_ pipeline: Int32) throws {
        var rates: [[Double]] = ways.map { _ in [] }
        var dropped: [Double] = []
        for _ in 0..<rounds {
            for (index, way) in ways.enumerated() {
                // A new journal for each: what one round has left to write must not slow down the next.
                let journal = try PrivateJournal(room: "1G")
                let daemon = try JournalledDaemon(journal, way.arguments)
                rates[index].append(Double(eventsPerRound) / (try daemon.load(eventsPerRound, connections, pipeline)))
                try daemon.stop()
                guard index == ways.count - 1, let host = try history(journal).history.hosts.first else { continue }
                guard host.missing.keys.allSatisfy({ $0 == .daemon }) else {
                    throw JournalledDaemon.Failure(what: "missing without an explanation: \(host.missing)")
                }
                dropped.append(100 * Double(host.missing[.daemon] ?? 0) / Double(max(1, host.lastIndex)))
            }
        }
        for (index, way) in ways.enumerated().dropFirst() {
            try FigureLog.add(
                Figure(
                    "journal",
                    "events/s, \(way.name), \(connections) connections × \(pipeline)",
                    to: ways[0].name,
                    zip(rates[index], rates[0]).map { $0 / $1 },
                    detail: "\(Int(rates[index].median)) and \(Int(rates[0].median)) events/s"
                )
            )
        }
        try FigureLog.add(
            Figure(
                "journal",
                "records dropped and told, \(connections) connections × \(pipeline) for \(eventsPerRound) events",
                in: "%",
                dropped
            )
        )
    }

    /// The time from the first event until journald has stored the last record, and the time to read them back.
    private static func burst() throws {
        var written: [Double] = []
        var read: [Double] = []
        var sizes: [Double] = []
        for _ in 0..<rounds {
            let journal = try PrivateJournal(room: "1G")
            let daemon = try JournalledDaemon(journal, ways[2].arguments)
            let start = ContinuousClock.now
            _ = try daemon.load(burstEvents, connections, 1)
            try daemon.stop()
            let writing = (ContinuousClock.now - start) / .seconds(1)
            let begin = ContinuousClock.now
            let (history, report) = try history(journal)
            guard report.conclusion == .holds else { throw JournalledDaemon.Failure(what: report.text) }
            read.append(Double(history.records) / ((ContinuousClock.now - begin) / .seconds(1)))
            written.append(Double(history.records) / writing)
            sizes.append(Double(try size(of: journal.files)) / Double(history.records))
        }
        try FigureLog.add(
            Figure("journal", "records/s from the event to the journal's files", in: "records/s", written)
        )
        try FigureLog.add(Figure("journal", "records/s read back and judged", in: "records/s", read))
        try FigureLog.add(Figure("journal", "a record in the journal's files", in: "bytes", sizes))
    }

    private static func history(_ journal: PrivateJournal) throws -> (history: JournalHistory, report: HistoryReport) {
        var checker = HistoryChecker()
        let query = JournalQuery(unit: JournalQuery.anyUnit, place: .directory(journal.files))
        let history = try RecordJournal(query).read { checker.check($0.line) }
        return (history, checker.finish())
    }

    /// The size of the files on disk.
    private static func size(of path: String) throws -> Int {
        guard let files = FileManager.default.enumerator(atPath: path) else { return 0 }
        var size = 0
        for case let file as String in files where file.hasSuffix(".journal") {
            var status = stat()
            if stat("\(path)/\(file)", &status) == 0 { size += Int(status.st_blocks) * 512 }
        }
        return size
    }
}
