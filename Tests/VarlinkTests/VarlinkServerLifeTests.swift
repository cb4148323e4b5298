import Basics
import Foundation
import NIOCore
import NIOPosix
import StrictJSON
import TestFixtures
import Testing
import Varlink

@Suite("Listening, limits of connections and shutting down", .timeLimit(.minutes(15)))
struct VarlinkServerLifeTests {
    private static let echo = #"{"method":"org.example.test.Echo","parameters":{"text":"hello"}}␀"#
    private static let echoed = #"{"parameters":{"text":"hello"}}␀"#
    private static let stream = #"{"method":"org.example.test.Stream","more":true}␀"#
    private static func hold(_ key: String) -> String {
        #"{"method":"org.example.test.Hold","parameters":{"key":"\#(key)"}}␀"#
    }

    private func server() throws -> VarlinkServer {
        try VarlinkServer(
            services: [try ExampleService().service()],
            identity: VarlinkIdentity(vendor: "", product: "", version: "", url: "")
        )
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "varlink-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appending(path: "socket").path)
    }

    /// A listening socket like one that a service manager passes on.
    private func listeningSocket(_ path: String) throws -> CInt {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0 && listen(descriptor, 16) == 0)
        return descriptor
    }

    @Test("the socket has mode 0660, and is gone after shutting down")
    func ownsItsPath() async throws {
        try await withFolder { path in
            let server = try server()
            try await server.listen(path: path)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o660)
            await server.shutDown()
            #expect(!FileManager.default.fileExists(atPath: path))
            await #expect(throws: VarlinkServerError.shutDown) { try await server.listen(path: path) }
        }
    }

    @Test("a stale socket is replaced, a live one is an error and stays")
    func replacesStale() async throws {
        try await withFolder { path in
            close(try listeningSocket(path))
            let first = try server()
            try await first.listen(path: path)
            let second = try server()
            await #expect(throws: VarlinkServerError.alreadyServed(path: path)) { try await second.listen(path: path) }
            await second.shutDown()
            let raw = try RawConnection(path: path)
            try await raw.write(Self.echo)
            #expect(try await raw.read(messages: 1) == Self.echoed)
            await first.shutDown(within: .zero)
        }
    }

    @Test("a file that is not a socket is left alone and is an error, and a path that is too long is one too")
    func refusesOtherFiles() async throws {
        try await withFolder { path in
            try Data("precious".utf8).write(to: URL(filePath: path))
            let server = try server()
            await #expect(throws: VarlinkServerError.notASocket(path: path)) { try await server.listen(path: path) }
            #expect(FileManager.default.contents(atPath: path) == Data("precious".utf8))
            let long = path + String(repeating: "x", count: 108)
            await #expect(throws: VarlinkServerError.pathTooLong(path: long, limit: 107)) {
                try await server.listen(path: long)
            }
        }
    }

    @Test("a socket that another process has put at the path since is not removed")
    func leavesForeignSocket() async throws {
        try await withFolder { path in
            let server = try server()
            try await server.listen(path: path)
            try FileManager.default.removeItem(atPath: path)
            let other = try listeningSocket(path)
            defer { close(other) }
            await server.shutDown()
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test("an inherited listening socket is served, and is neither unlinked nor shut down")
    func adoptsListener() async throws {
        try await withFolder { path in
            let inherited = try listeningSocket(path)
            defer { close(inherited) }
            let server = try server()
            try await server.adopt(descriptor: dup(inherited))
            let raw = try RawConnection(path: path)
            try await raw.write(Self.echo)
            #expect(try await raw.read(messages: 1) == Self.echoed)
            await server.shutDown(within: .zero)
            #expect(try await raw.readToEnd() == "")
            // Another holder of the socket can go on with it: here a second server.
            let waiting = try RawConnection(path: path)
            try await waiting.write(Self.echo)
            let next = try self.server()
            try await next.adopt(descriptor: dup(inherited))
            #expect(try await waiting.read(messages: 1) == Self.echoed)
            await next.shutDown(within: .zero)
        }
    }

    @Test("programs that the process starts inherit none of the server's sockets")
    func closesOnExecution() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(Self.echo)
            #expect(try await raw.read(messages: 1) == Self.echoed)
            var found = 0
            for descriptor in Int32(0)..<65_536 {
                var address = sockaddr_un()
                var length = socklen_t(MemoryLayout<sockaddr_un>.size)
                let result = withUnsafeMutablePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
                }
                let path = withUnsafeBytes(of: address.sun_path) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                guard result == 0, path == running.path else { continue }
                found += 1
                #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
            }
            #expect(found == 2)
        }
    }

    @Test("an inherited connection is served, including calls that were written before")
    func adoptsConnection() async throws {
        let (ours, theirs) = try RawConnection.pair()
        let raw = RawConnection(descriptor: ours)
        try await raw.write(Self.echo)
        let server = try server()
        try await server.adopt(descriptor: theirs)
        #expect(try await raw.read(messages: 1) == Self.echoed)
        #expect(server.connectionCount == 1)
        await server.shutDown()
        #expect(try await raw.readToEnd() == "")
    }

    @Test("a descriptor that is not a Unix stream socket is refused")
    func refusesOtherDescriptors() async throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let server = try server()
        let unfit = VarlinkServerError.unfitDescriptor(
            descriptor: ends[0],
            expected: "stream socket of the Unix family"
        )
        await #expect(throws: unfit) { try await server.adopt(descriptor: ends[0]) }
    }

    @Test("at the limit of connections the newest is refused, until another has left")
    func limitsConnections() async throws {
        var limits = VarlinkServerLimits()
        limits.connections = 3
        try await RunningServer.run(limits: limits) { running in
            try await expectLimit(3, running, .tooManyConnections(limit: 3))
        }
    }

    @Test("at the limit of connections of one user the newest is refused, until another has left")
    func limitsConnectionsPerUser() async throws {
        var limits = VarlinkServerLimits()
        limits.connectionsPerUser = 2
        try await RunningServer.run(limits: limits) { running in
            try await expectLimit(2, running, .tooManyConnectionsOfUser(limit: 2))
        }
    }

    private func expectLimit(_ limit: Int, _ running: RunningServer, _ kind: VarlinkIncident.Kind) async throws {
        var admitted: [RawConnection] = []
        for _ in 0..<limit {
            let raw = try RawConnection(path: running.path)
            try await raw.write(Self.echo)
            #expect(try await raw.read(messages: 1) == Self.echoed)
            admitted.append(raw)
        }
        #expect(running.server.connectionCount == limit)
        for _ in 0..<10 { #expect(try await RawConnection(path: running.path).readToEnd() == "") }
        #expect(running.incidents == Array(repeating: kind, count: 10))
        for raw in admitted {
            try await raw.write(Self.echo)
            #expect(try await raw.read(messages: 1) == Self.echoed)
        }
        admitted.removeLast().closeBoth()
        let next = try RawConnection(path: running.path)
        try await next.write(Self.echo)
        #expect(try await next.read(messages: 1) == Self.echoed)
    }

    enum Leaving: CaseIterable {
        /// With every reply read.
        case idle
        /// While its call is being answered.
        case waiting
        /// With unread replies and calls that have not started.
        case busy
    }

    @Test(
        "a client that leaves at a limit and comes back at once is admitted, however busy the server is",
        arguments: Leaving.allCases,
        [true, false]
    )
    func comesBack(leaving: Leaving, isLimitOfUser: Bool) async throws {
        let limit = 4
        var limits = VarlinkServerLimits()
        if isLimitOfUser { limits.connectionsPerUser = limit } else { limits.connections = limit }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        // The loops are busy with something else whenever a client leaves.
        @Sendable func keepBusy() {
            for loop in group.makeIterator() {
                loop.execute {
                    let end = NIODeadline.now() + .milliseconds(2)
                    while NIODeadline.now() < end {}
                }
            }
        }
        try await RunningServer.run(limits: limits, group: group) { running in
            var clients: [RawConnection] = []
            var calls: [ExampleService.Held] = []
            for round in 0..<25 {
                if clients.count == limit {
                    let gone = clients.remove(at: round % limit)
                    switch leaving {
                    case .idle: break
                    case .waiting:
                        try await gone.write(Self.hold("a"))
                        calls.append(try await running.example.nextHeld())
                    case .busy: try await gone.write(String(repeating: Self.echo, count: 500))
                    }
                    keepBusy()
                    gone.closeBoth()
                }
                let raw = try RawConnection(path: running.path)
                try await raw.write(Self.echo)
                try #require(try await raw.read(messages: 1) == Self.echoed, "round \(round)")
                clients.append(raw)
            }
            #expect(running.incidents.isEmpty)
        }
        try await group.shutdownGracefully()
    }

    @Test("a client that has half-closed and waits for an answer still counts")
    func countsHalfClosed() async throws {
        var limits = VarlinkServerLimits()
        limits.connectionsPerUser = 1
        try await RunningServer.run(limits: limits) { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(Self.hold("a"))
            raw.closeWriting()
            let held = try await running.example.nextHeld()
            for _ in 0..<10 { #expect(try await RawConnection(path: running.path).readToEnd() == "") }
            held.responder.reply(["text": "a"])
            #expect(try await raw.readToEnd() == #"{"parameters":{"text":"a"}}␀"#)
            // It gets no further reply and has gone by then.
            let next = try RawConnection(path: running.path)
            try await next.write(Self.echo)
            #expect(try await next.read(messages: 1) == Self.echoed)
        }
    }

    @Test("a server that shuts down while new connections wait to be admitted refuses them and ends")
    func shutsDownWhileLooking() async throws {
        var limits = VarlinkServerLimits()
        limits.connectionsPerUser = 1
        for _ in 0..<50 {
            try await RunningServer.run(limits: limits) { running in
                let raw = try RawConnection(path: running.path)
                try await raw.write(Self.echo)
                #expect(try await raw.read(messages: 1) == Self.echoed)
                var newcomers: [RawConnection] = []
                for _ in 0..<20 { newcomers.append(try RawConnection(path: running.path)) }
                await running.server.shutDown(within: .zero)
                for newcomer in newcomers { #expect(try await newcomer.readToEnd() == "") }
            }
        }
    }

    @Test("shutting down answers the calls that have arrived, takes no other, and admits no client")
    func drains() async throws {
        try await RunningServer.run { running in
            let idle = try RawConnection(path: running.path)
            try await idle.write(Self.echo)
            #expect(try await idle.read(messages: 1) == Self.echoed)
            let busy = try RawConnection(path: running.path)
            try await busy.write(Self.hold("a") + Self.echo)
            await running.example.wait(for: "hold a")
            async let shutDown: Void = running.server.shutDown(within: .hours(1))
            #expect(try await idle.readToEnd() == "")
            #expect(throws: RawConnection.Failure.self) { try RawConnection(path: running.path) }
            try #require(running.example.takeHeld()).responder.reply(["text": "a"])
            #expect(try await busy.readToEnd() == #"{"parameters":{"text":"a"}}␀"# + Self.echoed)
            await shutDown
            #expect(running.server.connectionCount == 0)
        }
    }

    @Test("whenever it shuts down, each call that could be sent is answered", arguments: 1...6 as ClosedRange<UInt64>)
    func answersWhatWasSent(seed: UInt64) async throws {
        try await RunningServer.run { running in
            let answered = Guarded(0)
            var random = SplitMix(seed: seed)
            try await withThrowingTaskGroup(of: Void.self) { clients in
                for number in 1...24 {
                    // Half of them connect anew each time, so that some wait to be accepted in the end.
                    let batch = number % 2 == 0 ? 1 : 1 + random.below(40)
                    clients.addTask {
                        guard var raw = try? RawConnection(path: running.path) else { return }
                        while !Task.isCancelled {
                            var sent = 0
                            while sent < batch, (try? await raw.write(Self.echo)) != nil { sent += 1 }
                            let answers = try await sent == batch ? raw.read(messages: batch) : raw.readToEnd()
                            // Who connects at the moment in which the socket goes may get nothing at all.
                            let isTooLate = batch == 1 && answers.isEmpty
                            let all = String(repeating: Self.echoed, count: sent)
                            #expect(isTooLate || answers == all, "of \(sent) calls sent")
                            answered.withLock { $0 += sent }
                            guard sent == batch else { return }
                            if batch == 1 {
                                guard let next = try? RawConnection(path: running.path) else { return }
                                raw = next
                            }
                        }
                    }
                }
                let enough = random.below(300)
                try await until("they are answered") { answered.withLock { $0 } >= enough }
                await running.server.shutDown(within: .hours(1))
                try await clients.waitForAll()
            }
        }
    }

    @Test("shutting down ends a stream, unless it asked to end by itself")
    func drainsStreams() async throws {
        try await RunningServer.run { running in
            let (raw, polite) = (try RawConnection(path: running.path), try RawConnection(path: running.path))
            try await raw.write(Self.stream)
            await running.example.wait(for: "stream")
            let cut = try #require(running.example.takeHeld())
            cut.responder.send(["value": 1])
            try await polite.write(Self.stream)
            let asking = try await running.example.nextHeld().responder
            asking.onDrain { asking.reply(["value": 2]) }
            await running.server.shutDown(within: .hours(1))
            #expect(try await raw.readToEnd() == #"{"parameters":{"value":1},"continues":true}␀"#)
            #expect(try await polite.readToEnd() == #"{"parameters":{"value":2}}␀"#)
            await running.example.wait(for: "closed stream")
        }
    }

    @Test("a call that is not answered by the deadline is cut off")
    func cutsOffLate() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(Self.hold("a"))
            await running.example.wait(for: "hold a")
            await running.server.shutDown(within: .milliseconds(1))
            #expect(try await raw.readToEnd() == "")
            await running.example.wait(for: "closed a")
        }
    }

    @Test("a call that is cut off is answered with the error for that, and so are those behind it, which do not begin")
    func saysThatItCutsOff() async throws {
        try await RunningServer.run(cutOffError: { _ in VarlinkError("org.example.test.Late") }) { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(Self.hold("a") + Self.hold("b") + Self.hold("c"))
            await running.example.wait(for: "hold a")
            await running.server.shutDown(within: .milliseconds(1))
            let answer = #"{"error":"org.example.test.Late","parameters":{}}␀"#
            #expect(try await raw.readToEnd() == answer + answer + answer)
            #expect(!running.example.log.contains("hold b"))
        }
    }
}
