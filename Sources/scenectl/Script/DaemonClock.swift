internal import SceneClient
internal import SceneRouting
internal import StrictJSON

/// The virtual clock of a daemon.
struct DaemonClock {
    /// Its time, in milliseconds since it began.
    let now: Int
    /// The date at which it began, as `Control.Reset` takes it.
    let start: String
    /// Its date.
    let date: String

    /// - Returns: `nil` if the daemon's clock is the real one.
    init?(_ client: SceneClient) async throws {
        let clock = try await client.call("io.scened.Manager.GetStatus")["clock"]
        guard clock?["virtual"] == true, let now = clock?["now"]?.integerValue, let date = clock?["date"]?.stringValue,
            let seconds = Instant.seconds(date)
        else { return nil }
        self.now = now
        self.date = date
        // The date is told to the second, rounded down, and the beginning is a whole one.
        start = Instant.text((seconds - Double(now) / 1_000).rounded(.up))
    }

    /// Whether it began at this date.
    func began(at start: String) -> Bool { Instant.seconds(start) == Instant.seconds(self.start) }
}

extension SceneClient {
    /// The seed of what is random in the daemon; `nil` from older ones.
    func seed() async throws(SceneClientError) -> Int? {
        try await call("io.scened.Manager.GetStatus")["seed"]?.integerValue
    }
}
