/// How a soak is to be: every choice that can be made on the command line, as it was made.
package struct SoakPlan: Hashable, Sendable {
    /// Events a second, over all clients.
    package var rate: Double
    package var arrival: Arrival
    /// How long the load lasts after the warm-up.
    package var duration: Duration
    /// What comes before and is not counted.
    package var warmUp: Duration
    /// Connections that send events.
    package var clients: Int
    package var scenes: Int
    /// How often each kind of action comes, relative to the others; the users' own habits where nothing is said.
    package var mix: [String: Double]
    package var seed: UInt64
    /// What is printed and drawn, in percent, ascending: 50, 90, 99, 99.9.
    package var percentiles: [Double]
    /// As written: `p99<20ms`, `lost=0`.
    package var objectives: [String]
    package var every: Duration
    /// Whether events that are late are sent all the same. Without it (`--nocatchup`) they are counted as not sent.
    package var catchesUp: Bool
    /// As written: `kill@10m`, `stall@5m+30s`.
    package var faults: [String]
    /// How many calls a connection may have unanswered; more wait in the client.
    package var inFlight: Int
    /// The file of calls that users draw from, as it was named; `nil` where they are made up for the app.
    package var script: String?
    /// Whether the daemon is one of the soak's own.
    package var isPrivate: Bool
    /// The app of such a daemon, as its file was named; `nil` for the built-in shop.
    package var app: String?
    /// Whether the daemon begins anew before, so that its records are complete.
    package var resets: Bool
    /// Whether the records are read and judged while it runs.
    package var followsRecords: Bool

    /// When events are due.
    package enum Arrival: String, Hashable, Sendable, CaseIterable {
        /// In equal distances.
        case uniform
        /// With exponential distances, as independent users come.
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
