import Figures
import Foundation
import LoadGenerator

/// Measures the cost of a call over the socket, relative to a bare echo and to Redis, and of a daemon with coordinators of its own
/// relative to one that follows the manifest of the same app.
@main
struct WireBenchmark {
    static func main() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try start(directory)
        let daemon = try Child.daemon(socket: directory.appending(path: "socket").path)
        defer { daemon.stop() }
        try idle(daemon)
        try connect(daemon.socket)
        let own = try Child.daemon(Self.own, socket: directory.appending(path: "own").path)
        defer { own.stop() }
        try connect(own.socket)
        try compare(own, with: daemon)
        let redis = try? Child.redis(socket: directory.appending(path: "redis").path)
        defer { redis?.stop() }
        try compare(WireLoad(daemon: daemon, redis: redis))
    }

    /// The shop with its coordinators in Swift.
    private static let own = "shop-daemon"

    /// From the start of the process to `READY=1`.
    private static func start(_ directory: URL) throws {
        var times: [Double] = []
        var own: [Double] = []
        for run in 0..<11 {
            times.append(try milliseconds(toReady: "scened", in: directory, run))
            own.append(try milliseconds(toReady: Self.own, in: directory, run))
        }
        try FigureLog.add(Figure("wire", "start to READY", in: "ms", times))
        try FigureLog.add(
            Figure(
                "own daemon",
                "start to READY",
                to: "scened",
                zip(own, times).map { $0 / $1 },
                goal: .atMost(1.5),
                detail: "\(tenths(own.median)) ms, scened \(tenths(times.median)) ms"
            )
        )
    }

    private static func milliseconds(toReady program: String, in directory: URL, _ run: Int) throws -> Double {
        let listener = try NotifySocket(path: directory.appending(path: "\(program)\(run)-notify").path)
        let begin = ContinuousClock.now
        let child = try Child.daemon(
            program,
            socket: directory.appending(path: "\(program)\(run)").path,
            notify: listener.path,
            waiting: false
        )
        defer { child.stop() }
        try listener.awaitReady()
        return (ContinuousClock.now - begin) / .milliseconds(1)
    }

    /// An event that a coordinator decides about.
    private static func compare(_ own: Child, with daemon: Child) throws {
        let calls = WireCalls.reporting
        let times = try WireLoad.pingPong(calls, own, against: daemon)
        try FigureLog.add(
            Figure(
                "own daemon",
                "one connection, \(calls.name), p50",
                to: "scened, which follows the manifest",
                times.times,
                goal: .atMost(1.2),
                detail: "\(micro(times.ours)) µs, scened \(micro(times.reference)) µs"
            )
        )
    }

    /// While nothing happens, nothing should run.
    private static func idle(_ daemon: Child) throws {
        // Waits until the spare threads of Swift and Dispatch are gone, and the last status is sent.
        Thread.sleep(forTimeInterval: 10)
        let before = try daemon.switches()
        Thread.sleep(forTimeInterval: 10)
        let after = try daemon.switches()
        let woken = after.compactMap { thread, count -> String? in
            let times = count - (before[thread] ?? 0)
            return times > 0 ? "\(times) of \(thread)" : nil
        }
        let total = after.reduce(0) { $0 + max(0, $1.value - (before[$1.key] ?? 0)) }
        try FigureLog.add(
            Figure(
                "wire",
                "wake-ups in 10 s of nothing",
                in: "wake-ups",
                [Double(total)],
                goal: .atMost(0),
                detail: woken.sorted().joined(separator: ", ")
            )
        )
    }

    /// Opens a window for each connection.
    private static func connect(_ socket: String) throws {
        let descriptor = load_connect(socket)
        defer { close(descriptor) }
        for window in 0..<WireLoad.connections {
            let call = #"{"method":"io.scened.Scenes.Connect","parameters":{"scene":"\#(WireCalls.name(window))"}}"#
            guard load_call(descriptor, call, call.utf8.count + 1, 0, 1) > 0 else { throw Failure.call("Connect") }
        }
        // An event that does not move a window would cost less.
        for calls in [WireCalls.opening, .reporting] {
            for call in 0..<4 {
                let reply = try calls.reply(to: call, from: descriptor)
                guard reply.contains(#""outcome":"applied""#) else {
                    throw Failure.call("\(calls.name): it did not: \(reply)")
                }
            }
        }
    }

    private static func compare(_ load: WireLoad) throws {
        for calls in all {
            let times = try load.pingPong(calls)
            try FigureLog.add(
                Figure(
                    "wire",
                    "one connection, \(calls.name), p50",
                    to: "bare sockets in C, as many bytes",
                    times.times,
                    goal: calls.movesWindows ? .atMost(1.6) : nil,
                    detail:
                        "\(micro(times.ours)) µs, bare sockets \(micro(times.reference)) µs"
                )
            )
        }
        for (pipeline, wanted) in [(1, 0.8), (16, 0.4)] {
            for calls in all {
                guard let rates = try load.flood(calls, pipeline: pipeline) else {
                    return print("wire: against Redis: redis-server is not installed")
                }
                try FigureLog.add(
                    Figure(
                        "wire",
                        "calls/s, \(WireLoad.connections) connections × \(pipeline), \(calls.name)",
                        to: "Redis XADD, as many bytes",
                        rates.rates,
                        goal: calls.movesWindows ? .atLeast(wanted) : nil,
                        detail:
                            "\(Int(1 / rates.ours.median)) of \(Int(1 / rates.reference.median)) calls/s"
                    )
                )
            }
        }
    }

    private static func micro(_ seconds: [Double]) -> Double { tenths(seconds.median * 1e6) }

    private static func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }

    /// The goals are in seconds.
    private static let all = [WireCalls.reading, WireCalls.opening]
}

enum Failure: Error {
    case call(String)
    case start(String)
}
