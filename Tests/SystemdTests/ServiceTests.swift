import Foundation
import Glibc
import StrictJSON
import Systemd
import TestFixtures
import Testing

@Suite("As a service", .timeLimit(.minutes(15)))
struct ServiceTests {
    static let hasActivator = access("/usr/bin/systemd-socket-activate", X_OK) == 0

    private func connectStream(to path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(connectUnix(descriptor, to: path) == 0)
        return descriptor
    }

    @Test("listening sockets come with their names and are not passed on", .enabled(if: hasActivator, "needs systemd"))
    func listening() throws {
        let directory = try TemporaryDirectory()
        let one = "\(directory.path)/one"
        let two = "\(directory.path)/two"
        let activator = try Command(
            ["systemd-socket-activate", "-l", one, "-l", two, "--fdname=varlink:other", Command.probe, "sockets"],
            mergingErrors: true
        )
        #expect(activator.awaitLine(with: two))
        let client = connectStream(to: two)
        defer { close(client) }
        var values: [JSONValue] = []
        while let line = activator.line() {
            if line.hasPrefix("{") { values.append(try JSONValue(parsing: line)) }
        }
        #expect(activator.end() == 0)
        #expect(
            values == [
                ["descriptor": 3, "name": "varlink", "kind": "listening", "closesOnExec": true],
                ["descriptor": 4, "name": "other", "kind": "listening", "closesOnExec": true], ["left": 0],
            ]
        )
    }

    @Test("a socket that is a connection is recognised", .enabled(if: hasActivator, "needs systemd"))
    func connected() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/one"
        let activator = try Command(
            ["systemd-socket-activate", "--accept", "--fdname=varlink", "-l", path, Command.probe, "sockets"],
            mergingErrors: true
        )
        #expect(activator.awaitLine(with: path))
        let client = connectStream(to: path)
        defer { close(client) }
        var line = activator.line()
        while let text = line, !text.hasPrefix("{") { line = activator.line() }
        let value = try JSONValue(parsing: line ?? "")
        #expect(value["kind"] == "connected")
        #expect(value["name"] == "varlink")
        activator.signal(SIGTERM)
    }

    @Test(
        "a datagram socket is refused, and the error says what to write instead",
        .enabled(if: hasActivator, "needs systemd")
    )
    func datagram() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/one"
        let activator = try Command(
            ["systemd-socket-activate", "--datagram", "-l", path, Command.probe, "sockets"],
            mergingErrors: true
        )
        #expect(activator.awaitLine(with: path))
        let client = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(client) }
        let bytes: [UInt8] = [1]
        #expect(withUnixAddress(path) { sendto(client, bytes, 1, 0, $0, $1) } == 1)
        #expect(activator.awaitLine(with: "is not a stream socket; use ListenStream="))
        #expect(activator.end() == 1)
    }

    @Test("without passed sockets there are none, and an inconsistent environment is an error")
    func environment() throws {
        let none = try Command([Command.probe, "sockets"])
        #expect(try none.values() == [["left": 0]])
        let garbage = try Command(["sh", "-c", "LISTEN_PID=$$ LISTEN_FDS=many exec \(Command.probe) sockets"])
        #expect(garbage.line()?.contains("cannot take over the sockets in LISTEN_FDS") == true)
        #expect(garbage.end() == 1)
        let closed = try Command(["sh", "-c", "LISTEN_PID=$$ LISTEN_FDS=3 exec \(Command.probe) sockets"])
        #expect(closed.line()?.contains("unset LISTEN_FDS") == true)
        #expect(closed.end() == 1)
    }

    @Test("notifications have systemd's format, and a status cannot inject others")
    func notifications() throws {
        let directory = try TemporaryDirectory()
        let socket = try NotificationSocket(in: directory)
        let probe = try Command([Command.probe, "notify"], environment: ["NOTIFY_SOCKET": socket.path])
        #expect(socket.receive() == ["READY=1", "STATUS=serving STOPPING=1"])
        let reloading = socket.receive()
        #expect(reloading.first == "RELOADING=1")
        #expect(reloading.last?.hasPrefix("MONOTONIC_USEC=") == true)
        #expect(UInt64(reloading.last?.dropFirst("MONOTONIC_USEC=".count) ?? "") ?? 0 > 0)
        #expect(socket.receive() == ["WATCHDOG=1"])
        #expect(socket.receive() == ["EXTEND_TIMEOUT_USEC=1500000"])
        #expect(socket.receive() == ["STOPPING=1"])
        #expect(try probe.values() == [["told": [true, true, true, true, true]]])
    }

    @Test("without NOTIFY_SOCKET, notifying does nothing")
    func nobodyListens() throws {
        let probe = try Command(["env", "-u", "NOTIFY_SOCKET", Command.probe, "notify"])
        #expect(try probe.values() == [["told": [false, false, false, false, false]]])
    }

    @Test("a notification that cannot be delivered is an error")
    func undeliverable() throws {
        let probe = try Command([Command.probe, "notify"], environment: ["NOTIFY_SOCKET": "/nonexistent/notify"])
        #expect(probe.line()?.contains("cannot notify the service manager: No such file or directory") == true)
        #expect(probe.end() == 1)
    }

    @Test(
        "the watchdog's interval is the service manager's, for this process only",
        arguments: [
            ("WATCHDOG_USEC=2500000", #"{"interval":"2.5 seconds"}"#), ("A=B", #"{"interval":null}"#),
            ("WATCHDOG_PID=1 WATCHDOG_USEC=2500000", #"{"interval":null}"#),
            ("WATCHDOG_PID=$$ WATCHDOG_USEC=1000000", #"{"interval":"1.0 seconds"}"#),
            (
                "WATCHDOG_USEC=soon",
                #"{"error":"cannot read WATCHDOG_USEC and WATCHDOG_PID: Invalid argument"}"#
            ),
        ]
    )
    func watchdog(environment: String, answer: String) throws {
        let probe = try Command(["sh", "-c", "\(environment) exec \(Command.probe) watchdog"])
        #expect(probe.line() == answer)
        probe.end()
    }
}
