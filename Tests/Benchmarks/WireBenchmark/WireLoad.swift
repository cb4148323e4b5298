import Figures
import Foundation
import LoadGenerator

/// Measures calls over the socket and a cheaper reference, in turns so that both see the same machine.
struct WireLoad {
    /// How many runs each gets.
    static let runs = 5
    /// How many connections flood, and how many windows there are.
    static let connections = 50

    let daemon: Child
    let redis: Child?

    /// One call after the other on one connection, against a bare server in C that takes and gives as many bytes: the
    /// median call of each run. Each run has a connection of its own: it may be served by the event loop on which the
    /// scene is, or by another.
    func pingPong(_ calls: WireCalls, count: Int = 10_000) throws -> Comparison {
        var ours: [Double] = []
        var reference: [Double] = []
        for _ in 0..<Self.runs {
            let descriptor = load_connect(daemon.socket)
            defer { close(descriptor) }
            var reply = 0
            for call in 0..<Int(calls.turns) { reply = try calls.reply(to: call, from: descriptor).utf8.count + 1 }
            let bare = load_echo(calls.length, reply)
            defer { close(bare) }
            reference.append(try Self.medianCall(bare, calls, count))
            ours.append(try Self.medianCall(descriptor, calls, count))
        }
        return Comparison(ours: ours, reference: reference)
    }

    /// The same calls to one daemon and to another: the median call of each run.
    static func pingPong(_ calls: WireCalls, _ daemon: Child, against other: Child, count: Int = 10_000) throws
        -> Comparison
    {
        var times: [[Double]] = [[], []]
        for _ in 0..<runs {
            for (place, daemon) in [daemon, other].enumerated() {
                let descriptor = load_connect(daemon.socket)
                defer { close(descriptor) }
                times[place].append(try medianCall(descriptor, calls, count))
            }
        }
        return Comparison(ours: times[0], reference: times[1])
    }

    private static func medianCall(_ descriptor: CInt, _ calls: WireCalls, _ count: Int) throws -> Double {
        var latencies = [Double](repeating: 0, count: count)
        guard load_ping_pong(descriptor, count, calls.bytes, calls.length, calls.turns, 0, 1, &latencies) > 0 else {
            throw Failure.call("ping-pong")
        }
        return latencies.median
    }

    /// All connections with `pipeline` calls in flight each, against Redis with as many commands of as many bytes; `nil`
    /// where there is no Redis.
    func flood(_ calls: WireCalls, pipeline: Int, count: Int = 100_000) throws -> Comparison? {
        guard let redis else { return nil }
        let command = Self.xadd(calls.length)
        let (connections, pipeline) = (CInt(Self.connections), CInt(pipeline))
        var ours: [Double] = []
        var reference: [Double] = []
        for _ in 0..<Self.runs {
            let other = load_pipelines(
                redis.socket,
                connections,
                pipeline,
                count,
                command,
                command.count,
                1,
                1,
                10,
                2,
                nil
            )
            let seconds = load_pipelines(
                daemon.socket,
                connections,
                pipeline,
                count,
                calls.bytes,
                calls.length,
                calls.turns,
                calls.count,
                0,
                1,
                nil
            )
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

/// The times of ours and of a reference, measured in turns.
struct Comparison {
    /// Seconds per call, for each run.
    let ours: [Double]
    /// The same for the reference, in the same order.
    let reference: [Double]

    /// Our rate relative to the reference's, for each run.
    var rates: [Double] { zip(ours, reference).map { $1 / $0 } }

    /// Our time relative to the reference's, for each run.
    var times: [Double] { zip(ours, reference).map { $0 / $1 } }
}
