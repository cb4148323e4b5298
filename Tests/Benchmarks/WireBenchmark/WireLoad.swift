import Figures
import Foundation
import LoadGenerator

/// Measures calls over the socket against what costs less, the two in turns so that both see the same machine.
struct WireLoad {
    /// How often each is measured.
    static let runs = 5

    let daemon: Child
    let redis: Child?

    /// One call after the other on one connection, against a bare server in C that takes and gives as many bytes: the
    /// median call of each run. Each run has a connection of its own: it may be served by the event loop on which the
    /// scene is, or by another.
    func pingPong(_ call: [CChar], count: Int = 10_000) throws -> Comparison {
        var ours: [Double] = []
        var reference: [Double] = []
        for _ in 0..<Self.runs {
            let descriptor = load_connect(daemon.socket)
            defer { close(descriptor) }
            let reply = load_call(descriptor, call, call.count, 0, 1)
            guard reply > 0 else { throw Failure.call("the first of a connection") }
            let bare = load_echo(call.count, reply)
            defer { close(bare) }
            reference.append(try medianCall(bare, call, count))
            ours.append(try medianCall(descriptor, call, count))
        }
        return Comparison(ours: ours, reference: reference)
    }

    private func medianCall(_ descriptor: CInt, _ call: [CChar], _ count: Int) throws -> Double {
        var latencies = [Double](repeating: 0, count: count)
        guard load_ping_pong(descriptor, count, call, call.count, 0, 1, &latencies) > 0 else {
            throw Failure.call("ping-pong")
        }
        return latencies.median
    }

    /// 50 connections with `pipeline` calls in flight each, against Redis with as many commands of as many bytes; `nil`
    /// where there is no Redis.
    func flood(_ call: [CChar], pipeline: Int, count: Int = 100_000) throws -> Comparison? {
        guard let redis else { return nil }
        let command = Self.xadd(call.count)
        var ours: [Double] = []
        var reference: [Double] = []
        for _ in 0..<Self.runs {
            let other = load_pipelines(redis.socket, 50, CInt(pipeline), count, command, command.count, 10, 2)
            let seconds = load_pipelines(daemon.socket, 50, CInt(pipeline), count, call, call.count, 0, 1)
            guard other > 0, seconds > 0 else { throw Failure.call("flood") }
            reference.append(other / Double(count))
            ours.append(seconds / Double(count))
        }
        return Comparison(ours: ours, reference: reference)
    }

    /// `XADD` of as many bytes as the call has, to a stream that is kept as long as the daemon keeps records.
    private static func xadd(_ size: Int) -> [CChar] {
        let words = ["XADD", "s", "MAXLEN", "~", "100000", "*", "d", String(repeating: "x", count: size)]
        let text = "*\(words.count)\r\n" + words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }.joined()
        return Array(text.utf8CString.dropLast())
    }
}
