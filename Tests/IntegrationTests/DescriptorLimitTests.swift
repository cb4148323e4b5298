import Glibc
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Varlink

@Suite("With few descriptors the live daemon", .serialized, .timeLimit(.minutes(15)))
struct DescriptorLimitTests {
    private static let getSession = #"{"method":"io.scened.Session.Get"}␀"#

    @Test("starts and serves, or says what it lacks", arguments: Array(3...64) + [80, 96, 128])
    func anyLimit(limit: Int) async throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/socket"
        let start = "ulimit -n \(limit); exec \"$0\" --socket \"$1\" --log text --log-level notice"
        let daemon = try Command(["sh", "-c", start, Command.built("scened"), path], mergingErrors: true)
        var log = ""
        var isRunning = false
        while !isRunning, let line = daemon.line() {
            log += line + "\n"
            isRunning = line.contains(" running ")
        }
        if isRunning {
            let client = try RawConnection(path: path)
            try await client.write(Self.getSession)
            #expect(try await client.read(messages: 1).contains("session"))
            daemon.signal(SIGTERM)
            #expect(daemon.end() == 0, "\(log)")
        } else {
            let status = daemon.end()
            // Of three, none is left for the dynamic linker.
            let isUnloaded = status == 127 && log.contains("error while loading shared libraries")
            #expect(isUnloaded || status == 78 && log.contains("may open \(limit) files"), "\(status): \(log)")
        }
    }

    @Test(
        "serves as many clients as the status promises",
        arguments: [64, 100, 256, 1024],
        ["limits.readAhead=65536", "limits.connectionsPerUser=4096", "limits.connections=300"]
    )
    func promise(limit: Int, setting: String) async throws {
        let launcher = ["sh", "-c", "ulimit -n \(limit); echo Listening on SOCKET soon >&2; exec \"$@\"", "sh"]
        let ending = try await LiveDaemon.ending(["--set", setting, "--event-loops", "2"], launcher: launcher) {
            daemon in
            try await until("it listens") { (try? RawConnection(path: daemon.socket)) != nil }
            let client = try await daemon.connect()
            let status = try await client.call("io.scened.Manager.GetStatus")
            let limits = try ["limits.connections", "limits.connectionsPerUser"].map { key in
                let setting = status["settings"]?.arrayValue?.first { $0["key"]?.stringValue == key }
                return try #require(setting?["value"]?.stringValue.flatMap { Int($0) })
            }
            let promised = limits.min() ?? 0
            var others: [RawConnection] = []
            while others.count < promised - 1 {
                let other = try RawConnection(path: daemon.socket)
                try await other.write(Self.getSession)
                try #require(
                    try await other.read(messages: 1).contains("session"),
                    "after \(others.count) of \(promised)"
                )
                others.append(other)
            }
            #expect(try await RawConnection(path: daemon.socket).readToEnd() == "", "one more is refused")
            #expect(try await !client.call("io.scened.Session.Get").isEmpty)
            daemon.stop()
        }
        #expect(ending.status == .exited(0), "\(ending.log)")
    }
}
