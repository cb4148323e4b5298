import Foundation
import Glibc
import Basics
import SceneClient
import StrictJSON
import Subprocess
import SystemPackage
import TestFixtures
import Testing
import Varlink

/// A process of the built `scened` for one test, on a private socket.
struct LiveDaemon: Sendable {
    /// The socket's path.
    let socket: String
    /// Where its standard error goes.
    let log: String
    let processID: Int32
    private let isStopping = Guarded(false)

    /// With `TEST_DAEMON_NICE=19`, daemons run after everything else on the machine, so on a busy one each reply is far behind what
    /// its test does next: a test that expects something to be over without having waited for it fails.
    private static let niceness =
        ProcessInfo.processInfo.environment["TEST_DAEMON_NICE"].map { ["nice", "-n", $0] } ?? []

    /// The program for these arguments, unless a test names one.
    private static func usual(_ arguments: [String]) -> String {
        arguments.contains("--app") ? Command.built("scened") : EitherDaemon.shop
    }

    /// How a daemon ended.
    struct Ending: Sendable {
        let status: TerminationStatus
        /// What it wrote to standard error.
        let log: String
        /// Whether its socket's path still existed.
        let leftSocket: Bool
        /// From the end of the test's body to the end of the process.
        let stopping: Duration
    }

    /// Runs a daemon while `body` runs, then stops it, and expects status 0 and an empty log.
    static func run(
        _ arguments: [String] = [],
        program: String? = nil,
        environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (LiveDaemon) async throws -> Void
    ) async throws {
        let ending = try await ending(arguments, program: program, environment: environment) { daemon in
            try await body(daemon)
            daemon.stop()
        }
        let comment = Comment(rawValue: ending.log)
        #expect(ending.status == .exited(0), comment, sourceLocation: sourceLocation)
        #expect(!ending.leftSocket, "the socket was left behind", sourceLocation: sourceLocation)
    }

    /// Runs a daemon while `body` runs, and waits until it ends; `body` has to end it.
    ///
    /// - Parameter launcher: The command that starts it, in front of its command line; `SOCKET` stands for the socket's path.
    static func ending(
        _ arguments: [String] = [],
        program: String? = nil,
        launcher: [String] = [],
        environment: [String: String] = [:],
        directory given: TemporaryDirectory? = nil,
        _ body: (LiveDaemon) async throws -> Void
    ) async throws -> Ending {
        let directory = try given ?? TemporaryDirectory()
        let socket = "\(directory.path)/io.scened"
        let log = "\(directory.path)/log"
        let words =
            niceness + launcher.map { $0.replacing("SOCKET", with: socket) }
            + [program ?? usual(arguments), "--config", "/dev/null", "--socket", socket, "--log-level", "warning"]
            // On a busy machine minutes pass between a client's connection and its first call.
            + ["--set", "limits.firstByte=900000"] + arguments
        let errors = try FileDescriptor.open(
            FilePath(log),
            .writeOnly,
            options: [.create, .append, .closeOnExec],
            permissions: .ownerReadWrite
        )
        let changes: [Environment.Key: String?] = ["LISTEN_FDS": nil, "LISTEN_PID": nil, "NOTIFY_SOCKET": nil]
        let additions = environment.map { (Environment.Key(stringLiteral: $0.key), String?.some($0.value)) }
        let outcome = try await Subprocess.run(
            words[0].hasPrefix("/") ? .path(FilePath(words[0])) : .name(words[0]),
            arguments: Arguments(Array(words.dropFirst())),
            environment: .inherit.updating(changes.merging(additions) { $1 }),
            input: .none,
            output: .discarded,
            error: .fileDescriptor(errors, closeAfterSpawningProcess: true)
        ) { execution in
            let daemon = LiveDaemon(socket: socket, log: log, processID: execution.processIdentifier.value)
            do {
                try await daemon.awaitSocket(launched: !launcher.isEmpty)
                try await body(daemon)
            } catch {
                // No process may be left behind; the log says what went wrong.
                daemon.signal(SIGKILL)
                Issue.record("\(error); the daemon's log: \(daemon.readLog())")
            }
            return ContinuousClock.now
        }
        let daemon = LiveDaemon(socket: socket, log: log, processID: 0)
        let leftSocket = access(socket, F_OK) == 0
        return Ending(
            status: outcome.terminationStatus,
            log: daemon.readLog(),
            leftSocket: leftSocket,
            stopping: .now - outcome.closureResult
        )
    }

    /// A new connection.
    func connect() async throws -> VarlinkClient { try await VarlinkClient.connect(path: socket) }

    /// A new connection of the typed client.
    func client() async throws -> SceneClient { try await SceneClient(path: socket) }

    func signal(_ number: Int32) { kill(processID, number) }

    /// Sends SIGTERM, but only once: a second signal would end the daemon at once.
    func stop() {
        let isFirst = isStopping.withLock { isStopping in
            defer { isStopping = true }
            return !isStopping
        }
        if isFirst { signal(SIGTERM) }
    }

    /// Runs a script that 'race --export' wrote; everything has to come out on this daemon as in the race.
    func comesOut(asExportedIn script: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let run = try await Program.run(
            "bash",
            [script],
            environment: ["SCENED_SOCKET": socket, "SCENECTL": Command.built("scenectl")]
        )
        let isSame = run.status == .exited(1) && run.output.contains("Everything came out as in the race.")
        let text = try String(contentsOfFile: script, encoding: .utf8)
        #expect(isSame, "\(run.output)\(run.errors)\(text)", sourceLocation: sourceLocation)
    }

    func readLog() -> String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    /// Waits until the socket accepts connections. With a launcher it waits for the launcher's message, because connecting would
    /// start the daemon. It polls: being notified would need a service manager or a log, and tests look at both.
    private func awaitSocket(launched: Bool) async throws {
        try await until("somebody listens") {
            guard kill(processID, 0) == 0 else { throw DaemonFailure(reason: "it ended before it listened") }
            return launched ? readLog().contains("Listening on") : (try? RawConnection(path: socket)) != nil
        }
    }

    // MARK: - Looking

    /// The first record after `index` that `matches` accepts, waiting for it if need be.
    @discardableResult
    func record(
        after index: Int = 0,
        scene: String? = nil,
        event: String? = nil,
        where matches: (JSONObject) -> Bool
    ) async throws -> JSONObject {
        var query: JSONObject = ["after": .integer(index)]
        query["scene"] = scene.map(JSONValue.string)
        query["event"] = event.map(JSONValue.string)
        for try await page in try await connect().callMore("io.scened.Records.Read", query) {
            for case .object(let record) in page["records"]?.arrayValue ?? [] where matches(record) { return record }
        }
        throw DaemonFailure(reason: "the records ended without the one awaited")
    }

    /// The first record of this kind after `index`.
    @discardableResult
    func record(_ kind: String, after index: Int = 0, scene: String? = nil, event: String? = nil) async throws
        -> JSONObject
    {
        try await record(after: index, scene: scene, event: event) { $0["kind"]?.stringValue == kind }
    }

    /// Every record so far.
    func records(scene: String? = nil, event: String? = nil) async throws -> [JSONObject] {
        let client = try await client()
        var all: [JSONObject] = []
        var position = 0
        while true {
            let (page, next) = try await client.records(after: position, scene: scene, event: event, limit: 10_000)
            all += page.map(\.reply)
            guard next > position else { return all }
            position = next
        }
    }

    /// Expects that the daemon serves a new client.
    func expectService(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let scenes = try await connect().call("io.scened.Scenes.List")
        #expect(scenes["scenes"]?.arrayValue != nil, sourceLocation: sourceLocation)
        let receipt = try await client().openURL("qcommerce://product/p1")
        #expect(receipt.outcome == .applied || receipt.outcome == .unchanged, sourceLocation: sourceLocation)
    }
}

/// Why a test failed.
struct DaemonFailure: Error {
    let reason: String
}

extension VarlinkClient {
    /// The error that a call is answered with; `nil` if it succeeds.
    func refusal(_ method: String, _ parameters: JSONObject = [:]) async throws -> VarlinkError? {
        do {
            _ = try await call(method, parameters)
            return nil
        } catch let error as VarlinkError {
            return error
        }
    }

    /// Sends an event and returns its receipt.
    func send(_ method: String, _ parameters: JSONObject) async throws -> JSONObject {
        try await call("io.scened.Events.\(method)", parameters)["receipt"]?.objectValue ?? [:]
    }
}

extension JSONObject {
    /// The destinations of the selected tab's stack, then those of each modal, in a window.
    var trail: [String] {
        func names(_ stack: JSONValue?) -> [String] { (stack?.arrayValue ?? []).compactMap { $0["id"]?.stringValue } }
        let tab = self["tabs"]?.arrayValue?.first { $0["id"] == self["selectedTab"] }
        return names(tab?["stack"]) + (self["modals"]?.arrayValue ?? []).flatMap { names($0["stack"]) }
    }
}

extension ClientWindow {
    /// The destinations of the selected tab's stack, then those of each modal.
    var trail: [String] {
        (tabs.first { $0.id == selectedTab }?.stack ?? []).map(\.description)
            + modals.flatMap { $0.stack.map(\.description) }
    }
}
