import Foundation
import LoadGenerator

/// What a call costs over the socket, against what costs less: a bare echo, and Redis.
@main
struct WireBenchmark {
    private static let link = "https://shop.example/product/p1004"

    static func main() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try start(directory)
        let daemon = try Child.scened(socket: directory.appending(path: "socket").path)
        defer { daemon.stop() }
        try idle(daemon)
        try connect(daemon.socket)
        let redis = try? Child.redis(socket: directory.appending(path: "redis").path)
        defer { redis?.stop() }
        try compare(WireLoad(daemon: daemon, redis: redis))
    }

    /// From the start of the process to `READY=1`.
    private static func start(_ directory: URL) throws {
        var times: [Double] = []
        for run in 0..<11 {
            let socket = directory.appending(path: "start\(run)").path
            let listener = try NotifySocket(path: directory.appending(path: "notify\(run)").path)
            let begin = ContinuousClock.now
            let child = try Child.scened(socket: socket, notify: listener.path, waiting: false)
            try listener.awaitReady()
            times.append((ContinuousClock.now - begin) / .milliseconds(1))
            child.stop()
        }
        times.sort()
        show(
            "start to READY",
            "\(format(times[5])) ms median of 11, \(format(times[0])) best, \(format(times[10])) worst"
        )
    }

    /// Nothing happens, so nothing should run.
    private static func idle(_ daemon: Child) throws {
        // Until Swift's and Dispatch's spare threads are gone, and the last status is said.
        Thread.sleep(forTimeInterval: 10)
        let before = try daemon.switches()
        Thread.sleep(forTimeInterval: 10)
        let after = try daemon.switches()
        let woken = after.compactMap { thread, count -> String? in
            let times = count - (before[thread] ?? 0)
            return times > 0 ? "\(times) of \(thread)" : nil
        }
        // libdispatch looks after its own pool of threads once a second, on the thread that waits for its events.
        show("wake-ups while idle, 10 s", woken.isEmpty ? "none" : woken.sorted().joined(separator: ", "))
    }

    private static func connect(_ socket: String) throws {
        let descriptor = load_connect(socket)
        let call = bytes(#"{"method":"io.scened.Scenes.Connect","parameters":{"scene":"A"}}"#)
        guard load_call(descriptor, call, call.count, 0, 1) > 0 else { throw Failure.call("Connect") }
        close(descriptor)
    }

    private static func compare(_ load: WireLoad) throws {
        for (name, call) in calls {
            let times = try load.pingPong(call)
            let (median, least, greatest) = times.time
            show(
                "one connection, \(name)",
                "p50 \(format(Comparison.median(times.ours) * 1e6)) µs; bare sockets \(format(Comparison.median(times.reference) * 1e6)) µs; "
                    + "× \(format(median)) (\(format(least)) to \(format(greatest)))"
                    + (name == goal ? "; goal at most 1.60" : "")
            )
        }
        for (pipeline, wanted) in [(1, "0.80"), (16, "0.40")] {
            for (name, call) in calls {
                guard let rates = try load.flood(call, pipeline: pipeline) else {
                    return show("against Redis", "redis-tools is not installed")
                }
                let (median, least, greatest) = rates.rate
                show(
                    "50 connections × \(pipeline), \(name)",
                    "\(Int(1 / Comparison.median(rates.ours))) calls/s of \(call.count) bytes; "
                        + "Redis XADD \(Int(1 / Comparison.median(rates.reference))); "
                        + "× \(format(median)) (\(format(least)) to \(format(greatest)))"
                        + (name == goal ? "; goal at least \(wanted)" : "")
                )
            }
        }
    }

    /// The call that the goals speak of.
    private static let goal = "OpenURL settled"

    /// Not `admitted` with more in flight than a mailbox holds: those that it refuses cost less.
    private static let calls: [(String, [CChar])] = [
        ("Session.Get", bytes(#"{"method":"io.scened.Session.Get"}"#)),
        (goal, open("settled")),
    ]

    private static func open(_ wait: String) -> [CChar] {
        bytes(#"{"method":"io.scened.Events.OpenURL","parameters":{"url":"\#(link)","scene":"A","wait":"\#(wait)"}}"#)
    }

    /// The call with its NUL.
    private static func bytes(_ call: String) -> [CChar] { Array(call.utf8CString) }

    private static func show(_ name: String, _ text: String) {
        // At once, also into a pipe.
        let line = name.padding(toLength: 40, withPad: " ", startingAt: 0) + text + "\n"
        FileHandle.standardOutput.write(Data(line.utf8))
    }

    private static func format(_ number: Double) -> String { String(format: number < 10 ? "%.2f" : "%.1f", number) }
}

enum Failure: Error {
    case call(String)
    case start(String)
}
