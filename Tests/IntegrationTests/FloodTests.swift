import Foundation
import Glibc
import StrictJSON
import TestFixtures
import Testing
import Varlink

/// Floods that other clients must not notice. These tests run alone, because they count descriptors and memory.
@Suite("Floods", .serialized, .timeLimit(.minutes(15)))
struct FloodTests {
    private static let call = #"{"method":"io.scened.Session.Get"}␀"#
    private static let halfCall = #"{"method":"io.scened.Events.OpenURL","parameters":{"url":"qcommerce://pro"#

    /// The number of open descriptors of a process, and its memory in KiB.
    private func usage(_ daemon: LiveDaemon) throws -> (descriptors: Int, memory: Int) {
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.processID)/fd").count
        let status = try String(contentsOfFile: "/proc/\(daemon.processID)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let memory = line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) }
        return (descriptors, try #require(memory))
    }

    private func connections(_ client: VarlinkClient) async throws -> Int {
        try await client.call("io.scened.Manager.GetStatus")["connections"]?.integerValue ?? -1
    }

    /// Waits until this client is the only one.
    private func awaitAlone(_ client: VarlinkClient) async throws {
        try await until("no other connection is left") { try await connections(client) == 1 }
    }

    /// A client of a daemon that has already served and has no other client, so that its first allocations are made.
    private func settle(_ daemon: LiveDaemon) async throws -> VarlinkClient {
        let client = try await daemon.connect()
        try await daemon.expectService()
        try await awaitAlone(client)
        return client
    }

    private func incidents(_ client: VarlinkClient, _ kind: String) async throws -> Int {
        let text = try await client.call("io.scened.Manager.GetMetrics")["openMetrics"]?.stringValue ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("scened_incidents_total{kind=\"\(kind)\"}") }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? -1
    }

    /// Expects that a flood leaves nothing behind, except for what the allocator keeps.
    private func expectReturn(
        _ daemon: LiveDaemon,
        _ name: String,
        from before: (descriptors: Int, memory: Int),
        within memory: Int = 24 << 10,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var after = try usage(daemon)
        // Descriptors are closed, and memory is freed, a moment after the last of many clients has gone.
        try? await until("all is given back") {
            after = try usage(daemon)
            return after.descriptors == before.descriptors && after.memory <= before.memory + memory
        }
        print(
            "\(name): \(before.descriptors) → \(after.descriptors) descriptors, \(before.memory) → \(after.memory) KiB"
        )
        #expect(after.descriptors == before.descriptors, sourceLocation: sourceLocation)
        #expect(after.memory <= before.memory + memory, sourceLocation: sourceLocation)
    }

    @Test(
        "at the limit one more is refused at once, those who are there are served, and places that become free are given again",
        arguments: [333, 4096]
    )
    func connectionLimit(limit: Int) async throws {
        var descriptors = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &descriptors)
        // The real limit needs a process that may open so many.
        guard descriptors.rlim_cur > limit + 500, descriptors.rlim_max > limit / 3 * 4 + 64 else { return }
        let settings = ["--set", "limits.connections=\(limit)", "--set", "limits.connectionsPerUser=\(limit)"]
        try await LiveDaemon.run(settings + ["--log-level", "error"]) { daemon in
            let first = try await settle(daemon)
            let before = try usage(daemon)
            var others: [RawConnection] = []
            for _ in 1..<limit { others.append(try RawConnection(path: daemon.socket)) }
            for other in others { try await other.write(Self.call) }
            for other in others { #expect(try await other.read(messages: 1).hasSuffix("␀")) }
            for _ in 0..<3 { #expect(try await RawConnection(path: daemon.socket).readToEnd() == "") }
            #expect(try await connections(first) == limit)
            for other in [others[0], others[limit / 2], others[limit - 2]] {
                try await other.write(Self.call)
                #expect(try await other.read(messages: 1).hasSuffix("␀"))
            }
            others = []
            try await daemon.expectService()
            try await awaitAlone(first)
            try await expectReturn(daemon, "\(limit) connections", from: before)
            #expect(
                try await incidents(first, "tooManyConnections") + incidents(first, "tooManyConnectionsOfUser") == 3
            )
        }
    }

    @Test(
        "the calls that are remembered take no more memory than their bound, whatever they are made of",
        arguments: ["[0]", "{}", #"{"a":0}"#, "null", #""x""#, #"[[[[0]]]]"#]
    )
    func rememberedCalls(part: String) async throws {
        try await LiveDaemon.run(["--log-level", "error"]) { daemon in
            let client = try await settle(daemon)
            let before = try usage(daemon)
            // Far less text than the bound of 16 MiB, and as values several times as much memory.
            let parts = Array(repeating: part, count: (900 << 10) / (part.utf8.count + 1)).joined(separator: ",")
            let call =
                #"{"method":"io.scened.Events.Push","parameters":{"scene":"none","payload":{"aps":{},"x":[\#(parts)]}}}␀"#
            for _ in 0..<8 {
                let other = try RawConnection(path: daemon.socket)
                try await other.write(call)
                #expect(try await other.read(messages: 1).hasSuffix("␀"))
            }
            try await awaitAlone(client)
            // The text, and what parsing one of them took at most.
            try await expectReturn(daemon, "calls of \(part)", from: before, within: 96 << 10)
            let read = try await client.call("io.scened.Recording.Read", ["after": 7])
            #expect(read["inputs"]?.arrayValue?.first?["parameters"]?["payload"]?["x"]?.arrayValue?.count ?? 0 > 1_000)
        }
    }

    @Test(
        "200 subscribers that do not read hold up nobody; of the records they miss some, else they are cut off and counted"
    )
    func stalledSubscribers() async throws {
        // Long enough for the clients of the test itself, on a busy machine.
        let settings = ["--set", "limits.stall=3000", "--set", "retainedRecords=1000"]
        try await LiveDaemon.run(settings + ["--log-level", "error"]) { daemon in
            let client = try await settle(daemon)
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            // Far more than their sockets take.
            let text = String(repeating: "x", count: 4_000)
            func commit(_ count: Int) async throws {
                for number in 0..<count {
                    try await client.oneway(
                        "io.scened.Session.Commit",
                        ["set": ["order": .string("\(number)-\(text)")], "scene": "A"]
                    )
                }
                _ = try await client.call("io.scened.Session.Get")
            }
            // The daemon's memory of records and calls is full before the measurement.
            try await commit(6_000)
            let before = try usage(daemon)
            var followers: [RawConnection] = []
            var stalled: [RawConnection] = []
            for _ in 0..<100 {
                followers.append(try RawConnection(path: daemon.socket))
                try await followers[followers.count - 1].write(
                    #"{"method":"io.scened.Records.Read","parameters":{"after":0},"more":true}␀"#
                )
                stalled.append(try RawConnection(path: daemon.socket))
                try await stalled[stalled.count - 1].write(#"{"method":"io.scened.Session.Get","more":true}␀"#)
            }
            try await commit(3_000)
            let most = try usage(daemon).memory
            #expect(most < before.memory + (300 << 10), "\(before.memory) → \(most) KiB")
            try await until("all are cut off") {
                try await daemon.expectService()
                return try await incidents(client, "stalled") >= 100
            }
            #expect(try await incidents(client, "stalled") == 100)
            stalled = []
            // Much later the others go on reading.
            for follower in [followers[0], followers[50], followers[99]] {
                var text = try await follower.read(messages: 1)
                while !text.contains(#""kind":"gap""#), !text.isEmpty { text = try await follower.read(messages: 1) }
                #expect(text.contains(#""kind":"gap""#))
            }
            followers = []
            try await awaitAlone(client)
            try await expectReturn(daemon, "200 stalled subscribers (at most \(most) KiB)", from: before)
        }
    }

    @Test("clients that write a byte now and then delay no other, are not cut off, and are answered in the end")
    func slowWriters() async throws {
        try await LiveDaemon.run(["--set", "limits.firstByte=1000", "--log-level", "error"]) { daemon in
            let client = try await settle(daemon)
            let before = try usage(daemon)
            let silent = try RawConnection(path: daemon.socket)
            var slow: [RawConnection] = []
            for _ in 0..<100 { slow.append(try RawConnection(path: daemon.socket)) }
            for byte in Self.call.utf8Bytes.dropLast() {
                for raw in slow { try await raw.write(bytes: [byte]) }
            }
            // Only a client that sent nothing at all is cut off, however long the others take.
            #expect(try await silent.readToEnd() == "")
            #expect(try await incidents(client, "silent") == 1)
            try await daemon.expectService()
            for raw in slow {
                try await raw.write(bytes: [0])
                #expect(try await raw.read(messages: 1).hasPrefix(#"{"parameters":{"session":"#))
            }
            slow = []
            try await awaitAlone(client)
            try await expectReturn(daemon, "100 slow writers", from: before)
        }
    }

    @Test("1,000 clients that are gone in the middle of a message leave nothing behind")
    func killedClients() async throws {
        try await LiveDaemon.run(["--log-level", "error"]) { daemon in
            let client = try await settle(daemon)
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            let padding = String(repeating: "x", count: 100_000)
            func round() async throws {
                for _ in 0..<5 {
                    var clients: [RawConnection] = []
                    for number in 0..<200 {
                        let raw = try RawConnection(path: daemon.socket)
                        // Every tenth client sends a lot; every third one does not read its answer.
                        if number % 3 == 0 { try await raw.write(Self.call) }
                        try await raw.write(Self.halfCall + (number % 10 == 0 ? padding : ""))
                        clients.append(raw)
                    }
                    // Closed with unread data, as for a process that is killed.
                    clients = []
                    try await daemon.expectService()
                }
                try await awaitAlone(client)
            }
            // Once before the measurement, so that the allocator has what it keeps.
            try await round()
            let before = try usage(daemon)
            try await round()
            try await expectReturn(daemon, "1,000 killed clients", from: before, within: 8 << 10)
        }
    }

    @Test("the clients of one user cannot use up memory with incomplete messages: they are cut off")
    func hoarders() async throws {
        let settings = ["--set", "limits.inputMemoryPerUser=2000000", "--log-level", "error"]
        try await LiveDaemon.run(settings) { daemon in
            let client = try await settle(daemon)
            let before = try usage(daemon)
            var hoarders: [RawConnection] = []
            let much = String(repeating: "x", count: 600_000)
            for _ in 0..<100 {
                let raw = try RawConnection(path: daemon.socket)
                // The test looks for a client that is cut off while it writes.
                try? await raw.write(Self.halfCall + much)
                hoarders.append(raw)
            }
            try await daemon.expectService()
            let cutOff = try await incidents(client, "tooMuchMemory")
            #expect((90...98).contains(cutOff), "\(cutOff)")
            #expect(try usage(daemon).memory < before.memory + (64 << 10))
            hoarders = []
            try await awaitAlone(client)
            try await expectReturn(daemon, "100 hoarders", from: before)
        }
    }
}
