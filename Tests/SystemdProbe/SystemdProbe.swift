import Glibc
import Logging
import StrictJSON
import Systemd

/// A process for the tests to run where only a process will do: under systemd-socket-activate, with a notification
/// socket, beside a private journald. Prints what it saw as JSON lines.
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
        // A child must not take them for its own.
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
        try entry.append(JournalFieldName("SCENED_BYTES"), [0, 10, 61, 0xFF])
        try entry.append(JournalFieldName("SCENED_EMPTY"), "")
        try entry.append(JournalFieldName("SCENED_TWICE"), "one")
        try entry.append(JournalFieldName("SCENED_TWICE"), "two")
        try entry.append(JournalFieldName("SCENED_LARGE"), repeatElement(UInt8(ascii: "x"), count: 1_000_000))
        writer.write(entry)
        show(writer.finish(within: .seconds(30)))
    }

    /// More entries than the queue holds, then a pause until standard input says to go on.
    private static func flood() throws {
        let writer = try writer(.init(elements: 1000))
        for index in 0..<20_000 { writer.write(JournalEntry("flood \(index)", priority: .debug)) }
        show(writer.report)
        _ = readLine()
        _ = writer.flush(within: .seconds(30))
        writer.write(JournalEntry("after the flood", priority: .debug))
        show(writer.finish(within: .seconds(30)))
    }
}
