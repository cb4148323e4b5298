internal import Glibc
internal import NIOCore
internal import SceneRouting
internal import SceneRuntime
internal import SceneService
internal import SceneState
internal import Varlink

/// The settings in the form in which the daemon uses them.
struct DaemonConfiguration: Sendable {
    /// The socket's path, if one is configured.
    let socket: String?
    /// The manifest's path; `nil` for the built-in shop.
    let app: String?
    /// Where everything is kept that a restart has to find again; `nil` for a daemon that forgets.
    let state: String?
    let durability: StateDurability
    /// How much the state keeps of what has ended.
    let retention: StateRetention
    /// The state of another daemon that is only looked into.
    let investigate: String?
    let eventLoops: Int?
    let host: HostSettings
    let clock: ClockKind
    /// The date with which a virtual clock begins, in seconds since 1970; `nil` for that of the machine.
    let start: Double?
    let limits: VarlinkServerLimits
    let policy: AccessPolicy
    /// How long the daemon goes on without a client; `nil` for ever.
    let idleExit: Duration?
    /// All settings as configured.
    private let configured: [SettingInForce]
    let warnings: [SettingWarning]

    /// - Throws: ``SettingProblems`` for users and groups that do not exist, and for settings that contradict each other.
    init(_ settings: Settings) throws(SettingProblems) {
        func milliseconds(_ key: SettingKey) -> Int { settings.integer(key) ?? 0 }
        socket = settings.text(.socket)
        app = settings.text(.app)
        investigate = settings.text(.investigate)
        let usualState = investigate == nil ? Variables.all["STATE_DIRECTORY"].flatMap(Self.stateDirectory) : nil
        state = settings.text(.state) ?? usualState
        durability = settings.text(.durability).flatMap(StateDurability.init) ?? .group
        eventLoops = settings.integer(.eventLoops)
        let usual = HostSettings()
        var host = HostSettings(
            mailboxCapacity: settings.integer(.mailbox) ?? usual.mailboxCapacity,
            transitionDuration: .milliseconds(milliseconds(.transition)),
            retainedRecords: settings.integer(.retainedRecords) ?? usual.retainedRecords,
            retainedEvents: settings.integer(.retainedEvents) ?? usual.retainedEvents,
            drainTimeout: .milliseconds(milliseconds(.drainTimeout)),
            appVersion: settings.text(.appVersion)
        )
        for (path, key) in [
            (\.retainedRecordBytes, .retainedRecordBytes), (\.retainedEventBytes, .retainedEventBytes),
            (\.waitingBytes, .waitingBytes), (\.waitingBytesPerUser, .waitingBytesPerUser),
        ] as [(WritableKeyPath<HostSettings, Int>, SettingKey)] {
            if let bytes = settings.integer(key) { host[keyPath: path] = bytes }
        }
        self.host = host
        retention = StateRetention(
            events: host.retainedEvents,
            records: host.retainedRecords,
            recordBytes: settings.integer(.keptRecordBytes) ?? StateRetention().recordBytes
        )
        // An investigation takes as long as it takes.
        clock = investigate != nil ? .virtual : settings.text(.clock).flatMap(ClockKind.init) ?? .real
        if state != nil, investigate != nil {
            throw SettingProblems(lines: [
                "\(settings.origin(.investigate)): investigate: what happens in an investigation is not kept; expected no state"
            ])
        }
        if investigate != nil, settings.origin(.clock) != .fallback, settings.text(.clock) != ClockKind.virtual.rawValue
        {
            throw SettingProblems(lines: [
                "\(settings.origin(.clock)): clock: an investigation stands at the newest record until its clock is advanced; expected clock: virtual, or none"
            ])
        }
        if investigate != nil, settings.text(.start) != nil {
            throw SettingProblems(lines: [
                "\(settings.origin(.start)): start: an investigation begins at the time of the newest record; expected no start"
            ])
        }
        start = settings.text(.start).flatMap(Instant.seconds)
        if start != nil, clock == .real {
            throw SettingProblems(lines: [
                "\(settings.origin(.start)): start: a real clock cannot be set; expected clock: virtual"
            ])
        }
        if state != nil, clock == .virtual {
            throw SettingProblems(lines: [
                "\(settings.origin(.clock)): clock: the time of a state that is kept goes on while there is no daemon; expected clock: real, or no state"
            ])
        }
        limits = Self.limits(settings)
        policy = try Self.policy(settings)
        let idle = settings.integer(.idleExit) ?? 0
        idleExit = idle > 0 ? .seconds(idle) : nil
        configured = SettingKey.allCases.map { [investigate] key in
            if key == .clock, investigate != nil {
                let origin = settings.origin(.investigate)
                return SettingInForce(key: key.rawValue, value: ClockKind.virtual.rawValue, origin: "\(origin)")
            }
            return SettingInForce(key: key.rawValue, value: settings[key]?.text, origin: "\(settings.origin(key))")
        }
        warnings = settings.warnings
    }

    /// The folder that the service manager has made for the state: the first, if it has made several.
    private static func stateDirectory(_ folders: String) -> String? {
        folders.split(separator: ":").first.map(String.init)
    }

    /// All settings in force, for `GetStatus`.
    /// - Parameter limits: the limits that the process can keep, which may be lower than those configured.
    func inForce(_ limits: VarlinkServerLimits) -> [SettingInForce] {
        let lowered: [(SettingKey, KeyPath<VarlinkServerLimits, Int>)] = [
            (.limitsConnections, \.connections), (.limitsConnectionsPerUser, \.connectionsPerUser),
        ]
        return configured.map { setting in
            guard let (_, path) = lowered.first(where: { $0.0.rawValue == setting.key }),
                limits[keyPath: path] < self.limits[keyPath: path]
            else { return setting }
            return SettingInForce(key: setting.key, value: "\(limits[keyPath: path])", origin: "RLIMIT_NOFILE")
        }
    }

    private static func limits(_ settings: Settings) -> VarlinkServerLimits {
        var limits = VarlinkServerLimits()
        func set(_ path: WritableKeyPath<VarlinkServerLimits, Int>, _ key: SettingKey) {
            if let number = settings.integer(key) { limits[keyPath: path] = number }
        }
        set(\.message.bytes, .limitsMessage)
        set(\.message.depth, .limitsNesting)
        set(\.readAhead, .limitsReadAhead)
        set(\.connections, .limitsConnections)
        set(\.connectionsPerUser, .limitsConnectionsPerUser)
        set(\.outputQueue, .limitsOutputQueue)
        set(\.inputMemory, .limitsInputMemory)
        set(\.inputMemoryPerUser, .limitsInputMemoryPerUser)
        set(\.outputMemory, .limitsOutputMemory)
        set(\.outputMemoryPerUser, .limitsOutputMemoryPerUser)
        if let number = settings.integer(.limitsStall) { limits.stall = .milliseconds(Int64(number)) }
        if let number = settings.integer(.limitsFirstByte) { limits.firstByte = .milliseconds(Int64(number)) }
        return limits
    }

    private static func policy(_ settings: Settings) throws(SettingProblems) -> AccessPolicy {
        var users: [UInt32: Set<Role>] = [:]
        var groups: [UInt32: Set<Role>] = [:]
        var problems: [String] = []
        for key in SettingKey.allCases {
            guard let role = key.role else { continue }
            for text in settings.list(key) {
                guard let principal = Principal(text) else { continue }
                guard let number = principal.number else {
                    // The default group need not exist: then it just has no members.
                    if settings.origin(key) != .fallback {
                        problems.append("\(settings.origin(key)): \(key.rawValue): this system has no \(principal)")
                    }
                    continue
                }
                switch principal {
                case .user: users[number, default: []].insert(role)
                case .group: groups[number, default: []].insert(role)
                }
            }
        }
        guard problems.isEmpty else { throw SettingProblems(lines: problems) }
        return AccessPolicy(ownUser: geteuid(), users: users, groups: groups)
    }
}
