import Foundation
import LoadGenerator

/// A server that runs while it is measured.
final class Child {
    private let process: Process
    let socket: String

    /// A daemon of the shop.
    /// - Parameter name: The program: `scened`, or one whose coordinators are its own.
    static func daemon(_ name: String = "scened", socket: String, notify: String? = nil, waiting: Bool = true) throws
        -> Child
    {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: own).deletingLastPathComponent().appending(path: name).path
        var variables = ProcessInfo.processInfo.environment
        variables["NOTIFY_SOCKET"] = notify
        let arguments = ["--socket", socket, "--log", "text", "--log-level", "warning"]
        return try Child(program, arguments, socket: socket, environment: variables, waiting: waiting)
    }

    static func redis(socket: String) throws -> Child {
        let arguments = ["--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no"]
        // One program under several names. Debian's redis-tools contains it without a service that starts by itself.
        let program = socket + "-redis-server"
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: "/usr/bin/redis-check-rdb")
        return try Child(program, arguments, socket: socket, environment: [:], waiting: true)
    }

    private init(
        _ program: String,
        _ arguments: [String],
        socket: String,
        environment: [String: String],
        waiting: Bool
    ) throws {
        self.socket = socket
        process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = environment
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        guard waiting else { return }
        for _ in 0..<2_000 {
            let descriptor = load_connect(socket)
            if descriptor >= 0 {
                close(descriptor)
                return
            }
            usleep(5_000)
        }
        throw Failure.start(program)
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// How often each of its threads went to sleep and was woken.
    func switches() throws -> [String: Int] {
        let tasks = "/proc/\(process.processIdentifier)/task"
        var switches: [String: Int] = [:]
        for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
            let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
            let name = try String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)
                .trimmingCharacters(in: .newlines)
            switches["\(name) (\(task))"] = line?.split(separator: "\t").last.flatMap { Int($0) }
        }
        return switches
    }
}

/// The service manager's end.
final class NotifySocket {
    let path: String
    private let descriptor: Int32

    init(path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Failure.start("notify socket") }
    }

    deinit {
        close(descriptor)
    }

    func awaitReady() throws {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw Failure.start("READY") }
            if String(decoding: buffer[..<count], as: UTF8.self).contains("READY=1") { return }
        }
    }
}
