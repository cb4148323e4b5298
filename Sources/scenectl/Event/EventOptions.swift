public import ArgumentParser
internal import CommandConsole
public import SceneClient

/// The event's ID, how long to wait and what to expect: options of everything that is an event.
struct EventOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Your ID for the event. Sending it again does nothing and prints the first receipt.",
            valueName: "id"
        )
    )
    var event: String?

    @Option(
        help: "When to return: admitted (at once), settled (first attempt ended), finished (no longer gated)."
    )
    var wait: ReceiptStage = .settled

    @Option(
        help: ArgumentHelp(
            "The outcomes that are expected, each perhaps with its reason or precondition: applied, gated:signedIn, rejected:inStock. The exit status is 5 if it comes otherwise; with several URLs, if one of them does.",
            valueName: "outcome,…"
        ),
        transform: Expectations.init(parsing:)
    )
    var expect: Expectations?

    @OptionGroup var patience: PatienceOptions

    func validate() throws { try expect?.check(at: wait) }

    /// Sends an event, prints its receipts, and compares them with what is expected.
    /// - Parameters:
    ///   - isSet: Whether it is a set, which makes the events `mail/1`, `mail/2`.
    ///   - send: Makes the call and returns the receipts, in the order given.
    func send(
        to scene: String?,
        _ daemon: LastingDaemonOptions,
        isSet: Bool = false,
        _ send: @escaping @Sendable (SceneClient, SceneClient.Delivery) async throws -> [ClientReceipt]
    ) async throws {
        try await self.send(to: { _ in scene }, daemon, isSet: isSet, send)
    }

    fileprivate func send(
        to scene: @escaping @Sendable (SceneClient) async throws -> String?,
        _ daemon: LastingDaemonOptions,
        isSet: Bool = false,
        _ send: @escaping @Sendable (SceneClient, SceneClient.Delivery) async throws -> [ClientReceipt]
    ) async throws {
        let sent = SentEvent(id: event, isSet: isSet, patience: daemon.reconnect)
        let patience = Patience(
            limit: patience.timeout,
            what: "the event to be \(wait.rawValue)",
            afterwards: { sent.afterwards }
        ) {
            try await Self.standings(of: sent.admitted, daemon.once)
        }
        let receipts = try await patience.wait {
            let client = try await daemon.once.connect(reconnecting: daemon.reconnecting(eventID: sent.makeID))
            try await expect?.checkReasons(client)
            let delivery = SceneClient.Delivery(scene: try await scene(client), event: event, wait: wait)
            do {
                return try await send(client.telling(sent.admit), delivery)
            } catch let error as SceneClientError {
                throw sent.unanswered(error) ?? error
            }
        }
        if receipts.count == 1 {
            Printing.receipt(receipts[0], json: daemon.json)
        } else {
            Printing.receipts(receipts, json: daemon.json)
        }
        try expect?.compare(receipts)
    }

    /// Where those events stand that have not ended.
    private static func standings(of events: [String], _ daemon: DaemonOptions) async throws -> [Standing] {
        // Without a daemon nothing is known.
        let client = try await daemon.connect()
        guard !events.isEmpty else { return [.notAdmitted] }
        var standings: [Standing] = []
        for event in events {
            let standing = try await client.standing(of: event)
            if standing.receipt.outcome == .admitted || standing.receipt.outcome == .gated {
                standings.append(Standing(standing))
            }
        }
        return standings
    }
}

/// Options of an event from outside, which need not name a window.
struct DeliveryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The window to send it to. Default: the daemon chooses, as iOS would.", valueName: "id"),
        completion: .windows
    )
    var scene: String?

    @OptionGroup var event: EventOptions

    /// Sends an event with one receipt; see ``EventOptions/send(to:_:_:)``.
    func send(
        to scene: String? = nil,
        _ daemon: LastingDaemonOptions,
        _ send: @escaping @Sendable (SceneClient, SceneClient.Delivery) async throws -> ClientReceipt
    ) async throws {
        try await event.send(to: scene ?? self.scene, daemon) { [try await send($0, $1)] }
    }
}

/// Options of an event inside a window, which has to name it.
struct WindowDeliveryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The window in which it happens. Default: the only one open.", valueName: "id"),
        completion: .windows
    )
    var scene: String?

    @OptionGroup var event: EventOptions

    /// Sends an event, to the only open window if none is named; see ``EventOptions/send(to:_:_:)``.
    func send(
        _ daemon: LastingDaemonOptions,
        _ send: @escaping @Sendable (SceneClient, SceneClient.Delivery) async throws -> ClientReceipt
    ) async throws {
        let scene = scene
        try await event.send(to: { try await Self.window(scene, $0) }, daemon) { [try await send($0, $1)] }
    }

    private static func window(_ named: String?, _ client: SceneClient) async throws -> String {
        if let named { return named }
        let open = try await client.scenes().map(\.id)
        guard let only = open.first else {
            throw CommandError.usage("No window is open. 'scenectl connect A' opens one.")
        }
        guard open.count == 1 else {
            throw CommandError.usage(
                "Several windows are open; choose one with --scene: \(open.prefix(8).joined(separator: ", "))."
            )
        }
        return only
    }
}

extension ReceiptStage: ExpressibleByArgument {}
