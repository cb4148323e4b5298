import Figures
import Foundation
import LoadGenerator
import StrictJSON
import TestFixtures

/// A daemon that is measured from its start on.
final class MeasuredDaemon {
    struct Failure: Error {
        let what: String
    }

    private let directory: TemporaryDirectory
    private let daemon: Command
    private let socket: String
    /// From the start of the process until it was ready and had answered, in seconds.
    private(set) var start = 0.0

    init(_ arguments: [String]) throws {
        directory = try TemporaryDirectory()
        socket = "\(directory.path)/io.scened"
        let notifications = try NotificationSocket(in: directory)
        let begin = ContinuousClock.now
        daemon = try Command(
            [
                Command.built("scened"), "--socket", socket, "--config", "/dev/null", "--log", "text", "--log-level",
                "error",
            ]
                + arguments,
            environment: ["NOTIFY_SOCKET": notifications.path]
        )
        guard notifications.receive(where: { $0.contains("READY=1") }) != [] else {
            throw Failure(what: "the daemon did not start")
        }
        _ = try ask("Session.Get")
        start = (ContinuousClock.now - begin) / .seconds(1)
    }

    func stop() throws {
        daemon.signal(SIGTERM)
        guard daemon.end() == 0 else { throw Failure(what: "the daemon did not stop in order") }
    }

    func kill() {
        daemon.signal(SIGKILL)
        daemon.end()
    }

    func connect(_ windows: [String]) throws {
        for window in windows { _ = try ask("Scenes.Connect", ["scene": .string(window)]) }
    }

    func status() throws -> (scenes: Int, records: Int) {
        let status = try ask("Manager.GetStatus")
        guard let scenes = status["scenes"]?.integerValue, let records = status["records"]?.integerValue else {
            throw Failure(what: status.text())
        }
        return (scenes, records)
    }

    /// The index of the oldest record that can be read.
    func oldestRecord() throws -> Int {
        let reply = try ask("Records.Read", ["limit": 1])
        // A gap has the index of the record that follows it.
        guard let index = reply["records"]?.arrayValue?.first?["index"]?.integerValue else {
            throw Failure(what: reply.text())
        }
        return index
    }

    /// Sends events on all connections at once.
    func load(_ calls: Calls, _ pipeline: CInt, _ events: Int) throws -> Load {
        let before = try written
        var latencies = [Double](repeating: 0, count: events)
        let seconds = load_pipelines(
            socket,
            calls.connections,
            pipeline,
            events,
            calls.bytes,
            calls.length,
            calls.turns,
            calls.count,
            0,
            1,
            &latencies
        )
        guard seconds > 0 else { throw Failure(what: "the load broke off") }
        latencies.sort()
        return Load(
            rate: Double(events) / seconds,
            p99: latencies[events * 99 / 100],
            written: try written - before
        )
    }

    /// How many bytes the process has had written to a disk.
    private var written: Int {
        get throws {
            let text = try String(contentsOfFile: "/proc/\(daemon.id)/io", encoding: .utf8)
            let line = text.split(separator: "\n").first { $0.hasPrefix("write_bytes: ") }
            guard let bytes = line?.split(separator: " ").last.flatMap({ Int($0) }) else { throw Failure(what: text) }
            return bytes
        }
    }

    private func ask(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONValue {
        let descriptor = load_connect(socket)
        defer { close(descriptor) }
        let call: JSONValue = ["method": .string("io.scened.\(method)"), "parameters": .object(parameters)]
        let bytes = Array(call.text().utf8) + [0]
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure(what: "\(method): not sent") }
        var reply: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while reply.last != 0 {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { throw Failure(what: "\(method): no reply") }
            reply += buffer[..<count]
        }
        let value = try JSONValue(parsing: Array(reply.dropLast()))
        guard value["error"] == nil, let parameters = value["parameters"] else { throw Failure(what: value.text()) }
        return parameters
    }
}

/// What a load of events showed.
struct Load {
    /// Events per second.
    let rate: Double
    /// In seconds.
    let p99: Double
    /// How many bytes the daemon had written to a disk meanwhile.
    let written: Int
}

/// The calls that connections send: each moves its own windows to and fro, one after the other.
struct Calls {
    let windows: [String]
    let connections: CInt
    /// The calls of all connections, one after the other, each with its NUL and all of the same length.
    let bytes: [CChar]
    let length: Int
    /// How many calls a connection sends in turn.
    let turns: CInt

    /// How many calls there are.
    var count: CInt { CInt(bytes.count / length) }

    /// - Parameter windows: As many for each connection.
    init(windows: Int, connections: CInt) {
        self.windows = (0..<windows).map { "w\(10_000 + $0)" }
        self.connections = connections
        turns = CInt(2 * windows) / connections
        let calls = self.windows.flatMap { window in
            ["product/p1004", "category/toys"].map { place in
                #"{"method":"io.scened.Events.OpenURL","parameters":{"url":"https://shop.example/\#(place)","#
                    + #""scene":"\#(window)","wait":"settled"}}"#
            }
        }
        bytes = calls.flatMap { Array($0.utf8CString) }
        length = bytes.count / calls.count
    }
}

/// A folder for a state, beside the programs: on a disk, where `/tmp` may be memory.
final class StateFolder {
    private let path: String

    init() throws {
        path = "\(Command.folder)/bench-state-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var arguments: [String] { ["--state", path] }

    /// The name of the file system that it is on.
    /// - Throws: If that is in memory.
    var fileSystem: String {
        get throws {
            guard let name = try Command(["findmnt", "-no", "FSTYPE", "--target", path]).line(), name != "tmpfs" else {
                throw MeasuredDaemon.Failure(what: "\(path) is not on a disk")
            }
            return name
        }
    }

    /// How many bytes its files take on the disk.
    var size: Int {
        get throws { try files.reduce(0) { $0 + Int($1.status.st_blocks) * 512 } }
    }

    /// Has the files be read from the disk next time.
    func forget() throws {
        for file in try files {
            let descriptor = open(file.path, O_RDONLY)
            defer { close(descriptor) }
            guard fsync(descriptor) == 0, posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0 else {
                throw MeasuredDaemon.Failure(what: "\(file.path) stays in memory")
            }
        }
    }

    private var files: [(path: String, status: stat)] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: path).map { name in
                var status = stat()
                stat("\(path)/\(name)", &status)
                return ("\(path)/\(name)", status)
            }
        }
    }
}
