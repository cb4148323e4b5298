internal import Basics

/// How a client goes on when the daemon ends, starts again, or cannot answer for a while: it connects again and repeats what may be
/// repeated. <doc:LostConnections> says what that promises.
public struct Reconnecting: Sendable {
    /// For how long a call is tried again after its connection was lost or refused. A loss that comes as long after the one before
    /// begins anew. With zero or less nothing is tried again.
    public var patience: Duration
    /// Makes the ID of an event to which its caller gives none: a name (<doc:/SceneRuntime/Words>) that this user has never sent.
    public var eventID: @Sendable () -> String
    package var time = Time.real

    /// What tells the time and passes it, and spreads the attempts of several clients.
    package struct Time: Sendable {
        /// The time since whenever.
        let now: @Sendable () -> Duration
        /// Returns when so much time has passed, or throws because the task is cancelled.
        let sleep: @Sendable (Duration) async throws -> Void
        /// A number from 0 up to 1.
        let chance: @Sendable () -> Double

        package init(
            now: @escaping @Sendable () -> Duration,
            sleep: @escaping @Sendable (Duration) async throws -> Void,
            chance: @escaping @Sendable () -> Double
        ) {
            self.now = now
            self.sleep = sleep
            self.chance = chance
        }

        private static let start = ContinuousClock.now

        static let real = Time(
            now: { ContinuousClock.now - start },
            sleep: { try await Task.sleep(for: $0) },
            chance: { Double.random(in: 0..<1) }
        )
    }

    /// Goes on for so long.
    public init(for patience: Duration, eventID: @escaping @Sendable () -> String = Reconnecting.randomID) {
        self.patience = patience
        self.eventID = eventID
    }

    /// An ID that nobody has made before: `c-` and 128 random bits.
    public static func randomID() -> String {
        let words = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
        return "c-" + words.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
    }
}

/// The attempts that one call has made in vain.
struct Attempts {
    private let settings: Reconnecting
    private var begin = Duration.zero
    private var last: Duration?
    private var pause = Self.shortest

    private static let shortest = Duration.milliseconds(10)
    private static let longest = Duration.seconds(1)

    init(_ settings: Reconnecting) { self.settings = settings }

    /// Waits until the next attempt is due: 10 ms at first, twice as long each time, up to 1 s, each shortened by up to a half at
    /// random.
    /// - Returns: Whether there is to be another one; `false` when the time is over or the task is cancelled.
    mutating func wait() async -> Bool {
        let now = settings.time.now()
        if last.map({ now - $0 > settings.patience }) ?? true {
            begin = now
            pause = Self.shortest
        }
        last = now
        let left = begin + settings.patience - now
        guard left > .zero else { return false }
        let length = min(pause * (1 - settings.time.chance() / 2), left)
        pause = min(pause * 2, Self.longest)
        do {
            try await settings.time.sleep(length)
            return true
        } catch {
            return false
        }
    }
}
