internal import Basics
public import SceneClient
internal import StrictJSON
public import Testing

/// A hold that is in force: what reaches its point stands there.
public final class TestHold: Sendable {
    /// What a hold has caught.
    public struct Catch: Hashable, Sendable {
        /// The window in which it was caught; `nil` if the app itself gets the event.
        public let scene: String?
        /// The event; `nil` for a sweep.
        public let event: String?
        /// The event's ticket in its window; `nil` for a sweep.
        public let ticket: Int?
    }

    private struct State {
        var caught: Catch?
        var isReleased = false
    }

    private let run: TestRun
    /// It belongs to a connection, on which nothing else may wait.
    private let client: SceneClient
    private let id: String
    private let scene: String?
    private let event: String?
    private let kind: DispatchKind?
    private let state = Guarded(State())

    init(_ run: TestRun, _ point: HoldPoint, scene: String?, event: String?, kind: DispatchKind?) async throws {
        (self.run, self.scene, self.event, self.kind) = (run, scene, event, kind)
        client = try await run.daemon.client()
        let reply = try await client.call(
            "io.scened.Control.Hold",
            [
                "point": .string(point.rawValue), "scene": scene.map(JSONValue.string) ?? .null,
                "event": event.map(JSONValue.string) ?? .null,
                "kind": kind.map { .string($0.rawValue) } ?? .null,
            ]
        )
        id = reply["hold"]?.stringValue ?? ""
    }

    /// What it has caught, as far as anybody has looked.
    public var caught: Catch? { state.withLock(\.caught) }

    /// Waits until it has caught something.
    @discardableResult
    public func wait() async throws -> Catch {
        if run.isVirtual { try await run.runUntil { try await look() } }
        guard try await look(within: TestRun.patience), let caught else {
            throw DaemonTestError("nothing was caught within 60 s")
        }
        return caught
    }

    /// Whether it has caught something by now, or does within this time.
    public func look(within limit: Duration = .zero) async throws -> Bool {
        if state.withLock({ $0.caught != nil || $0.isReleased }) { return caught != nil }
        do {
            let reply = try await client.call(
                "io.scened.Control.Await",
                ["hold": .string(id), "timeoutMilliseconds": .integer(limit.wholeMilliseconds)]
            )
            let found = Catch(
                scene: reply["scene"]?.stringValue,
                event: reply["event"]?.stringValue,
                ticket: reply["ticket"]?.integerValue
            )
            state.withLock { $0.caught = found }
            return true
        } catch {
            if case .timedOut = error.refusal { return false }
            throw error
        }
    }

    /// Whether it may catch this event, or keep it waiting behind what it has caught.
    func mayCatch(_ scene: String?, _ event: String) -> Bool {
        guard self.scene == nil || self.scene == scene else { return false }
        return (kind ?? .dispatch) == .dispatch && (self.event ?? event) == event || caught != nil
    }

    /// Lets everything go on that it caught; the end of its block does so too.
    public func release() async throws {
        guard !state.withLock(\.isReleased) else { return }
        _ = try? await look()
        state.withLock { $0.isReleased = true }
        run.state.withLock { state in state.holds.removeAll { $0 === self } }
        // Its connection's end releases it, whatever came before.
        await client.close()
    }

    /// Waits until it has caught something, or nothing more can come.
    func awaitCatch() async throws {
        if run.isVirtual { return try await run.runUntil { try await look() } }
        let deadline = ContinuousClock.now + TestRun.patience
        while try await !look(within: .milliseconds(20)), .now < deadline {
            if try await run.isAtRest() { return }
        }
    }
}

extension EventTarget {
    /// Holds what reaches a point of the window, or of every window, while `body` runs.
    ///
    /// An event that is sent meanwhile returns when it is caught, so the next line is the one that comes between. Afterwards everything
    /// has come to rest. A hold that catches nothing is an issue, because then the race was not tested.
    /// - Parameters:
    ///   - point: The point.
    ///   - event: Only this event.
    ///   - kind: Only first attempts, resumes of what waited for a gate, or what a commit removes.
    ///   - mustCatch: Whether it is an issue if nothing was caught.
    ///   - sourceLocation: Where an issue is reported.
    ///   - body: What happens meanwhile.
    @discardableResult
    public func at<Result>(
        _ point: HoldPoint,
        event: String? = nil,
        kind: DispatchKind? = nil,
        mustCatch: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (TestHold) async throws -> Result
    ) async throws -> Result {
        let run = try app.run()
        let hold = try await TestHold(run, point, scene: scene, event: event, kind: kind)
        run.state.withLock { $0.holds.append(hold) }
        let result: Result
        do {
            result = try await body(hold)
            if mustCatch { try await hold.awaitCatch() }
        } catch {
            try? await hold.release()
            throw error
        }
        try await hold.release()
        try await run.settle()
        try await run.awaitChanges()
        if mustCatch, hold.caught == nil {
            Issue.record(
                "the hold at '\(point.rawValue)' caught nothing, so the race was not tested; if it need not, say mustCatch: false",
                sourceLocation: sourceLocation
            )
        }
        return result
    }

    /// Holds what reaches a point while `body` runs, which needs nothing of the hold.
    @discardableResult
    public func at<Result>(
        _ point: HoldPoint,
        event: String? = nil,
        kind: DispatchKind? = nil,
        mustCatch: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Result
    ) async throws -> Result {
        try await at(point, event: event, kind: kind, mustCatch: mustCatch, sourceLocation: sourceLocation) { _ in
            try await body()
        }
    }
}
