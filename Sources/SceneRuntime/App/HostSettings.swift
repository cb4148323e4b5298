public import SceneRouting

/// A host's bounds and durations.
public struct HostSettings: Hashable, Sendable {
    /// How many events of one sender may wait in one scene; at least 1.
    public var mailboxCapacity: Int
    /// How long a push, a presentation or a dismissal takes; at least zero.
    public var transitionDuration: Duration
    /// How many records are retained for readers; at least 1.
    public var retainedRecords: Int
    /// How many ended events are remembered by their ID; at least 1. Open events are always remembered.
    public var retainedEvents: Int
    /// How many bytes the retained records may take, about; at least 1. The newest is retained whatever it takes.
    public var retainedRecordBytes = 128 << 20
    /// How many bytes the receipts of ended events may take that are remembered; at least 1.
    public var retainedEventBytes = 32 << 20
    /// How many bytes the events of all senders may take that wait or are parked; at least 1.
    public var waitingBytes = 64 << 20
    /// One sender's share of ``waitingBytes``.
    public var waitingBytesPerUser = 16 << 20
    /// How many records are made between two snapshots of the host, at least; at least 1. With many
    /// scenes it is 100 times their number.
    public var snapshotInterval = 10_000
    /// Snapshots are at most one in so many records.
    static let snapshotShare = 100
    /// The version that conditions on the app's version see: numbers separated by dots. `nil` for none.
    public var appVersion: String?
    /// The seed of what the host leaves to chance: the order in which the URLs of a set come.
    public var seed: UInt64 = 0
    /// What makes the placeholders that stand for the values of secrets (<doc:Secrets>). With `nil` the host works with the values
    /// and shows them: for an app that runs in this process and needs them.
    public var secretKey: SecretKey? = .shared
    /// How long stopping waits for what is queued before it abandons the rest; at least zero.
    public var drainTimeout: Duration

    /// Settings. A value below its range is raised to it.
    public init(
        mailboxCapacity: Int = 1_024,
        transitionDuration: Duration = .zero,
        retainedRecords: Int = 100_000,
        retainedEvents: Int = 10_000,
        drainTimeout: Duration = .seconds(5),
        appVersion: String? = nil
    ) {
        self.mailboxCapacity = max(mailboxCapacity, 1)
        self.transitionDuration = max(transitionDuration, .zero)
        self.retainedRecords = max(retainedRecords, 1)
        self.retainedEvents = max(retainedEvents, 1)
        self.drainTimeout = max(drainTimeout, .zero)
        self.appVersion = appVersion
    }
}

extension RoutingContext {
    /// The routing engine's view of a snapshot.
    ///
    /// - Parameter time: Seconds since 1970-01-01T00:00:00Z.
    init(_ snapshot: SessionSnapshot, settings: HostSettings, time: Double) {
        self.init(
            user: snapshot.user,
            isStale: snapshot.isStale,
            facts: snapshot.facts,
            appVersion: settings.appVersion,
            time: time
        )
    }
}
