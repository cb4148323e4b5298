import Basics
import Foundation
import Glibc
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Varlink

@testable import SceneClient

@Suite("A client that goes on when its connection is lost", .timeLimit(.minutes(15)))
struct ReconnectingTests {
    /// Goes on at once.
    private static let atOnce = {
        var reconnecting = Reconnecting(for: .seconds(60))
        reconnecting.time = Reconnecting.Time(now: { .zero }, sleep: { _ in }, chance: { 0 })
        return reconnecting
    }()

    private typealias Act = @Sendable (SceneClient) async throws -> [ClientReceipt]

    private enum Sent: String, CaseIterable, CustomTestStringConvertible {
        case link, named, set, push, told

        var testDescription: String { rawValue }

        func send(_ client: SceneClient) async throws -> [ClientReceipt] {
            switch self {
            case .link: return [try await client.openURL("qcommerce://orders", .init(scene: "A"))]
            case .named:
                let name = "named-\(UInt64.random(in: 0 ... .max))"
                return [try await client.openURL("qcommerce://cart", .init(scene: "A", event: name, wait: .admitted))]
            case .set:
                return try await client.openURLs(["qcommerce://orders", "qcommerce://home"], .init(scene: "A"))
            case .push:
                return [try await client.push(payload: ["aps": ["alert": "x"]], .init(scene: "A", wait: .finished))]
            case .told:
                let admitted = Guarded<[String]>([])
                let receipt = try await client.telling { receipts in
                    admitted.withLock { $0 += receipts.map(\.event) }
                }.openURL("qcommerce://orders", .init(scene: "A"))
                #expect(admitted.withLock { $0 } == [receipt.event], "it is told once")
                return [receipt]
            }
        }

        var method: String {
            switch self {
            case .link, .named, .told: #"Events.OpenURL""#
            case .set: #"Events.OpenURLs""#
            case .push: #"Events.Push""#
            }
        }
    }

    /// The events that were admitted, in that order.
    private static func admitted(_ daemon: LiveDaemon) async throws -> [String] {
        try await daemon.records().filter { $0["kind"] == "event.admitted" }.compactMap { $0["event"]?.stringValue }
    }

    @Test(arguments: Sent.allCases)
    private func `an event is admitted once wherever the connection is cut`(_ sent: Sent) async throws {
        try await LiveDaemon.run(["--set", "retainedEvents=100000"]) { daemon in
            _ = try await daemon.client().connect(scene: "A")
            let all = Guarded<[String]>([])
            try await CuttingProxy.run(to: daemon.socket) { proxy in
                var place = 0
                while true {
                    // Then also on the way on which the client finds out what has become of it.
                    if place % 2 == 0 { proxy.cut(after: place) } else { proxy.cut(after: place, place / 3 * 2) }
                    let client = try await SceneClient(path: proxy.path, reconnecting: Self.atOnce)
                    let receipts = try await sent.send(client)
                    all.withLock { $0 += receipts.map(\.event) }
                    #expect(
                        Set(proxy.requests.filter { $0.contains(sent.method) }).count == 1,
                        "the same bytes each time"
                    )
                    await client.close()
                    if proxy.made == 0 { break }
                    place += 1
                }
                #expect(place > 300, "so many bytes have passed")
            }
            let admitted = try await Self.admitted(daemon)
            #expect(admitted.sorted() == all.withLock { $0 }.sorted())
            #expect(Set(admitted).count == admitted.count)
        }
    }

    @Test func `what only reads is made again`() async throws {
        try await LiveDaemon.run { daemon in
            _ = try await daemon.client().connect(scene: "A")
            try await CuttingProxy.run(to: daemon.socket, countingStatus: true) { proxy in
                var place = 0
                repeat {
                    proxy.cut(after: place, place / 2)
                    let client = try await SceneClient(path: proxy.path, reconnecting: Self.atOnce)
                    #expect(try await client.scenes().map(\.id) == ["A"])
                    #expect(try await client.interfaces().count > 5)
                    await client.close()
                    place += 211
                } while proxy.made > 0
                #expect(place > 10_000)
            }
        }
    }

    @Test func `what cannot be repeated is sent once, and what is not known is said`() async throws {
        try await LiveDaemon.run { daemon in
            let direct = try await daemon.client()
            try await CuttingProxy.run(to: daemon.socket) { proxy in
                var revision = try await direct.session().revision
                var outcomes = (done: 0, unsure: 0)
                var place = 0
                repeat {
                    proxy.cut(after: place)
                    let client = try await SceneClient(path: proxy.path, reconnecting: Self.atOnce)
                    var isSure = true
                    do throws(SceneClientError) {
                        _ = try await client.signIn(user: "user-\(place)")
                        outcomes.done += 1
                    } catch {
                        guard case .unsure(let method, let event, _) = error else { throw error }
                        #expect(method == "io.scened.Session.SignIn" && event == nil)
                        #expect("\(error)".contains("it may have been done"))
                        outcomes.unsure += 1
                        isSure = false
                    }
                    let next = try await direct.session().revision
                    #expect(next == revision + 1 || !isSure && next == revision, "\(place)")
                    #expect(proxy.requests.count { $0.contains("SignIn") } <= 1)
                    revision = next
                    await client.close()
                    place += 1
                } while proxy.made > 0
                #expect(
                    outcomes.done >= 2 && outcomes.unsure > 100,
                    "before the first byte and after the last one it is sure"
                )
            }
        }
    }

    @Test func `a commit for a revision is made once at most`() async throws {
        try await LiveDaemon.run { daemon in
            let direct = try await daemon.client()
            try await CuttingProxy.run(to: daemon.socket) { proxy in
                var outcomes = (done: 0, unsure: 0)
                var place = 0
                repeat {
                    proxy.cut(after: place)
                    let revision = try await direct.session().revision
                    let client = try await SceneClient(path: proxy.path, reconnecting: Self.atOnce)
                    do throws(SceneClientError) {
                        let market = place % 2 == 0 ? "de" : "us"
                        _ = try await client.commit(set: ["market": .string(market)], expectedRevision: revision)
                        outcomes.done += 1
                    } catch {
                        guard case .unsure(_, nil, let reason) = error else { throw error }
                        #expect(reason.contains("RevisionConflict"))
                        outcomes.unsure += 1
                    }
                    #expect(try await direct.session().revision == revision + 1, "\(place)")
                    await client.close()
                    place += 1
                } while proxy.made > 0
                #expect(outcomes.done > 50 && outcomes.unsure > 50)
            }
        }
    }

    @Test func `records are followed without loss and without doubles`() async throws {
        try await LiveDaemon.run { daemon in
            let direct = try await daemon.client()
            _ = try await direct.connect(scene: "A")
            for _ in 0..<5 { _ = try await direct.openURL("qcommerce://orders", .init(scene: "A")) }
            let all = try await daemon.records().compactMap { $0["index"]?.integerValue }
            try await CuttingProxy.run(to: daemon.socket) { proxy in
                var place = 0
                repeat {
                    // The client's own connection is the first.
                    proxy.cut(after: .max, place, place / 2)
                    let client = try await SceneClient(path: proxy.path, reconnecting: Self.atOnce)
                    var seen: [Int] = []
                    for try await page in client.followRecords() {
                        seen += page.map(\.index)
                        if seen.count >= all.count { break }
                    }
                    #expect(seen == all, "\(place)")
                    await client.close()
                    place += 37
                } while proxy.made > 0
                #expect(place > 2_000)
            }
        }
    }

    @Test(arguments: [false, true])
    func `what was forgotten is not done again`(_ areRecordsLost: Bool) async throws {
        let limits = ["--set", "retainedEvents=1", "--set", "retainedRecords=1000"]
        try await LiveDaemon.run(limits) { daemon in
            let direct = try await daemon.client()
            _ = try await direct.connect(scene: "A")
            let count = areRecordsLost ? 300 : 3
            let atCut: @Sendable () async throws -> Void = {
                for number in 0..<count {
                    _ = try await direct.openURL("qcommerce://orders", .init(scene: "A", event: "o\(number)"))
                }
            }
            try await CuttingProxy.run(to: daemon.socket, atCut: atCut) { proxy in
                let client = try await SceneClient(path: proxy.path, reconnecting: Self.atOnce)
                let probe = try await client.openURL("qcommerce://home", .init(scene: "A", event: "a"))
                #expect(!probe.isDuplicate)
                await client.close()
                let request = try #require(proxy.requests.last)
                // All of the request, and nothing of the reply.
                proxy.cut(after: request.utf8.count)
                let other = try await SceneClient(path: proxy.path, reconnecting: Self.atOnce)
                let said = areRecordsLost ? "are no longer retained" : "the daemon has forgotten what became of it"
                do throws(SceneClientError) {
                    _ = try await other.openURL("qcommerce://home", .init(scene: "A", event: "b"))
                    Issue.record("it is not known")
                } catch {
                    guard case .unsure(_, "b", let reason) = error else { throw error }
                    #expect(reason.contains(said), "\(reason)")
                    #expect(!error.leavesEventOpen, "it is not to be sent again")
                }
                #expect(proxy.requests.count { $0.contains("OpenURL") } == 1)
            }
        }
    }

    @Test func `another host is told, and gets nothing`() async throws {
        let directory = try TemporaryDirectory()
        let client = Guarded<SceneClient?>(nil)
        let host = Guarded("")
        let sent = Guarded<Task<Result<ClientReceipt, SceneClientError>, Never>?>(nil)
        _ = try await LiveDaemon.ending(directory: directory) { daemon in
            let made = try await SceneClient(path: daemon.socket, reconnecting: Reconnecting(for: .seconds(600)))
            client.withLock { $0 = made }
            _ = try await made.connect(scene: "A")
            let direct = try await daemon.client()
            _ = try await direct.call("io.scened.Control.Hold", ["point": "admitted"])
            let id = try await direct.call("io.scened.Manager.GetStatus")["host"]?.stringValue ?? ""
            host.withLock { $0 = id }
            let task = Task { () -> Result<ClientReceipt, SceneClientError> in
                do throws(SceneClientError) {
                    return .success(try await made.openURL("qcommerce://home", .init(scene: "A", event: "mine")))
                } catch {
                    return .failure(error)
                }
            }
            sent.withLock { $0 = task }
            try await daemon.record("event.admitted", event: "mine")
            daemon.signal(SIGKILL)
            await direct.close()
        }
        _ = try await LiveDaemon.ending(directory: directory) { daemon in
            let result = await sent.withLock { $0 }?.value
            let id = try await daemon.client().call("io.scened.Manager.GetStatus")["host"]?.stringValue ?? ""
            #expect(result == .failure(.hostChanged(from: host.withLock { $0 }, to: id, event: "mine")))
            #expect(try await Self.admitted(daemon) == [])
            // The client stays with its host; another one is made for the other.
            let made = try #require(client.withLock { $0 })
            await #expect(throws: SceneClientError.hostChanged(from: host.withLock { $0 }, to: id, event: nil)) {
                _ = try await made.session()
            }
            daemon.stop()
        }
    }

    @Test func `a reset by somebody else is told with the next question, and from then on`() async throws {
        try await LiveDaemon.run { daemon in
            let now = Guarded(Duration.zero)
            var reconnecting = Self.atOnce
            reconnecting.time = Reconnecting.Time(now: { now.withLock { $0 } }, sleep: { _ in }, chance: { 0 })
            let client = try await SceneClient(path: daemon.socket, reconnecting: reconnecting)
            _ = try await client.connect(scene: "A")
            try await daemon.client().reset()
            // What reads asks nothing on a connection that lives.
            #expect(try await client.scenes().isEmpty)
            now.withLock { $0 = .seconds(2) }
            for isRead in [false, true, false] {
                do throws(SceneClientError) {
                    if isRead {
                        _ = try await client.scenes()
                    } else {
                        _ = try await client.openURL("qcommerce://home", .init(scene: "A"))
                    }
                    Issue.record("it is another host")
                } catch {
                    guard case .hostChanged(_, _, nil) = error else { throw error }
                }
            }
            #expect(try await Self.admitted(daemon) == [])
        }
    }

    @Test func `its own reset is no other host`() async throws {
        try await LiveDaemon.run { daemon in
            try await CuttingProxy.run(to: daemon.socket) { proxy in
                let client = try await SceneClient(path: proxy.path, reconnecting: Self.atOnce)
                _ = try await client.connect(scene: "A")
                try await client.reset()
                _ = try await client.connect(scene: "A")
                let receipt = try await client.openURL("qcommerce://orders", .init(scene: "A"))
                #expect(try await client.receipt(of: receipt.event).ticket == 1)
                #expect(proxy.connections == 1)
            }
        }
    }

    @Test func `after its time it says what is not known`() async throws {
        let directory = try TemporaryDirectory()
        var client: SceneClient?
        let now = Guarded(Duration.zero)
        let pauses = Guarded<[Duration]>([])
        var reconnecting = Reconnecting(for: .seconds(5), eventID: { "made" })
        reconnecting.time = Reconnecting.Time(
            now: { now.withLock { $0 } },
            sleep: { length in
                pauses.withLock { $0.append(length) }
                now.withLock { $0 += length }
            },
            chance: { 0.5 }
        )
        var sent: Task<ClientReceipt, any Error>?
        _ = try await LiveDaemon.ending(directory: directory) { [reconnecting] daemon in
            let made = try await SceneClient(path: daemon.socket, reconnecting: reconnecting)
            client = made
            _ = try await made.connect(scene: "A")
            let direct = try await daemon.client()
            _ = try await direct.call("io.scened.Control.Hold", ["point": "admitted"])
            sent = Task { try await made.openURL("qcommerce://home", .init(scene: "A")) }
            try await daemon.record("event.admitted", event: "made")
            daemon.signal(SIGKILL)
            await direct.close()
        }
        let result = await sent?.result
        guard case .failure(let error as SceneClientError) = result, case .unsure(_, "made", _) = error else {
            Issue.record("\(String(describing: result))")
            return
        }
        #expect("\(error)".contains("the event made was sent and may have been admitted"))
        #expect(error.leavesEventOpen)
        let all = pauses.withLock { $0 }
        #expect(all.prefix(4) == [.microseconds(7_500), .milliseconds(15), .milliseconds(30), .milliseconds(60)])
        #expect(all.max() == .milliseconds(750) && all.reduce(.zero, +) == .seconds(5))
        // What was not sent is not in doubt.
        do throws(SceneClientError) {
            _ = try await client?.openURL("qcommerce://home")
            Issue.record("nobody is there")
        } catch {
            guard case .noDaemon = error else { throw error }
        }
    }

    @Test func `a call beyond the limits is an error at once`() async throws {
        try await LiveDaemon.run { daemon in
            let long = JSONValue.string(String(repeating: "x", count: 1 << 20))
            let deep = (0..<64).reduce(JSONValue.null) { value, _ in .array([value]) }
            let ways: [Reconnecting?] = [nil, Reconnecting(for: .seconds(100_000))]
            for reconnecting in ways {
                for (payload, said) in [
                    (long, "bytes, more than limits.message, which is 1048576 unless set"),
                    (deep, "the call is 67 levels deep, more than limits.nesting, which is 64 unless set"),
                ] {
                    let client = try await SceneClient(path: daemon.socket, reconnecting: reconnecting)
                    do throws(SceneClientError) {
                        _ = try await client.push(payload: ["aps": ["alert": "x"], "mine": payload])
                        Issue.record("it is beyond the limit")
                    } catch {
                        guard case .connectionLost(let reason) = error else { throw error }
                        #expect(reason.hasSuffix(said), "\(reason)")
                        #expect(!error.leavesEventOpen, "it would be refused again")
                    }
                }
            }
            #expect(try await Self.admitted(daemon) == [])
        }
    }

    @Test func `by default a lost connection is an error`() async throws {
        try await LiveDaemon.run { daemon in
            try await CuttingProxy.run(to: daemon.socket) { proxy in
                proxy.cut(after: 30)
                let client = try await SceneClient(path: proxy.path)
                do throws(SceneClientError) {
                    _ = try await client.openURL("qcommerce://orders")
                    Issue.record("it is lost")
                } catch {
                    guard case .connectionLost = error else { throw error }
                }
                #expect(proxy.connections == 1 && proxy.requests.isEmpty)
            }
        }
    }

    @Test func `each method says whether it is repeated, and here and in Python the same`() throws {
        var declared: [String] = []
        for file in ProtocolFilesTests.files {
            let interface = try VarlinkInterface(parsing: ProtocolFilesTests.text(file))
            declared += interface.methodNames.map { "\(interface.name).\($0)" }
        }
        #expect(Repetition.table.map(\.method).sorted() == declared.sorted())
        let python = try String(
            contentsOfFile: "\(ProtocolFilesTests.folder)/python/src/scened/_repeating.py",
            encoding: .utf8
        )
        let there = python.matches(of: #/"(io\.scened\.\w+\.\w+)": "(\w+)",/#).map { "\($0.1) \($0.2)" }
        #expect(there.sorted() == Repetition.table.map { "\($0.method) \($0.repetition.rawValue)" }.sorted())
    }

    /// An app in which every tap counts once.
    private static let counter = """
        format: 2
        version: "1"
        name: Counter
        schemes: [counter]
        facts:
          count: { type: integer, default: 0 }
        tabs: { home: home }
        destinations:
          home:
            tab: home
            routes: ["counter://home"]
        intents:
          tapped: { effects: [{ add: count, value: 1 }] }
        """

    @Test func `each tap counts once however often the daemon is killed and started again`() async throws {
        let directory = try TemporaryDirectory()
        try Self.counter.write(toFile: "\(directory.path)/counter.yaml", atomically: true, encoding: .utf8)
        let arguments = ["--app", "\(directory.path)/counter.yaml", "--state", "\(directory.path)/state"]
        let socket = "\(directory.path)/io.scened"
        let (senders, taps) = (6, 40)
        let answered = Guarded<[ClientReceipt]>([])
        let followed = Guarded<[Int]>([])
        _ = try await LiveDaemon.ending(arguments, directory: directory) { daemon in
            let client = try await daemon.client()
            for scene in ["A", "B"] { _ = try await client.connect(scene: scene) }
            daemon.signal(SIGKILL)
        }
        try await withThrowingTaskGroup { group in
            for sender in 0..<senders {
                group.addTask {
                    let client = try await SceneClient(path: socket, reconnecting: Reconnecting(for: .seconds(600)))
                    for _ in 0..<taps {
                        let scene = sender % 2 == 0 ? "A" : "B"
                        let receipt = try await client.sendIntent("tapped", .init(scene: scene))
                        answered.withLock { $0.append(receipt) }
                    }
                }
            }
            let follower = Task {
                let client = try await SceneClient(path: socket, reconnecting: Reconnecting(for: .seconds(600)))
                for try await page in client.followRecords() { followed.withLock { $0 += page.map(\.index) } }
            }
            defer { follower.cancel() }
            for life in 1...6 {
                _ = try await LiveDaemon.ending(arguments, directory: directory) { daemon in
                    try await until("so many are answered") { answered.withLock { $0.count } >= life * life * 5 }
                    // In order or not.
                    daemon.signal(life % 3 == 0 ? SIGTERM : SIGKILL)
                }
            }
            _ = try await LiveDaemon.ending(arguments, directory: directory) { daemon in
                try await until("all are answered") { answered.withLock { $0.count } == senders * taps }
                let client = try await daemon.client()
                try await client.quiesce(timeout: .seconds(120))
                #expect(try await client.session().facts["count"] == .integer(senders * taps))
                let check = try await client.call("io.scened.Records.Check")
                #expect(check["conclusion"] == "holds", "\(JSONValue.object(check).text())")
                let events = answered.withLock { $0.map(\.event) }
                #expect(events.count == senders * taps)
                #expect(try await Self.admitted(daemon).sorted() == events.sorted())
                let newest = try await daemon.records().count
                try await until("all records are read") { followed.withLock { $0.last } ?? 0 >= newest }
                #expect(followed.withLock { $0 } == Array(1...newest))
                daemon.signal(SIGKILL)
            }
        }
    }
}
