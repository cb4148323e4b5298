internal import Logging
internal import NIOCore
internal import SceneRuntime
internal import SceneService
internal import SceneState
internal import Varlink

/// All settings, by their keys in the file, where dots nest. `limits.connections` is `SCENED_LIMITS_CONNECTIONS` in the
/// environment and `--set limits.connections=…` on the command line.
enum SettingKey: String, CaseIterable, Hashable, Sendable {
    case socket, app, appVersion, state, durability, investigate, eventLoops
    case log, logLevel, logRecords, logQueue
    case mailbox, transition, clock, start, drainTimeout, idleExit
    case retainedRecords, retainedRecordBytes, keptRecordBytes, retainedEvents, retainedEventBytes
    case waitingBytes, waitingBytesPerUser
    case rolesObserve = "roles.observe"
    case rolesInject = "roles.inject"
    case rolesAct = "roles.act"
    case rolesMutate = "roles.mutate"
    case rolesControl = "roles.control"
    case rolesManage = "roles.manage"
    case limitsMessage = "limits.message"
    case limitsNesting = "limits.nesting"
    case limitsReadAhead = "limits.readAhead"
    case limitsConnections = "limits.connections"
    case limitsConnectionsPerUser = "limits.connectionsPerUser"
    case limitsFirstByte = "limits.firstByte"
    case limitsOutputQueue = "limits.outputQueue"
    case limitsStall = "limits.stall"
    case limitsInputMemory = "limits.inputMemory"
    case limitsInputMemoryPerUser = "limits.inputMemoryPerUser"
    case limitsOutputMemory = "limits.outputMemory"
    case limitsOutputMemoryPerUser = "limits.outputMemoryPerUser"

    /// The description of the setting, which the checks, `--print-config` and scened.yaml(5) are made from.
    var setting: Setting {
        switch self {
        case .socket:
            Setting(
                .text(.path),
                nil,
                "The socket to listen on, unless systemd passes one. Unset: /run/scened/io.scened as root, else $XDG_RUNTIME_DIR/scened/io.scened."
            )
        case .app:
            Setting(
                .text(.path),
                nil,
                "The app's manifest, YAML or JSON, or an example by its name: shop, bank or club. Unset: the program's own, which for scened is the built-in shop."
            )
        case .appVersion:
            Setting(
                .text(.version),
                nil,
                "The app's version, such as 2.3.1, for destinations that depend on it. Unset: that of the app's code in Swift, if the program has any."
            )
        case .state:
            Setting(
                .text(.path),
                nil,
                "The folder in which everything is kept that a restart has to find again. Unset: $STATE_DIRECTORY, which the units set; without that nothing is kept."
            )
        case .durability:
            Setting(
                .choice(StateDurability.allCases.map(\.rawValue)),
                .text(StateDurability.group.rawValue),
                "When something counts as kept: group writes all that came during the last write with one sync, strict syncs each step by itself, relaxed once a second and answers before."
            )
        case .investigate:
            Setting(
                .text(.path),
                nil,
                "The folder of another daemon's state, or of a copy, to look into: the host begins as it was kept there, under another ID, on a virtual clock that stands at its newest record. Nothing is kept, and nothing that is kept there is changed; but the folder must be one that this user may write to, for SQLite."
            )
        case .eventLoops:
            Setting(
                .integer(1...256, .count),
                nil,
                "How many event loops read what clients send. Each user has loops of their own, at most as many as there are cores; users share one only when none is free. Unset: 16, or fewer if few files may be opened."
            )
        case .log:
            Setting(
                .choice(LogDestination.allCases.map(\.rawValue)),
                .text(LogDestination.auto.rawValue),
                "Where to log: the journal, text on standard error, or auto: the journal if standard error goes there, else text."
            )
        case .logLevel:
            Setting(
                .choice(Logger.Level.allCases.map(\.rawValue)),
                .text(Logger.Level.info.rawValue),
                "The lowest level to log."
            )
        case .logRecords:
            Setting(
                .choice(LoggedRecords.allCases.map(\.rawValue)),
                .text(LoggedRecords.brief.rawValue),
                "How to log the records of scenes. brief: a line for each record at logLevel and above. whole: every record as JSON in the journal's field SCENED_RECORD_JSON, so that 'scenectl check --journal' and 'scenectl soak report --journal' can judge the run afterwards; log and logLevel do not matter then."
            )
        case .logQueue:
            Setting(
                .integer(1_000...10_000_000, .count),
                .integer(RecordJournaling.usualLimit),
                "How many whole records, of a few kilobytes each, may wait for the journal. Newer ones are dropped and counted."
            )
        case .mailbox:
            Setting(
                .integer(1...1_000_000, .count),
                .integer(host.mailboxCapacity),
                "How many events of one user may wait in one scene. Further ones are refused with QueueFull."
            )
        case .transition:
            Setting(
                .integer(0...60_000, .milliseconds),
                .integer(0),
                "How long a push, a presentation or a dismissal takes."
            )
        case .clock:
            Setting(
                .choice(ClockKind.allCases.map(\.rawValue)),
                .text(ClockKind.real.rawValue),
                "The clock of transitions and expiries: real, or virtual, which stands still until 'scenectl advance'."
            )
        case .start:
            Setting(
                .text(.date),
                nil,
                "The date with which a virtual clock begins, in UTC, such as 2026-11-27T08:00Z, and to which 'scenectl reset' goes back. Unset: the date when the daemon starts or is reset."
            )
        case .drainTimeout:
            Setting(
                .integer(0...3_600_000, .milliseconds),
                .integer(4_000),
                "How long the daemon waits, when it stops, for admitted events before it abandons the rest, and then again for clients that follow the records to read the rest. If that exceeds systemd's stop timeout, the daemon asks systemd for more time."
            )
        case .idleExit:
            Setting(
                .integer(0...2_592_000, .seconds),
                .integer(0),
                "How long the daemon goes on without a client, if a service manager passed the socket and so can start it again. Without a state, what the windows show is lost. 0: for ever."
            )
        case .retainedRecords:
            Setting(
                .integer(1_000...100_000_000, .count),
                .integer(host.retainedRecords),
                "How many records are kept in memory, and in the state if there is one. A reader that falls behind is told how many it missed."
            )
        case .retainedEvents:
            Setting(
                .integer(1...10_000_000, .count),
                .integer(host.retainedEvents),
                "How many ended events are remembered by their ID, so that sending one again does nothing."
            )
        case .retainedRecordBytes:
            Setting(
                .integer(1 << 20...(1 << 40), .bytes),
                .integer(host.retainedRecordBytes),
                "How many bytes of memory the records may take that are kept, about. The oldest go first."
            )
        case .keptRecordBytes:
            Setting(
                .integer(1 << 20...(1 << 40), .bytes),
                .integer(StateRetention().recordBytes),
                "How many bytes the texts of the records may have that the state keeps, about; its files take about a third more. The oldest go first."
            )
        case .retainedEventBytes:
            Setting(
                .integer(1 << 20...(1 << 40), .bytes),
                .integer(host.retainedEventBytes),
                "How many bytes of memory the receipts of ended events may take, about. The oldest go first."
            )
        case .waitingBytes:
            Setting(
                .integer(1 << 18...(1 << 40), .bytes),
                .integer(host.waitingBytes),
                "How many bytes of memory the events of all users may take that wait or are parked, about. Further ones are refused with TooMuchWaiting."
            )
        case .waitingBytesPerUser:
            Setting(
                .integer(1 << 18...(1 << 40), .bytes),
                .integer(host.waitingBytesPerUser),
                "One user's share of waitingBytes."
            )
        case .rolesObserve: role(.observe)
        case .rolesInject: role(.inject)
        case .rolesAct: role(.act)
        case .rolesMutate: role(.mutate)
        case .rolesControl: role(.control)
        case .rolesManage: role(.manage)
        case .limitsMessage:
            Setting(.integer(1_024...(64 << 20), .bytes), .integer(limits.message.bytes), "The longest message.")
        case .limitsNesting:
            Setting(
                .integer(8...512, .count),
                .integer(limits.message.depth),
                "How many levels deep arrays and objects may nest in a message."
            )
        case .limitsReadAhead:
            Setting(
                .integer(1_024...(16 << 20), .bytes),
                .integer(limits.readAhead),
                "How much of further calls is read while one call is being answered."
            )
        case .limitsConnections:
            Setting(
                .integer(1...1_000_000, .count),
                .integer(limits.connections),
                "How many clients may be connected; never more than three quarters of the descriptors that the daemon does not need itself. The status shows what is in force."
            )
        case .limitsConnectionsPerUser:
            Setting(
                .integer(1...1_000_000, .count),
                .integer(limits.connectionsPerUser),
                "How many clients of one user may be connected; if the descriptors allow fewer in all than configured, at most half of those."
            )
        case .limitsFirstByte:
            Setting(
                .integer(1...86_400_000, .milliseconds),
                .integer(Int(limits.firstByte.nanoseconds / 1_000_000)),
                "How long a new client may send nothing before it is cut off."
            )
        case .limitsOutputQueue:
            Setting(
                .integer(65_536...(1 << 30), .bytes),
                .integer(limits.outputQueue),
                "How much may wait for one client, not counting the newest reply, however long. Beyond that it is cut off."
            )
        case .limitsStall:
            Setting(
                .integer(1...86_400_000, .milliseconds),
                .integer(Int(limits.stall.nanoseconds / 1_000_000)),
                "How long a client may leave its replies unread before it is cut off. One that follows the records is not cut off; it misses records and is told how many."
            )
        case .limitsInputMemory:
            memory(
                limits.inputMemory,
                "How many bytes of calls from all clients together may wait to be started or are being answered."
            )
        case .limitsInputMemoryPerUser: memory(limits.inputMemoryPerUser, "One user's share of limits.inputMemory.")
        case .limitsOutputMemory:
            memory(limits.outputMemory, "How many bytes of replies may wait for all clients together.")
        case .limitsOutputMemoryPerUser: memory(limits.outputMemoryPerUser, "One user's share of limits.outputMemory.")
        }
    }

    /// The role whose holders the setting names.
    var role: Role? {
        rawValue.hasPrefix(Self.roles) ? Role(rawValue: String(rawValue.dropFirst(Self.roles.count))) : nil
    }

    private var host: HostSettings { HostSettings() }
    private var limits: VarlinkServerLimits { VarlinkServerLimits() }
    private static let roles = "roles."

    /// By default the holders are the group that may connect to the socket as the units set it up, or nobody.
    private func role(_ role: Role) -> Setting {
        Setting(.principals, .list(role.isUsual ? ["group:scened"] : []), "Who may \(role.purpose).")
    }

    private func memory(_ fallback: Int, _ help: String) -> Setting {
        Setting(
            .integer(65_536...(1 << 40), .bytes),
            .integer(fallback),
            help
                + " The client that would exceed it is cut off. The first 64 KiB of each client do not count, so short messages never depend on others."
        )
    }
}

/// The setting `clock`: the clock of transitions and expiries.
enum ClockKind: String, CaseIterable, Sendable {
    case real
    /// Stands still until a client advances it.
    case virtual

    /// A new clock of this kind.
    /// - Parameter date: The date with which a virtual one begins, in seconds since 1970; `nil` for now.
    func make(date: Double?) -> any RuntimeClock {
        switch self {
        case .real: SystemClock()
        // It begins with a whole second, so that its date names the beginning exactly.
        case .virtual: VirtualClock(wallTime: date ?? SystemClock().wallTime.rounded(.down))
        }
    }
}
