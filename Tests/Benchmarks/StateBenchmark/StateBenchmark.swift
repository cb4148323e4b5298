import Figures
import Foundation
import SceneManifest
import SceneRouting
import StrictJSON
import TestFixtures

/// What it costs to keep the state: events a second and their times with a daemon that keeps it and with one that forgets, what is
/// written to the disk for an event, and how long a daemon takes to go on where one with a long history had ended.
///
///     make bench ARGS=bench-state
@main
struct StateBenchmark {
    static func main() throws {
        for way in ways { try compare(way) }
        try kept()
        try restart()
    }

    // MARK: - Events

    private static let rounds = 5
    private static let connections: CInt = 50
    private static let plainEvents = 40_000

    /// How events are kept, and how many make a round of some seconds.
    private struct Way {
        let durability: String
        let pipeline: CInt
        let events: Int
    }

    private static let ways = [
        Way(durability: "group", pipeline: 1, events: 10_000),
        Way(durability: "group", pipeline: 16, events: 10_000),
        Way(durability: "relaxed", pipeline: 16, events: 40_000),
        Way(durability: "strict", pipeline: 16, events: 1_600),
    ]

    /// A daemon that keeps its state and one that forgets, in turns.
    private static func compare(_ way: Way) throws {
        var kept: [Load] = []
        var plain: [Load] = []
        var written: [Double] = []
        var stops: [Double] = []
        var system = ""
        for _ in 0..<rounds {
            plain.append(try load(MeasuredDaemon([]), way.pipeline, plainEvents).load)
            let folder = try StateFolder()
            system = try folder.fileSystem
            let daemon = try MeasuredDaemon(folder.arguments + ["--set", "durability=\(way.durability)"])
            let (load, stop) = try load(daemon, way.pipeline, way.events)
            kept.append(load)
            stops.append(stop)
            written.append(Double(load.written) / Double(way.events))
        }
        let name = "state \(way.durability), \(connections) connections × \(way.pipeline)"
        try FigureLog.add(
            Figure(
                "state",
                "events/s, \(name)",
                to: "without state",
                zip(kept, plain).map { $0.rate / $1.rate },
                detail:
                    "\(Int(kept.map(\.rate).median)) and \(Int(plain.map(\.rate).median)) events/s; \(system); "
                    + "stopped within \(milliseconds(stops.median)) ms"
            )
        )
        try FigureLog.add(
            Figure(
                "state",
                "p99, \(name)",
                to: "without state",
                zip(kept, plain).map { $0.p99 / $1.p99 },
                detail: "\(milliseconds(kept.map(\.p99).median)) and \(milliseconds(plain.map(\.p99).median)) ms"
            )
        )
        try FigureLog.add(
            Figure(
                "state",
                "written to the disk for an event, \(name)",
                in: "bytes",
                written,
                detail: "write_bytes of the process: the log and what was moved from it into the database"
            )
        )
    }

    /// Sends events, each of which moves a window, to a daemon that has warmed up.
    /// - Returns: What that showed, and how long the daemon then took to stop, in seconds: it keeps the rest first.
    private static func load(_ daemon: MeasuredDaemon, _ pipeline: CInt, _ events: Int) throws -> (
        load: Load, stop: Double
    ) {
        let calls = Calls(windows: Int(connections), connections: connections)
        try daemon.connect(calls.windows)
        _ = try daemon.load(calls, pipeline, events / 10)
        let load = try daemon.load(calls, pipeline, events)
        let begin = ContinuousClock.now
        try daemon.stop()
        return (load, (ContinuousClock.now - begin) / .seconds(1))
    }

    /// What the files take for each event, with its records.
    private static func kept() throws {
        // As many as are remembered by default.
        let events = 10_000
        var sizes: [Double] = []
        var records = 0
        for _ in 0..<rounds {
            let folder = try StateFolder()
            let daemon = try MeasuredDaemon(folder.arguments + ["--set", "durability=relaxed"])
            let calls = Calls(windows: Int(connections), connections: connections)
            try daemon.connect(calls.windows)
            _ = try daemon.load(calls, 16, events)
            records = try daemon.status().records
            try daemon.stop()
            sizes.append(Double(try folder.size) / Double(events))
        }
        try FigureLog.add(
            Figure(
                "state",
                "an event in the state's files, with its records",
                in: "bytes",
                sizes,
                detail: "\(records) records of \(events) events"
            )
        )
    }

    // MARK: - Restarts

    private static let scenes = 1_000
    private static let records = 1_000_000
    private static let goal = Figure.Goal.atMost(2)

    /// From the start of a daemon until it answers that has a long history, in turns after `kill -9`, after the same with nothing of the
    /// files in memory, and after a stop in order; and of one without a state.
    private static func restart() throws {
        let app = try App()
        let folder = try StateFolder()
        let arguments =
            folder.arguments + ["--app", app.path]
            // As records are removed by thousands, some more.
            + ["--set", "retainedRecords=\(records + 10_000)", "--set", "keptRecordBytes=\(8 << 30)"]
        let calls = Calls(windows: scenes, connections: connections)
        var daemon = try MeasuredDaemon(arguments + ["--set", "durability=relaxed"])
        try daemon.connect(calls.windows)
        while try daemon.status().records < records + 10_000 { _ = try daemon.load(calls, 16, 20_000) }
        try daemon.stop()
        var (killed, cold, stopped, plain): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        /// Starts a daemon on what is there, and leaves one that has events to remember.
        func start() throws -> Double {
            daemon = try MeasuredDaemon(arguments)
            let status = try daemon.status()
            let oldest = try daemon.oldestRecord()
            guard status.scenes == scenes, status.records - oldest >= records - 1 else {
                throw MeasuredDaemon.Failure(
                    what: "\(status.scenes) scenes and records from \(oldest) to \(status.records)"
                )
            }
            _ = try daemon.load(calls, 16, 2_000)
            return daemon.start
        }
        _ = try start()
        for _ in 0..<rounds {
            daemon.kill()
            killed.append(try start())
            daemon.kill()
            try folder.forget()
            cold.append(try start())
            try daemon.stop()
            stopped.append(try start())
            let other = try MeasuredDaemon([])
            plain.append(other.start)
            try other.stop()
        }
        try daemon.stop()
        let size = Double(try folder.size) / 1e6
        let detail =
            "\(Int(size)) MB of files, \(try folder.fileSystem); without state \(milliseconds(plain.median)) ms"
        let history = "\(scenes) scenes and \(records) records"
        for (name, times) in [
            ("after kill -9", killed), ("after kill -9, the files not in memory", cold),
            ("after a stop in order", stopped),
        ] {
            try FigureLog.add(
                Figure(
                    "state",
                    "start to the first answer, \(history), \(name)",
                    in: "s",
                    times,
                    goal: goal,
                    detail: detail
                )
            )
        }
    }

    private static func milliseconds(_ seconds: Double) -> Double { (seconds * 1e5).rounded() / 100 }
}

/// The shop, which may have more windows here.
private struct App {
    private let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = "\(directory.path)/app.json"
        var manifest = try AppManifest.builtInShop()
        manifest.policies.maximumScenes = 1_000
        try JSONValue.object(manifest.json).text().write(toFile: path, atomically: true, encoding: .utf8)
    }
}
