internal import CoreMetrics
internal import Logging
internal import Basics
internal import SceneService
internal import StrictJSON
internal import Varlink

/// Counts and logs what clients do wrong: a few different reasons of each kind and user a minute, so that no client can fill the log.
final class IncidentLog: Sendable {
    private struct Key: Hashable {
        let message: DaemonMessage
        let user: UInt32
    }

    private struct Logged {
        /// When the first of ``reasons`` was logged.
        var at: Duration
        /// The hashes of those logged since then.
        var reasons: Set<Int>
        /// How many were not logged since then.
        var omitted = 0
    }

    /// The most pairs of user and kind that are remembered; beyond that, those older than a minute are forgotten.
    private static let remembered = 1_024
    private static let pause = Duration.seconds(60)
    /// How many different reasons of one pair are logged in that time.
    private static let mostReasons = 4

    private let logger: Logger
    private let now: @Sendable () -> Duration
    private let accounts: UserAccounts
    private let counters: [String: Counter]
    private let logged = Guarded<[Key: Logged]>([:])

    /// - Parameter now: the monotonic time.
    init(
        logger: Logger,
        factory: any MetricsFactory,
        accounts: UserAccounts = UserAccounts(),
        now: @escaping @Sendable () -> Duration
    ) {
        self.accounts = accounts
        self.logger = logger
        self.now = now
        counters = Dictionary(
            uniqueKeysWithValues: Self.kinds.map { kind in
                (kind, Counter(label: "scened_incidents", dimensions: [("kind", kind)], factory: factory))
            }
        )
    }

    func note(_ incident: VarlinkIncident) {
        counters[Self.name(of: incident.kind)]?.increment()
        let (message, details) = Self.describe(incident)
        let role = details["role"].map { "role \($0)" }
        accounts.refused(incident.peer.userID, role ?? Self.name(of: incident.kind))
        let reason = details.values.map(\.description).sorted().hashValue
        guard let omitted = mayLog(reason, Key(message: message, user: incident.peer.userID)) else { return }
        var metadata = details
        metadata["user"] = "\(incident.peer.userID)"
        metadata["process"] = "\(incident.peer.processID)"
        metadata["connection"] = incident.connection.map { "\($0)" }
        metadata["more"] = "\(omitted)"
        logger.log(message, metadata)
    }

    /// How many were omitted before this one, or `nil` if this one is to be omitted too.
    private func mayLog(_ reason: Int, _ key: Key) -> Int? {
        let now = now()
        return logged.withLock { logged in
            if let last = logged[key], now - last.at < Self.pause {
                if last.reasons.count < Self.mostReasons, logged[key]?.reasons.insert(reason).inserted == true {
                    defer { logged[key]?.omitted = 0 }
                    return last.omitted
                }
                logged[key]?.omitted += 1
                return nil
            }
            if logged[key] == nil, logged.count >= Self.remembered {
                logged = logged.filter { now - $0.value.at < Self.pause }
                // So many users within a minute are an attack; the counters show it.
                if logged.count >= Self.remembered { return nil }
            }
            let omitted = logged[key]?.omitted ?? 0
            logged[key] = Logged(at: now, reasons: [reason])
            return omitted
        }
    }

    private static let kinds = [
        "tooManyConnections", "tooManyConnectionsOfUser", "violation", "silent", "stalled", "cutOff", "tooMuchMemory",
        "denied", "defect",
    ]

    private static func name(of kind: VarlinkIncident.Kind) -> String {
        switch kind {
        case .tooManyConnections: "tooManyConnections"
        case .tooManyConnectionsOfUser: "tooManyConnectionsOfUser"
        case .violation: "violation"
        case .silent: "silent"
        case .stalled: "stalled"
        case .cutOff: "cutOff"
        case .tooMuchMemory: "tooMuchMemory"
        case .denied: "denied"
        case .defect: "defect"
        }
    }

    private static func describe(_ incident: VarlinkIncident) -> (DaemonMessage, Logger.Metadata) {
        switch incident.kind {
        case .tooManyConnections(let limit):
            (.connectionRefused, ["reason": "there are \(limit) clients already"])
        case .tooManyConnectionsOfUser(let limit):
            (.connectionRefused, ["reason": "it has \(limit) clients already"])
        case .violation(let violation): (.connectionCutOff, ["reason": "\(violation)"])
        case .silent: (.connectionCutOff, ["reason": "it sent nothing"])
        case .stalled(let bytes): (.connectionCutOff, ["reason": "it left \(bytes) bytes unread"])
        case .cutOff(let bytes): (.connectionCutOff, ["reason": "the daemon stopped with \(bytes) bytes unread"])
        case .tooMuchMemory(let bytes):
            (.connectionCutOff, ["reason": "it held \(bytes) bytes and there is no memory left for it"])
        case .denied(let method, let error):
            (.callDenied, ["method": "\(method)", "role": "\(error.parameters["role"]?.stringValue ?? "")"])
        case .defect(let method, let reason): (.serviceDefect, ["method": "\(method)", "reason": "\(reason)"])
        }
    }
}
