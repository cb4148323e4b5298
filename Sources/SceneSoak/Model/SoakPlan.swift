/// The plan of a soak: every choice that the command line offers.
package struct SoakPlan: Hashable, Sendable {
    /// Events per second, over all clients.
    package var rate: Double
    package var arrival: Arrival
    /// How long the load lasts after the warm-up.
    package var duration: Duration
    /// How long the load runs before anything is counted.
    package var warmUp: Duration
    /// When the load ends, since the start of the soak.
    package var end: Duration { warmUp + duration }
    /// The number of connections that send events.
    package var clients: Int
    package var scenes: Int
    /// The weight of each kind of action, by the names of `--mix`; empty leaves it to the users' habits.
    package var mix: [String: Double]
    package var seed: UInt64
    /// Which of several soaks it is that load a daemon each; `nil` if it is not one of several.
    package var shard: Shard?
    /// The percentiles to print and draw, in percent, ascending: 50, 90, 99, 99.9.
    package var percentiles: [Double]
    /// As written: `p99<20ms`, `lost=0`.
    package var objectives: [String]
    /// The length of an interval.
    package var every: Duration
    /// The usual length for a load of this length: a tenth of it in tenths of seconds, from half a second to ten seconds. Fewer intervals
    /// would say nothing of how it went.
    package static func usualInterval(of duration: Duration) -> Duration {
        let tenths = Int(min(duration / .seconds(10) * 10, 100))
        return .milliseconds(min(max(tenths * 100, 500), 10_000))
    }
    /// Whether late events are sent all the same. Otherwise (`--nocatchup`) they are counted as not sent.
    package var catchesUp: Bool
    /// As written: `kill@10m`, `stall@5m+30s`.
    package var faults: [String]
    /// How many unanswered calls a connection may have; further calls wait in the client.
    package var inFlight: Int
    /// The path of the script whose calls users send, as given; `nil` if they send actions made for the app.
    package var script: String?
    /// Whether the soak starts the daemon.
    package var isPrivate: Bool
    /// The path of a private daemon's manifest, as given; `nil` for the built-in shop.
    package var app: String?
    /// Whether the daemon is reset first, so that its records are complete.
    package var resets: Bool
    /// Whether the records are followed and checked during the soak.
    package var followsRecords: Bool

    /// One of several soaks with the same options, each of another machine.
    package struct Shard: Hashable, Sendable {
        /// From 1.
        package var number: Int
        /// How many there are, 1 to ``maxCount``.
        package var count: Int
        /// The most shards of a soak.
        package static let maxCount = 10_000

        package init(number: Int, count: Int) {
            self.number = number
            self.count = count
        }
    }

    /// The seed of this soak's random choices: each shard makes others.
    var ownSeed: UInt64 { seed ^ UInt64(shard?.number ?? 0) &* 0x9E37_79B9_7F4A_7C15 }

    /// How the times between events are distributed.
    package enum Arrival: String, Hashable, Sendable, CaseIterable {
        /// All equal.
        case uniform
        /// Exponentially, as with independent users.
        case poisson
    }

    package init(
        rate: Double,
        arrival: Arrival,
        duration: Duration,
        warmUp: Duration,
        clients: Int,
        scenes: Int,
        mix: [String: Double],
        seed: UInt64,
        percentiles: [Double],
        objectives: [String],
        every: Duration,
        catchesUp: Bool,
        faults: [String],
        inFlight: Int = 64,
        script: String? = nil,
        isPrivate: Bool = false,
        app: String? = nil,
        resets: Bool = false,
        followsRecords: Bool = true
    ) {
        self.rate = rate
        self.arrival = arrival
        self.duration = duration
        self.warmUp = warmUp
        self.clients = clients
        self.scenes = scenes
        self.mix = mix
        self.seed = seed
        self.percentiles = percentiles
        self.objectives = objectives
        self.every = every
        self.catchesUp = catchesUp
        self.faults = faults
        self.inFlight = inFlight
        self.script = script
        self.isPrivate = isPrivate
        self.app = app
        self.resets = resets
        self.followsRecords = followsRecords
    }
}
