internal import Logging
internal import NIOCore
internal import SceneRuntime
internal import SceneService
internal import Varlink

/// Everything that can be configured. The name is the key in the file, dots nest; `limits.connections` is
/// `SCENED_LIMITS_CONNECTIONS` in the environment and `--set limits.connections=…` on the command line.
enum SettingKey: String, CaseIterable, Hashable, Sendable {
    case socket, app, appVersion, eventLoops
    case log, logLevel, logRecords, logQueue
    case mailbox, transition, clock, drainTimeout, idleExit
    case retainedRecords, retainedEvents
    case rolesObserve = "roles.observe"
    case rolesInject = "roles.inject"
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

    /// The setting under this key: the one source of its flag's checks, of `--print-config` and of scened.yaml(5).
    var setting: Setting {
        switch self {
        case .socket:
            Setting(
                .text(.path),
                nil,
                "The socket to listen on, unless systemd passes one. Unset: /run/scened/io.scened as root, else $XDG_RUNTIME_DIR/scened/io.scened."
            )
        case .app: Setting(.text(.path), nil, "The app's manifest, YAML or JSON. Unset: the built-in shop.")
        case .appVersion:
            Setting(
                .text(.version),
                nil,
                "The version the app pretends to have, for destinations that depend on it, such as 2.3.1."
            )
        case .eventLoops:
            Setting(.integer(1...256, .count), nil, "How many event loops share the work. Unset: one per core.")
        case .log:
            Setting(
                .choice(LogDestination.allCases.map(\.rawValue)),
                .text(LogDestination.auto.rawValue),
                "Where to log: to the journal, as text to standard error, or whichever standard error is."
            )
        case .logLevel:
            Setting(
                .choice(Logger.Level.allCases.map(\.rawValue)),
                .text(Logger.Level.info.rawValue),
                "The least level to log."
            )
        case .logRecords:
            Setting(
                .choice(LoggedRecords.allCases.map(\.rawValue)),
                .text(LoggedRecords.brief.rawValue),
                "How records of scenes are logged: in brief, those of logLevel and above, or every one whole, in the journal's field SCENED_RECORD_JSON, so that 'scenectl check --journal' and 'scenectl soak report --journal' can judge a run that nobody watched. Whole they go to the journal wherever the log goes, whatever logLevel says."
            )
        case .logQueue:
            Setting(
                .integer(1_000...10_000_000, .count),
                .integer(RecordJournaling.usualLimit),
                "How many whole records may wait for the journal before newer ones are dropped and counted: a few kilobytes each."
            )
        case .mailbox:
            Setting(
                .integer(1...1_000_000, .count),
                .integer(host.mailboxCapacity),
                "How many events may wait in one scene before more are refused with QueueFull."
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
        case .drainTimeout:
            Setting(
                .integer(0...3_600_000, .milliseconds),
                .integer(4_000),
                "How long stopping waits for what was admitted before it abandons the rest, and then for followers of the records to read the rest of the history. Beyond systemd's stop timeout, systemd is asked for more time."
            )
        case .idleExit:
            Setting(
                .integer(0...2_592_000, .seconds),
                .integer(0),
                "Stop after this long without a client, if a service manager passed the socket and so can start the daemon again; what the windows show is lost. 0: never."
            )
        case .retainedRecords:
            Setting(
                .integer(1_000...100_000_000, .count),
                .integer(host.retainedRecords),
                "How many records are kept for readers; a reader that falls behind is told how many it missed."
            )
        case .retainedEvents:
            Setting(
                .integer(1...10_000_000, .count),
                .integer(host.retainedEvents),
                "How many ended events are remembered by their ID, so that a repeat does nothing."
            )
        case .rolesObserve: role("look: scenes, session, records, routing, status", group)
        case .rolesInject: role("send events, and ask what became of their own", group)
        case .rolesMutate: role("change the session and the scenes' lives", group)
        case .rolesControl: role("hold scenes, move the clock, reset, and adapt events for everybody", [])
        case .rolesManage: role("reload and drain the daemon", [])
        case .limitsMessage:
            Setting(.integer(1_024...(64 << 20), .bytes), .integer(limits.message.bytes), "The longest message.")
        case .limitsNesting:
            Setting(
                .integer(8...512, .count),
                .integer(limits.message.depth),
                "How deep arrays and objects may nest in a message."
            )
        case .limitsReadAhead:
            Setting(
                .integer(1_024...(16 << 20), .bytes),
                .integer(limits.readAhead),
                "How much of further calls is read while one is being answered."
            )
        case .limitsConnections:
            Setting(
                .integer(1...1_000_000, .count),
                .integer(limits.connections),
                "Clients at a time; never more than three quarters of the descriptors the process may open."
            )
        case .limitsConnectionsPerUser:
            Setting(
                .integer(1...1_000_000, .count),
                .integer(limits.connectionsPerUser),
                "Clients of one user at a time."
            )
        case .limitsFirstByte:
            Setting(
                .integer(1...86_400_000, .milliseconds),
                .integer(Int(limits.firstByte.nanoseconds / 1_000_000)),
                "How long a new client may stay without a first byte."
            )
        case .limitsOutputQueue:
            Setting(
                .integer(65_536...(1 << 30), .bytes),
                .integer(limits.outputQueue),
                "How much may wait for one client to read it before it is cut off."
            )
        case .limitsStall:
            Setting(
                .integer(1...86_400_000, .milliseconds),
                .integer(Int(limits.stall.nanoseconds / 1_000_000)),
                "How long replies may wait without the client reading any before it is cut off. Not who follows the records: those miss some and are told how many."
            )
        case .limitsInputMemory:
            memory(limits.inputMemory, "What all clients together may have sent of messages that cannot start yet.")
        case .limitsInputMemoryPerUser: memory(limits.inputMemoryPerUser, "One user's share of limits.inputMemory.")
        case .limitsOutputMemory: memory(limits.outputMemory, "What may wait for all clients together to read it.")
        case .limitsOutputMemoryPerUser: memory(limits.outputMemoryPerUser, "One user's share of limits.outputMemory.")
        }
    }

    /// The role whose holders the setting names.
    var role: Role? {
        switch self {
        case .rolesObserve: .observe
        case .rolesInject: .inject
        case .rolesMutate: .mutate
        case .rolesControl: .control
        case .rolesManage: .manage
        default: nil
        }
    }

    private var host: HostSettings { HostSettings() }
    private var limits: VarlinkServerLimits { VarlinkServerLimits() }
    /// The group that may use the socket as the units install it.
    private var group: [String] { ["group:scened"] }

    private func role(_ what: String, _ holders: [String]) -> Setting {
        Setting(.principals, .list(holders), "Who may \(what).")
    }

    private func memory(_ fallback: Int, _ help: String) -> Setting {
        Setting(
            .integer(65_536...(1 << 40), .bytes),
            .integer(fallback),
            help + " The first 64 KiB of a client do not count, so that short messages never wait for others."
        )
    }
}
