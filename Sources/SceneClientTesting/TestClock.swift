internal import Basics
internal import SceneClient
internal import StrictJSON

/// Time as an app's windows have it.
///
/// A virtual clock stands still, but while a test waits for an event or an expectation: then it goes to the end of the transition
/// under way, and to the next. It never goes further by itself than a transition lasts, so that no sign-in expires by the way.
public struct TestClock: Sendable {
    /// What time is for the windows.
    public enum Kind: Hashable, Sendable {
        /// It goes on while the test waits.
        case virtual
        /// It moves only by ``TestClock/advance(by:)``.
        case manual
        /// The machine's.
        case real
    }

    let app: TestApp

    /// The time since the daemon's start or last reset.
    /// - Throws: A refusal `RealClock` if it is the machine's.
    public var now: Duration {
        get async throws { .milliseconds(try await app.run().advance(by: 0).now) }
    }

    /// Lets time pass, and everything happen that waits for it.
    /// - Parameter duration: In whole milliseconds, not negative.
    /// - Returns: The time then.
    /// - Throws: A refusal `RealClock` if it is the machine's.
    @discardableResult
    public func advance(by duration: Duration) async throws -> Duration {
        let run = try app.run()
        try run.refuseInAdapter("advance the clock")
        return .milliseconds(try await run.advance(by: duration.wholeMilliseconds).now)
    }

    /// Lets time pass until a date.
    /// - Parameter date: In UTC: `2026-11-27`, `2026-11-27T08:00Z` or `2026-11-27T08:00:00Z`.
    /// - Returns: The time then.
    @discardableResult
    public func advance(toDate date: String) async throws -> Duration {
        let run = try app.run()
        try run.refuseInAdapter("advance the clock")
        return try await run.client.advance(toDate: date)
    }

    /// Within `body` time stands still unless it is advanced, also while the test waits: a window stays in its transition.
    public func stopped<Result>(_ body: () async throws -> Result) async throws -> Result {
        let run = try app.run()
        guard run.isVirtual else {
            throw DaemonTestError("the real clock cannot be stopped; use .daemon(clock: .virtual)")
        }
        let before = run.state.withLock { state in
            state.leftOut.insert("a clock that stood still while the test waited")
            defer { state.isAutomatic = false }
            return state.isAutomatic
        }
        defer { run.state.withLock { $0.isAutomatic = before } }
        return try await body()
    }
}

extension Duration {
    var wholeMilliseconds: Int { Int(milliseconds) }
}
