import Foundation
import Glibc
import Logging
import Basics
import TestFixtures
import Testing

@testable import Systemd

@Suite("Log handlers")
struct LogHandlerTests {
    /// Keeps the entries sent to the journal.
    final class Sink: Sendable {
        let entries = Guarded<[JournalEntry]>([])

        func values(_ name: String) -> [String] {
            entries.withLock { entries in
                entries.flatMap { entry in
                    entry.fields.filter { $0.name == name }.map { String(decoding: $0.value, as: UTF8.self) }
                }
            }
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description = "no route"
    }

    private func journal(_ sink: Sink, prefix: JournalFieldName = .scenedPrefix) throws -> JournalWriter {
        try JournalWriter(.init(identifier: "scened", fieldPrefix: prefix)) { entry in
            sink.entries.withLock { $0.append(entry) }
            return 0
        }
    }

    @Test("the call's metadata overrides the logger's, which overrides the provider's")
    func precedence() throws {
        let sink = Sink()
        let writer = try journal(sink)
        let provider = Logger.MetadataProvider { ["a": "provider", "b": "provider", "c": "provider"] }
        var logger = Logger(label: "test") { JournalLogHandler(label: $0, writer: writer, metadataProvider: provider) }
        logger[metadataKey: "b"] = "logger"
        logger[metadataKey: "c"] = "logger"
        logger.info("m", metadata: ["c": "call"])
        #expect(writer.finish(within: .seconds(60)).isComplete)
        #expect(sink.values("SCENED_A") == ["provider"])
        #expect(sink.values("SCENED_B") == ["logger"])
        #expect(sink.values("SCENED_C") == ["call"])
    }

    @Test("an error, another prefix and an invalid message ID keep their text")
    func oddities() throws {
        let sink = Sink()
        let writer = try journal(sink, prefix: JournalFieldName("SHOP_"))
        let logger = Logger(label: "test") { JournalLogHandler(label: $0, writer: writer) }
        logger.error("m", error: Failure(), metadata: ["message-id": "none", "map": ["b": ["x"], "a": "y"]])
        #expect(writer.finish(within: .seconds(60)).isComplete)
        #expect(sink.values("SHOP_ERROR") == ["no route"])
        #expect(sink.values("SHOP_MESSAGE_ID") == ["none"])
        #expect(sink.values("MESSAGE_ID").isEmpty)
        #expect(sink.values("SHOP_MAP") == [#"{"a":"y","b":["x"]}"#])
    }

    @Test("metadata for which an entry has no room is left out")
    func tooMuch() throws {
        let sink = Sink()
        let writer = try journal(sink)
        let logger = Logger(label: "test") { JournalLogHandler(label: $0, writer: writer) }
        logger.info("m", metadata: Dictionary(uniqueKeysWithValues: (0..<2000).map { ("k\($0)", "v") }))
        #expect(writer.finish(within: .seconds(60)).isComplete)
        #expect(sink.entries.withLock { $0.map(\.count) } == [JournalEntry.maximumFields])
    }

    private static let time = timespec(tv_sec: 1_795_262_400, tv_nsec: 7_999_999)

    @Test("a line has time, level, message and values")
    func line() {
        let line = TextLogLine(isColoured: false)
        let bytes = line.text(.warning, "mailbox is full", [("scene", "A"), ("limit", "64")], at: Self.time)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "2026-11-21T12:00:00.007Z warning  mailbox is full scene=A limit=64\n"
        )
    }

    @Test(
        "no message, key or value can forge a line, a value or a terminal command",
        arguments: [
            ("a\nb", "a", "b", #"a\nb a=b"#), ("\u{1B}[2J", "a", "\u{1B}[2J", #"\u{1b}[2J a="\u001b[2J""#),
            ("m", "a b", "c d", #"m "a b"="c d""#), ("m", "k", "", #"m k="""#),
            ("m", "k", "x=\"y\"", #"m k="x=\"y\"""#),
            ("\u{9B}2J", "k", "\u{9B}", #"\u{9b}2J k="\u{9b}""#), ("\r\n", "k", "\u{2028}", #"\u{d}\n k="\u{2028}""#),
            ("é😀", "k", "ü", "é😀 k=ü"),
        ]
    )
    func escaping(message: String, key: String, value: String, expected: String) {
        let bytes = TextLogLine(isColoured: false).text(.info, message, [(key, value)], at: Self.time)
        #expect(String(decoding: bytes, as: UTF8.self) == "2026-11-21T12:00:00.007Z info     \(expected)\n")
    }

    @Test("colours apply to the level only", arguments: Logger.Level.allCases)
    func colours(level: Logger.Level) {
        let text = String(
            decoding: TextLogLine(isColoured: true).text(level, "m", [], at: Self.time),
            as: UTF8.self
        )
        #expect(text.contains("m\(level.rawValue)\u{1B}[0m "))
        #expect(text.filter { $0 == "\u{1B}" }.count == 2)
    }

    @Test("lines reach a descriptor whole and in order, even a non-blocking one")
    func descriptor() throws {
        let pipe = Pipe()
        let output = pipe.fileHandleForWriting.fileDescriptor
        #expect(fcntl(output, F_SETFL, fcntl(output, F_GETFL) | O_NONBLOCK) == 0)
        let writer = try TextLogWriter(descriptor: output, isColoured: false)
        let logger = Logger(label: "test") { _ in TextLogHandler(writer: writer) }
        // More than a pipe holds, so that the writer has to wait for the reader.
        for index in 0..<2000 {
            logger.info("line", metadata: ["index": "\(index)", "fill": "\(String(repeating: "x", count: 100))"])
        }
        var received: [UInt8] = []
        while received.count(where: { $0 == 10 }) < 2000 { received += pipe.fileHandleForReading.availableData }
        #expect(writer.finish(within: .seconds(60)).isComplete)
        let lines = String(decoding: received, as: UTF8.self).split(separator: "\n")
        #expect(lines.map { $0.split(separator: " ").last } == (0..<2000).map { "index=\($0)" })
    }

    @Test("lines for a descriptor that is no longer read are dropped and counted")
    func brokenPipe() throws {
        let pipe = Pipe()
        signalsOff(SIGPIPE)
        let writer = try TextLogWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor, isColoured: false)
        try pipe.fileHandleForReading.close()
        Logger(label: "test") { _ in TextLogHandler(writer: writer) }.info("into the void")
        #expect(writer.finish(within: .seconds(60)).failed == 1)
    }
}
