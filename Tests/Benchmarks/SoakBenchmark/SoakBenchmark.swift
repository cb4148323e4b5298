import Figures
import Glibc
import LoadGenerator
import StrictJSON
import TestFixtures

/// What a soak takes from what it measures: how much its generator can send, against one in C, and what it costs that all
/// records are followed and judged on the same machine.
///
///     make bench ARGS=bench-soak
@main
struct SoakBenchmark {
    struct Failure: Error {
        let what: String
    }

    private static let rounds = 5
    private static let connections = 50
    private static let scenes = 50
    /// More than any daemon can answer, so that there is always something due.
    private static let asked = 200_000

    static func main() throws {
        var rates: [[Double]] = [[], [], []]
        for _ in 0..<rounds {
            rates[0].append(try withDaemon(inC))
            rates[1].append(try withDaemon { try soaked($0, ["--no-records"]) })
            rates[2].append(try withDaemon { try soaked($0, []) })
        }
        try add("a soak's generator, nobody follows the records", rates[1], to: "a generator in C", rates[0])
        try add("every record followed and judged", rates[2], to: "nobody follows", rates[1])
    }

    private static func add(_ name: String, _ ours: [Double], to reference: String, _ other: [Double]) throws {
        try FigureLog.add(
            Figure(
                "soak",
                "events/s, \(name), \(connections) connections × 1",
                to: reference,
                zip(ours, other).map { $0 / $1 },
                detail: "\(Int(ours.median)) and \(Int(other.median)) events/s"
            )
        )
    }

    /// A new daemon for each round, so that rounds do not affect one another.
    private static func withDaemon(_ body: (String) throws -> Double) throws -> Double {
        let directory = try TemporaryDirectory()
        let socket = "\(directory.path)/io.scened"
        let notifications = try NotificationSocket(in: directory)
        let daemon = try Command(
            ["env", "NOTIFY_SOCKET=\(notifications.path)", Command.built("scened"), "--socket", socket]
                + ["--config", "/dev/null", "--log-level", "warning"]
        )
        guard notifications.receive().contains("READY=1") else { throw Failure(what: "the daemon did not start") }
        defer {
            daemon.signal(15)
            daemon.end()
        }
        return try body(socket)
    }

    /// One of the many links that the shop's users send; the others cost about the same.
    private static func inC(_ socket: String) throws -> Double {
        let descriptor = load_connect(socket)
        defer { close(descriptor) }
        let window = #"{"method":"io.scened.Scenes.Connect","parameters":{"scene":"A"}}"#.utf8CString.map { $0 }
        guard load_call(descriptor, window, window.count, 0, 1) > 0 else { throw Failure(what: "no window") }
        let call =
            #"{"method":"io.scened.Events.OpenURL","parameters":{"url":"https://shop.example/product/p1004","scene":"A"}}"#
            .utf8CString.map { $0 }
        let events = 60_000
        let seconds = load_pipelines(socket, CInt(connections), 1, events, call, call.count, 1, 1, 0, 1, nil)
        guard seconds > 0 else { throw Failure(what: "the load broke off") }
        return Double(events) / seconds
    }

    private static func soaked(_ socket: String, _ more: [String]) throws -> Double {
        // Its progress is not needed here.
        let soak = try Command(
            [
                "sh", "-c", #"exec "$0" "$@" 2> /dev/null"#, Command.built("scenectl"), "soak", "--socket", socket,
                "--rate", "\(asked)", "--arrival", "uniform",
            ]
                + ["--mix", "links=1", "--clients", "\(connections)", "--in-flight", "1", "--scenes", "\(scenes)"]
                + ["--duration", "3s", "--warm-up", "500ms", "--nocatchup", "--every", "1s", "--seed", "7", "--json"]
                + more
        )
        var text = ""
        while let line = soak.line() { text += line }
        soak.end()
        let report = try JSONValue(parsing: Array(text.utf8))
        guard let rate = report["totals"]?["rate"]?.doubleValue, rate > 0 else {
            throw Failure(what: "the soak said: \(text.prefix(400))")
        }
        return rate
    }
}
