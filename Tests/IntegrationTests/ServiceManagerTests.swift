import Foundation
import Glibc
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Varlink

@Suite("The live daemon as a service", .timeLimit(.minutes(15)))
struct ServiceManagerTests {
    private static let activator = "/usr/bin/systemd-socket-activate"
    private static let hasActivator = access(activator, X_OK) == 0

    @Test(
        "the first client starts it on a socket that is not its own, and that outlives it",
        .enabled(if: hasActivator, "systemd-socket-activate is not installed")
    )
    func activation() async throws {
        let ending = try await LiveDaemon.ending(
            launcher: [Self.activator, "--listen=SOCKET", "--fdname=varlink"]
        ) { daemon in
            #expect(try Self.program(of: daemon.processID) == "systemd-socket-activate", "no client has connected yet")
            let client = try await daemon.client()
            #expect(try await client.scenes().isEmpty)
            #expect(try Self.program(of: daemon.processID) == "scened")
            #expect(try await client.openURL("qcommerce://product/p1").outcome == .applied)
            try await daemon.expectService()
            daemon.stop()
        }
        #expect(ending.status == .exited(0), "\(ending.log)")
        #expect(ending.leftSocket, "an inherited socket is not unlinked")
        #expect(ending.stopping < .seconds(5))
    }

    @Test("a connection made before the start is served as well")
    func connected() async throws {
        let (ours, theirs) = try RawConnection.pair()
        let raw = RawConnection(descriptor: ours)
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/unused"
        // As systemd does for a service with Accept=yes; the shell moves the descriptor to its place.
        let daemon = try Command(
            [
                "sh", "-c",
                "export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=varlink; exec \"$0\" --socket \"$1\" 3<&0 0< /dev/null",
            ]
                + [Command.built("scened"), path],
            input: theirs
        )
        try await raw.write(#"{"method":"io.scened.Scenes.Connect","parameters":{"scene":"A"}}␀"#)
        #expect(try await raw.read(messages: 1).contains(#""id":"A""#))
        #expect(access(path, F_OK) != 0, "it makes no socket")
        daemon.signal(SIGTERM)
        #expect(try await raw.readToEnd() == "")
        #expect(daemon.end() == 0)
    }

    @Test("tells the service manager when it is ready, and when it stops")
    func notifications() async throws {
        let directory = try TemporaryDirectory()
        let notifications = try NotificationSocket(in: directory)
        let ending = try await LiveDaemon.ending(environment: ["NOTIFY_SOCKET": notifications.path]) { daemon in
            #expect(notifications.receive() == ["READY=1"])
            // The status follows a change within a second, and may first count the connection that waited for the socket.
            #expect(notifications.await("STATUS=Shop (manifest 1): 0 scenes, 0 clients"))
            try await daemon.expectService()
            #expect(notifications.await("STATUS=Shop (manifest 1): 1 scene, 0 clients"))
            daemon.stop()
            #expect(notifications.await("STOPPING=1"))
            #expect(notifications.receive() == ["STATUS=finishing admitted events"])
        }
        #expect(ending.status == .exited(0))
    }

    @Test("notifies the watchdog at half the interval, even with held windows")
    func watchdog() async throws {
        let directory = try TemporaryDirectory()
        let notifications = try NotificationSocket(in: directory)
        let variables = ["NOTIFY_SOCKET": notifications.path, "WATCHDOG_USEC": "400000"]
        let ending = try await LiveDaemon.ending(environment: variables) { daemon in
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            _ = try await client.call("io.scened.Control.Hold", ["point": "admitted", "scene": "A"])
            _ = try await client.send("OpenURL", ["url": "qcommerce://cart", "scene": "A", "wait": "admitted"])
            for _ in 0..<5 { #expect(notifications.await("WATCHDOG=1")) }
            daemon.stop()
        }
        #expect(ending.status == .exited(0))
    }

    @Test("serves its clients and stops while the service manager takes no notifications")
    func deaf() async throws {
        let directory = try TemporaryDirectory()
        let notifications = try NotificationSocket(in: directory)
        notifications.fill()
        let variables = ["NOTIFY_SOCKET": notifications.path, "WATCHDOG_USEC": "100000"]
        let ending = try await LiveDaemon.ending(environment: variables) { daemon in
            for _ in 0..<40 {
                let client = try await daemon.connect()
                _ = try await client.call("io.scened.Scenes.Connect")
                _ = try await client.call("io.scened.Session.Get")
            }
            daemon.stop()
        }
        #expect(ending.status == .exited(0), "\(ending.log)")
    }

    @Test("notifies the service manager of a reload, with the time that it asks for")
    func reloading() async throws {
        let directory = try TemporaryDirectory()
        let notifications = try NotificationSocket(in: directory)
        let ending = try await LiveDaemon.ending(environment: ["NOTIFY_SOCKET": notifications.path]) { daemon in
            #expect(notifications.await("READY=1"))
            daemon.signal(SIGHUP)
            let message = notifications.receive { $0.first?.hasPrefix("STATUS=") != true }
            #expect(message.first == "RELOADING=1")
            let time = message.last?.split(separator: "=")
            #expect(time?.first == "MONOTONIC_USEC")
            #expect((time?.last).flatMap { Int($0) } ?? 0 > 0)
            #expect(notifications.await("READY=1"))
            daemon.stop()
        }
        #expect(ending.status == .exited(0))
    }

    @Test(
        "stops if no client has been connected for the configured time, and leaves the socket to its successor",
        .enabled(if: hasActivator, "systemd-socket-activate is not installed")
    )
    func idleExit() async throws {
        let ending = try await LiveDaemon.ending(
            ["--set", "idleExit=1"],
            launcher: [Self.activator, "--listen=SOCKET", "--fdname=varlink"]
        ) { daemon in
            let client = try await daemon.client()
            _ = try await client.scenes()
        }
        #expect(ending.status == .exited(0), "\(ending.log)")
        #expect(ending.leftSocket)
    }

    @Test("goes on if the service manager cannot be notified")
    func deafManager() async throws {
        let ending = try await LiveDaemon.ending(environment: ["NOTIFY_SOCKET": "/nonexistent/notify"]) { daemon in
            try await daemon.expectService()
            daemon.stop()
        }
        #expect(ending.status == .exited(0))
        #expect(ending.log.contains("the service manager could not be notified"))
    }

    private static func program(of process: Int32) throws -> String {
        let name = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
        return String(name.split(separator: "/").last ?? "")
    }
}
