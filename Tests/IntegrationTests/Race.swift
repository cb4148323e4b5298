import SceneClient
import SceneHistory
import SceneManifest
import SceneModel
import SceneRouting
import StrictJSON
import Testing
import Varlink

/// Two windows of a live daemon, and the means to order what happens in them.
///
/// At the end every invariant is checked over the whole history.
struct Race: Sendable {
    let daemon: LiveDaemon
    /// A client for calls that do not wait long.
    let client: SceneClient
    /// The connection that sets the holds.
    private let lever: VarlinkClient

    static func run(
        _ arguments: [String] = [],
        windows: [String] = ["A", "B"],
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (Race) async throws -> Void
    ) async throws {
        try await LiveDaemon.run(arguments, sourceLocation: sourceLocation) { daemon in
            let race = Race(daemon: daemon, client: try await daemon.client(), lever: try await daemon.connect())
            // A connection counts once the daemon has accepted it.
            _ = try await race.lever.call("io.scened.Manager.GetStatus")
            for window in windows { _ = try await race.client.connect(scene: window) }
            try await body(race)
            try await race.quiesce()
            let shop = arguments.contains("--app") ? [] : [AppModel(try AppManifest.builtInShop())]
            var checker = HistoryChecker(apps: shop)
            for record in try await daemon.records() { checker.check(try HistoryRecord(record)) }
            let report = checker.finish()
            // What coordinators in Swift decide no model knows: none of that is wrong, and the rest holds.
            let isKnown = !EitherDaemon.isInSwift || arguments.contains("--app")
            #expect(
                isKnown ? report.conclusion == .holds : report.conclusion != .violated,
                "\(report)",
                sourceLocation: sourceLocation
            )
        }
    }

    // MARK: - Levers

    func hold(_ point: String, _ scene: String? = nil, event: String? = nil, kind: String? = nil) async throws -> Hold {
        try await lever.hold(point, scene, event: event, kind: kind)
    }

    func quiesce() async throws {
        try await client.quiesce(timeout: .seconds(120))
    }

    // MARK: - Events

    /// Sends a link without waiting, with an ID for ``outcome(_:)``.
    func send(_ link: String, to scene: String = "A", as event: String) async throws {
        _ = try await client.openURL("qcommerce://\(link)", .init(scene: scene, event: event, wait: .admitted))
    }

    /// Sends a link and waits for the end of its first attempt.
    @discardableResult
    func open(_ link: String, in scene: String = "A", as event: String? = nil) async throws -> ClientReceipt {
        try await client.openURL("qcommerce://\(link)", .init(scene: scene, event: event))
    }

    /// Calls any method of `io.scened.Events` for a window and returns the receipt.
    @discardableResult
    func call(_ method: String, _ parameters: JSONObject, in scene: String = "A", wait: String = "settled") async throws
        -> JSONObject
    {
        var parameters = parameters
        parameters["scene"] = .string(scene)
        parameters["wait"] = .string(wait)
        return try await client.call("io.scened.Events.\(method)", parameters)["receipt"]?.objectValue ?? [:]
    }

    // MARK: - Looking

    /// The event's current outcome: `applied`, `rejected: cartNotEmpty`, `gated: signedIn`.
    func outcome(_ event: String) async throws -> String {
        let receipt = try await client.receipt(of: event)
        return ["\(receipt.outcome)", receipt.reason ?? receipt.precondition].compactMap { $0 }.joined(separator: ": ")
    }

    /// What a window shows, from the root of the selected tab up.
    func shown(_ scene: String = "A") async throws -> [String] {
        try await client.scene(scene).window?.trail ?? []
    }

    /// The records of a kind about an event.
    func records(_ kind: String, of event: String) async throws -> [JSONObject] {
        try await daemon.records(event: event).filter { $0["kind"]?.stringValue == kind }
    }
}
