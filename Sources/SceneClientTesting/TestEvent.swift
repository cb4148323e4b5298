internal import Basics
public import SceneClient

/// An event that a test has sent.
public struct TestEvent: Sendable {
    typealias Send = @Sendable (SceneClient, SceneClient.Delivery) async throws -> ClientReceipt

    let run: TestRun
    /// Its ID.
    public let id: String
    /// What was sent, in a few words.
    public let description: String
    let scene: String?
    let send: Send

    /// How it stands, or how it ended.
    public func receipt() async throws -> ClientReceipt { try await run.client.receipt(of: id) }

    /// Waits until its first attempt has ended.
    @discardableResult
    public func settled() async throws -> TestEvent {
        try run.refuseInAdapter("wait for another event")
        if try await outcome() == .known(.admitted) { try await wait(until: .settled) }
        return self
    }

    /// Waits until it has ended.
    @discardableResult
    public func finished() async throws -> TestEvent {
        try run.refuseInAdapter("wait for another event")
        if run.isVirtual { try await run.runUntil { try await !isOpen() } }
        if try await isOpen() { try await wait(until: .finished) }
        return self
    }

    private func outcome() async throws -> ClientWord<OutcomeName> { try await receipt().outcome }

    private func isOpen() async throws -> Bool {
        let outcome = try await outcome()
        return outcome == .admitted || outcome == .gated
    }

    /// Sent again, it is only waited for.
    private func wait(until stage: ReceiptStage) async throws {
        _ = try await run.within("event \(id) (\(description)) to be \(stage.rawValue)") {
            try await send(run.client, SceneClient.Delivery(scene: scene, event: id, wait: stage))
        }
    }

    /// Waits until it has settled or finished, or is caught by one of these holds.
    func wait(for stage: ReceiptStage, under holds: [TestHold]) async throws {
        if run.isVirtual {
            try await run.runUntil {
                for hold in holds where try await hold.look() { return true }
                return try await outcome() != .known(.admitted)
            }
            let mayStand = run.state.withLock { !$0.holds.isEmpty || !$0.isAutomatic }
            if try await outcome() == .known(.admitted), mayStand { return }
        } else if !holds.isEmpty {
            let deadline = ContinuousClock.now + TestRun.patience
            // Each look waits until something is caught; in between it may have settled without passing the point.
            while try await outcome() == .known(.admitted) {
                for hold in holds where try await hold.look(within: .milliseconds(50)) { return }
                guard .now < deadline else {
                    throw DaemonTestError("\(try await line()) was neither settled nor held within 60 s")
                }
            }
            return
        }
        if stage == .settled { try await settled() } else { try await finished() }
    }

    /// How it stands, in a line.
    func line() async throws -> String {
        let receipt = try await receipt()
        let ticket = receipt.ticket.map { "#\($0) " } ?? ""
        let gate = receipt.precondition.map { " at \($0)" } ?? ""
        let reason = receipt.reason.map { " (\($0))" } ?? ""
        return "\(ticket)\(id) (\(description)) \(receipt.outcome)\(gate)\(reason)"
    }
}
