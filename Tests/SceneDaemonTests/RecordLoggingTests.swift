import Logging
import SceneManifest
import SceneRouting
import SceneRuntime
import SceneService
import Basics
import Testing

@testable import SceneDaemon

@Suite("The log of records", .timeLimit(.minutes(15)))
struct RecordLoggingTests {
    private final class Lines: Sendable {
        private let lines = Guarded<[String]>([])
        let arrivals: AsyncStream<String>
        private let arrived: AsyncStream<String>.Continuation

        init() { (arrivals, arrived) = AsyncStream.makeStream() }

        var all: [String] { lines.withLock { $0 } }

        func add(_ line: String) {
            lines.withLock { $0.append(line) }
            arrived.yield(line)
        }
    }

    /// Logs a host's records while `body` runs, and what is left when it is over.
    private func log(_ level: Logger.Level, _ body: (SceneHost, Lines) async throws -> Void) async throws -> [String] {
        let host = try SceneHost(id: "test", manifest: try AppManifest.builtInShop())
        let lines = Lines()
        let logger = Logger(label: "test") { _ in
            TakingHandler(logLevel: level) { lines.add("\($0.text("index")) \($0.text("record"))") }
        }
        let running = Task { await RecordLogging(running: RunningHost(host) { old, _ in old }, logger: logger).run() }
        try await body(host, lines)
        await host.drain()
        running.cancel()
        await running.value
        return lines.all
    }

    @Test("has every record of its level once and in order, including those before it began and at the end")
    func everyRecord() async throws {
        var host: SceneHost?
        let lines = try await log(.debug) { given, lines in
            host = given
            for await line in lines.arrivals where line.hasSuffix("host.started") { break }
            try given.connect(scene: "A")
            for number in 0..<200 { try await given.session.commit(set: ["order": .string("\(number)")]) }
        }
        let records = try #require(host).records.read(after: 0).records
        #expect(lines == records.map { "\($0.index) \($0.kind.rawValue)" })
    }

    @Test("has nothing below its level")
    func level() async throws {
        let lines = try await log(.notice) { host, lines in
            for await line in lines.arrivals where line.hasSuffix("host.started") { break }
            try host.connect(scene: "A")
            try await host.session.commit(set: ["order": .string("x")])
        }
        #expect(lines.map { $0.split(separator: " ").last } == ["host.started", "host.stopped"])
    }
}
