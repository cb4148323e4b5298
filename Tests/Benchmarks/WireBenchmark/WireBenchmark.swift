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
        try pingPong(daemon.socket)
        try pipelines(daemon.socket, directory)
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
        guard load_ping_pong(descriptor, 1, call, call.count, 0, 1) >= 0 else { throw Failure.call("Connect") }
        close(descriptor)
    }

    private static func pingPong(_ socket: String) throws {
        let count = 20_000
        for (name, call) in calls {
            let echo = load_echo()
            let bare = load_ping_pong(echo, count, call, call.count, 0, 1)
            close(echo)
            let descriptor = load_connect(socket)
            let seconds = load_ping_pong(descriptor, count, call, call.count, 0, 1)
            close(descriptor)
            guard bare > 0, seconds > 0 else { throw Failure.call(name) }
            show(
                "ping-pong, \(name)",
                "\(format(seconds / Double(count) * 1e6)) µs; bare echo of \(call.count) bytes \(format(bare / Double(count) * 1e6)) µs; × \(format(seconds / bare))"
            )
        }
    }

    private static func pipelines(_ socket: String, _ directory: URL) throws {
        let redis = try? Child.redis(socket: directory.appending(path: "redis").path)
        defer { redis?.stop() }
        let count = 200_000
        for (name, call) in calls {
            let seconds = load_pipelines(socket, 50, 16, count, call, call.count, 0, 1)
            guard seconds > 0 else { throw Failure.call(name) }
            var text = "\(Int(Double(count) / seconds)) calls/s of \(call.count) bytes"
            if let redis {
                let command = xadd(call.count)
                let other = load_pipelines(redis.socket, 50, 16, count, command, command.count, 10, 2)
                guard other > 0 else { throw Failure.call("XADD") }
                text += "; Redis XADD \(Int(Double(count) / other)); × \(format(other / seconds))"
            } else {
                text += "; redis-tools is not installed"
            }
            show("50 connections × 16, \(name)", text)
        }
    }

    private static let calls: [(String, [CChar])] = [
        ("Session.Get", bytes(#"{"method":"io.scened.Session.Get"}"#)),
        ("OpenURL admitted", open("admitted")), ("OpenURL settled", open("settled")),
    ]

    private static func open(_ wait: String) -> [CChar] {
        bytes(#"{"method":"io.scened.Events.OpenURL","parameters":{"url":"\#(link)","scene":"A","wait":"\#(wait)"}}"#)
    }

    /// The call with its NUL.
    private static func bytes(_ call: String) -> [CChar] { Array(call.utf8CString) }

    /// `XADD` of as many bytes as the call has, to a stream that is kept as long as the daemon keeps records.
    private static func xadd(_ size: Int) -> [CChar] {
        let words = ["XADD", "s", "MAXLEN", "~", "100000", "*", "d", String(repeating: "x", count: size)]
        let text = "*\(words.count)\r\n" + words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }.joined()
        return Array(text.utf8CString.dropLast())
    }

    private static func show(_ name: String, _ text: String) {
        // At once, also into a pipe.
        let line = name.padding(toLength: 40, withPad: " ", startingAt: 0) + text + "\n"
        FileHandle.standardOutput.write(Data(line.utf8))
    }

    private static func format(_ number: Double) -> String { String(format: number < 1 ? "%.2f" : "%.1f", number) }
}

enum Failure: Error {
    case call(String)
    case start(String)
}
