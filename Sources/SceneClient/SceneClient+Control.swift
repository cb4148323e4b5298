internal import Basics
package import StrictJSON

extension SceneClient {
    /// Advances a virtual clock.
    /// - Parameter duration: By how much, in whole milliseconds.
    /// - Returns: The clock's time afterwards, since the daemon's start or last reset.
    @discardableResult
    public func advance(by duration: Duration) async throws(SceneClientError) -> Duration {
        try await advance(["milliseconds": .milliseconds(duration)]).now
    }

    /// Advances a virtual clock to a date.
    /// - Parameter date: In UTC: `2026-11-27`, `2026-11-27T08:00Z` or `2026-11-27T08:00:00Z`.
    /// - Returns: The clock's time afterwards, since the daemon's start or last reset.
    /// - Throws: A ``SceneClientError`` whose refusal is ``DaemonError/timePassed(now:date:)``, when it is later already.
    @discardableResult
    public func advance(toDate date: String) async throws(SceneClientError) -> Duration {
        try await advance(["date": .string(date)]).now
    }

    /// Advances a virtual clock to a time since the daemon's start or last reset.
    /// - Parameter time: In whole milliseconds.
    /// - Returns: The clock's time afterwards, which is this one.
    /// - Throws: A ``SceneClientError`` whose refusal is ``DaemonError/timePassed(now:date:)``, when it is later already.
    @discardableResult
    public func advance(to time: Duration) async throws(SceneClientError) -> Duration {
        try await advance(["time": .milliseconds(time)]).now
    }

    /// Advances a virtual clock as far as the parameters of `Advance` say.
    /// - Returns: The clock's time afterwards, and its date; `nil` from an older daemon.
    package func advance(_ parameters: JSONObject) async throws(SceneClientError) -> (now: Duration, date: String?) {
        let reply = try await call("io.scened.Control.Advance", parameters)
        return try Self.read { () throws(JSONFieldError) in
            let reader = JSONReader(reply)
            return (.milliseconds(try reader["now"].integer()), try reader.optional("date")?.text())
        }
    }

    /// Starts over: no windows, nobody signed in, tickets and IDs as at the start.
    /// - Parameters:
    ///   - seed: Determines what is random in the new host, but never its ID, which no other history has.
    ///   - start: The date with which a virtual clock begins, in UTC, such as `2026-11-27T08:00Z`; `nil` for the one that the
    ///     daemon is configured with, or else now.
    /// - Returns: The new host's ID.
    @discardableResult
    public func reset(seed: Int? = nil, start: String? = nil) async throws(SceneClientError) -> String {
        let seed = seed.map(JSONValue.integer) ?? .null
        let reply = try await call("io.scened.Control.Reset", ["seed": seed, "start": .text(start)])
        return try Self.read { () throws(JSONFieldError) in try JSONReader(reply)["host"].text() }
    }

    /// Waits until nothing is going on, in one window or in all. A parked event does not count.
    /// - Parameters:
    ///   - scene: The window; `nil` for all.
    ///   - timeout: In whole milliseconds; `nil` for no limit.
    /// - Throws: A ``SceneClientError`` whose refusal is ``DaemonError/timedOut``, when the timeout expires.
    public func quiesce(scene: String? = nil, timeout: Duration? = nil) async throws(SceneClientError) {
        let parameters: JSONObject = ["scene": .text(scene), "timeoutMilliseconds": .milliseconds(timeout)]
        _ = try await call("io.scened.Control.Quiesce", parameters)
    }
}

extension SceneClient {
    /// The windows that are held or wait for a transition to end, and the clock; `nil` from an older daemon.
    package func resting() async throws(SceneClientError) -> [ClientWait]? {
        try Self.rests(in: await call("io.scened.Manager.GetStatus"))
    }

    /// What a reply of `GetStatus` says of them.
    package static func rests(in status: JSONObject) throws(SceneClientError) -> [ClientWait]? {
        try read { () throws(JSONFieldError) in
            let reader = JSONReader(status)
            guard let clock = try reader.optional("clock"), let resting = try reader.optional("resting") else {
                return nil
            }
            return try resting.elements().map { rest throws(JSONFieldError) in try ClientWait(rest, clock) }
        }
    }
}

/// How an event stands, and what it waits for.
package struct ClientStanding: Hashable, Sendable {
    /// What has become of it so far.
    package let receipt: ClientReceipt
    /// What it waits for; `nil` if it has ended, and from an older daemon.
    package let waits: ClientWait?
}

/// What an event, or a window, waits for.
package struct ClientWait: Hashable, Sendable {
    /// The window; `nil` for the app itself, or if it is told otherwise.
    package let scene: String?
    /// How many events and changes of the window come before the event.
    package let ahead: Int
    /// The event being handled in the window; `nil` if it is the one that waits, another user's, or none.
    package let handled: String?
    /// The hold that has caught what is being handled.
    package let hold: String?
    /// The point at which it is held.
    package let point: String?
    /// When the transition in progress ends, since the daemon's start or last reset.
    package let transitionEnd: Duration?
    /// The time now, in the same way.
    package let now: Duration
    /// Whether the clock stands until it is advanced.
    package let isVirtual: Bool

    /// What an event waits for.
    init(_ reader: JSONReader) throws(JSONFieldError) {
        try self.init(
            reader,
            clock: reader,
            ahead: reader["ahead"].integer(),
            handled: reader.optional("behind")?.text()
        )
    }

    /// What a window waits for.
    init(_ reader: JSONReader, _ clock: JSONReader) throws(JSONFieldError) {
        try self.init(reader, clock: clock, ahead: 0, handled: reader.optional("event")?.text())
    }

    private init(_ reader: JSONReader, clock: JSONReader, ahead: Int, handled: String?) throws(JSONFieldError) {
        scene = try reader.optional("scene")?.text()
        self.ahead = ahead
        self.handled = handled
        hold = try reader.optional("hold")?.text()
        point = try reader.optional("point")?.text()
        transitionEnd = try reader.optional("until").map { until throws(JSONFieldError) in
            .milliseconds(try until.integer())
        }
        now = .milliseconds(try clock["now"].integer())
        isVirtual = try clock["virtual"].bool()
    }
}
