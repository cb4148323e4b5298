/// What a journal has of a unit's records: its hosts, what is missing and why, and how each run ended.
package struct JournalHistory: Hashable, Sendable {
    /// In the order met.
    package var hosts: [JournalledHost] = []
    /// Records that were read.
    package var records = 0
    /// Entries that are records in brief: the daemon did not log them whole.
    package var brief = 0
    /// Entries whose record is none by its schema.
    package var bad = 0
    /// How many messages of the unit journald says that it suppressed.
    package var suppressed = 0
    /// When the first and the last of the records were received.
    package var first: JournalTime?
    package var last: JournalTime?
    /// Whether there were more hosts than can be followed.
    package var isOverrun = false

    package init() {}
}

/// One run of the daemon, as far as the journal has it.
package struct JournalledHost: Hashable, Sendable {
    /// The host's ID.
    package var host: String
    /// The unit, and systemd's ID of this run of it; `nil` for a daemon that runs in none.
    package var unit: String?
    package var invocation: String?
    package var boot: String?
    package var process: Int32?
    /// The journal's namespace; `nil` for the usual one.
    package var namespace: String?
    /// When its first record was written, by the daemon's own word.
    package var started: JournalTime?
    package var records = 0
    /// The first and the last index read, and when journald received them.
    package var firstIndex: Int
    package var lastIndex: Int
    package var first: JournalTime
    package var last: JournalTime
    /// The first of them; ``missing`` counts all.
    package var gaps: [JournalGap] = []
    /// How many records are missing, by why.
    package var missing: [JournalGap.Cause: Int] = [:]
    package var ending: Ending = .unknown

    /// The most gaps kept of one host.
    package static let keptGaps = 1_000

    /// How a host ended, as far as the journal and this machine tell.
    package enum Ending: Hashable, Sendable {
        /// It stopped as it should.
        case stopped
        /// It was reset: the same process went on with another host.
        case replaced
        /// Its process was killed by this signal, says the service manager.
        case killed(signal: Int)
        /// Its process exited with this status before the host had stopped, says the service manager.
        case exited(status: Int)
        /// The machine went down: a later boot follows, and nobody says how the process ended.
        case machineWentDown
        /// Another run of the unit follows, and nobody says how this one ended.
        case succeeded
        /// Its process runs.
        case running
        /// The journal has more of it after the time asked for.
        case continues
        /// Nobody says whether it ended.
        case unknown
    }

    package init(host: String, firstIndex: Int, at time: JournalTime) {
        self.host = host
        self.firstIndex = firstIndex
        lastIndex = firstIndex
        first = time
        last = time
    }
}

/// Records that are not there.
package struct JournalGap: Hashable, Sendable {
    /// The first and the last missing index.
    package var first: Int
    package var last: Int
    /// When the record after them was received.
    package var at: JournalTime
    package var cause: Cause

    /// How many they are.
    package var count: Int { last - first + 1 }

    /// Why they are missing.
    package enum Cause: String, Hashable, Sendable, CaseIterable {
        /// The daemon dropped them because journald did not keep up, and said so.
        case daemon
        /// journald suppressed them by its rate limit, and said so.
        case rateLimit
        /// The journal no longer goes back that far.
        case rotation
        /// They are in the journal, before the time asked for.
        case beforeSince
        /// The entry is there without its record, which was too long for the journal.
        case tooLong
        /// They are not there and nothing says why: entries were deleted, or journald lost them.
        case unexplained
    }

    package init(first: Int, last: Int, at: JournalTime, cause: Cause) {
        self.first = first
        self.last = last
        self.at = at
        self.cause = cause
    }
}
