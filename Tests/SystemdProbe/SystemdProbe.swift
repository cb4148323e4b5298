import Glibc
import Logging
import StrictJSON
import Systemd

/// A program for tests that need a process: under systemd-socket-activate, with a notification socket, or beside a private
/// journald. Prints what it sees as JSON lines.
@main
struct SystemdProbe {
    static func main() {
        do {
            switch CommandLine.arguments.dropFirst().first {
            case "sockets": try sockets()
            case "notify": try notifications()
            case "watchdog": show(["interval": try watchdogInterval().map { .string("\($0)") } ?? nil])
            case "stderr":
                show(["isJournal": .bool(standardErrorIsJournal()), "isReachable": .bool(JournalSocket.isReachable)])
            case "levels": try levels()
            case "fields": try fields()
            case "flood": try flood()
            case "records": try records()
            case "serve": try serve()
            case let unknown: show(["error": .string("no such probe: \(unknown ?? "none")")])
            }
        } catch {
            show(["error": .string("\(error)")])
            exit(1)
        }
    }

    private static func show(_ value: JSONValue) {
        print(value.text())
        fflush(nil)
    }

    private static func show(_ report: WriterReport) {
        show([
            "sent": .integer(report.sent), "overflowed": .integer(report.overflowed),
            "failed": .integer(report.failed), "remaining": .integer(report.remaining),
        ])
    }

    private static func sockets() throws {
        for socket in try listenDescriptors() {
            show([
                "descriptor": .integer(Int(socket.descriptor)), "name": .string(socket.name),
                "kind": .string("\(socket.kind)"),
                "closesOnExec": .bool(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0),
            ])
        }
        // A child must not use them.
        show(["left": .integer(try listenDescriptors().count)])
    }

    private static func notifications() throws {
        let told = [
            try notify(.ready, .status("serving\nSTOPPING=1")), try notify(.reloading), try notify(.watchdog),
            try notify(.extendTimeout(.milliseconds(1500))), try notify(.stopping),
        ]
        show(["told": .array(told.map(JSONValue.bool))])
    }

    private static func writer(_ limits: BackgroundWriter<JournalEntry>.Limits = .init()) throws -> JournalWriter {
        try JournalWriter(.init(identifier: "systemd-probe", limits: limits))
    }

    /// One entry of each level through swift-log.
    private static func levels() throws {
        let writer = try writer()
        var logger = Logger(label: "probe.levels") { JournalLogHandler(label: $0, writer: writer, level: .trace) }
        logger[metadataKey: "scene"] = "A"
        for level in Logger.Level.allCases {
            logger.log(level: level, "at \(level)\nand below", metadata: ["ticket": "7", "ops": ["push", "present"]])
        }
        logger.info("with an ID", metadata: ["message-id": "\(JournalMessageID.gap.text)"])
        show(writer.finish(within: .seconds(30)))
    }

    /// Values that are not text, and one that is too large for a datagram.
    private static func fields() throws {
        let writer = try writer()
        var entry = JournalEntry("fields", priority: .notice)
        try entry.add(JournalFieldName("SCENED_BYTES"), [0, 10, 61, 0xFF])
        try entry.add(JournalFieldName("SCENED_EMPTY"), "")
        try entry.add(JournalFieldName("SCENED_TWICE"), "one")
        try entry.add(JournalFieldName("SCENED_TWICE"), "two")
        try entry.add(JournalFieldName("SCENED_LARGE"), repeatElement(UInt8(ascii: "x"), count: 1_000_000))
        writer.write(entry)
        show(writer.finish(within: .seconds(30)))
    }

    /// Entries of scened with the fields in the lines of standard input; a field that is an object is written as JSON.
    private static func records() throws {
        let writer = try JournalWriter(.init(identifier: "scened", limits: .init(elements: 1 << 20, bytes: 1 << 30)))
        while let line = readLine() {
            guard let fields = try JSONValue(parsing: line).objectValue else { continue }
            var entry = JournalEntry("written by hand", priority: .information)
            entry.add(.syslogIdentifier, "scened")
            for (name, value) in fields { try entry.add(JournalFieldName(name), value.stringValue ?? value.text()) }
            writer.write(entry)
        }
        show(writer.finish(within: .seconds(60)))
    }

    /// More entries than the queue holds, then a pause until there is a line on standard input.
    private static func flood() throws {
        let writer = try writer(.init(elements: 1000))
        for index in 0..<20_000 { writer.write(JournalEntry("flood \(index)", priority: .debug)) }
        show(writer.report)
        _ = readLine()
        _ = writer.flush(within: .seconds(30))
        writer.write(JournalEntry("after the flood", priority: .debug))
        show(writer.finish(within: .seconds(30)))
    }

    /// A small service: answers each connection to the socket named varlink with its own user and the peer's, until it is
    /// stopped.
    private static func serve() throws {
        guard let socket = try listenDescriptors().first(where: { $0.name == "varlink" && $0.kind == .listening })
        else {
            throw SystemError("find the listening socket named varlink", code: ENOTSOCK)
        }
        let writer = try JournalWriter(.init(identifier: "scened"))
        let logger = Logger(label: "probe.serve") { JournalLogHandler(label: $0, writer: writer) }
        logger.notice("serving", metadata: ["journal": "\(standardErrorIsJournal())", "scene": "A"])
        try notify(.ready, .status("serving"))
        var wanted = sigset_t()
        sigemptyset(&wanted)
        sigaddset(&wanted, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &wanted, nil)
        while true {
            var ready = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&ready, 1, 100)
            var pending = sigset_t()
            sigpending(&pending)
            if sigismember(&pending, SIGTERM) == 1 { break }
            guard ready.revents != 0 else { continue }
            let connection = accept(socket.descriptor, nil, nil)
            // struct ucred, which Swift cannot see: process, user, group.
            var peer: [UInt32] = [0, 0, 0]
            var length = socklen_t(MemoryLayout<UInt32>.size * peer.count)
            getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length)
            let answer = Array("user \(getuid()) peer \(peer[1])\n".utf8)
            _ = answer.withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
            close(connection)
        }
        try notify(.stopping)
        logger.notice("stopped")
        show(writer.finish(within: .seconds(5)))
    }
}
