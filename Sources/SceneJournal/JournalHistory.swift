/// What a journal has of a unit's records: the hosts, what is missing and why, and how each run ended.
package struct JournalHistory: Hashable, Sendable {
    /// The hosts, in the order of their first records.
    package var hosts: [JournalledHost] = []
    /// How many records were read.
    package var records = 0
    /// How many entries are of records in brief, which the daemon did not log whole.
    package var brief = 0
    /// How many entries have JSON that is not a record.
    package var bad = 0
    /// How many messages of the unit journald suppressed, by its own messages.
    package var suppressed = 0
    /// When journald received the first record.
    package var first: JournalTime?
    /// When journald received the last record.
    package var last: JournalTime?
    /// Whether there were more hosts than can be followed.
    package var isOverrun = false

    package init() {}
}

/// A host, as far as the journal has it: one run of the daemon, or several if it kept its state and went on.
package struct JournalledHost: Hashable, Sendable {
    /// The host's ID.
    package var host: String
    /// The unit; `nil` for a daemon that runs in none.
    package var unit: String?
    /// systemd's ID of the last run of the unit.
    package var invocation: String?
    /// The ID of the boot of that run.
    package var boot: String?
    /// The daemon's process ID in it.
    package var process: Int32?
    /// The runs before it, oldest first; the first ``keptRuns`` of them. ``restarts`` counts all.
    package var runs: [Run] = []
    /// How often it went on after the end of a run.
    package var restarts = 0
    /// The journal's namespace; `nil` for the default one.
    package var namespace: String?
    /// When its first record was written, by the daemon's clock.
    package var started: JournalTime?
    /// How many of its records were read.
    package var records = 0
    /// The first index read.
    package var firstIndex: Int
    /// The last index read.
    package var lastIndex: Int
    /// When journald received the first record.
    package var first: JournalTime
    /// When journald received the last record.
    package var last: JournalTime
    /// The first ``keptGaps`` gaps; ``missing`` counts all.
    package var gaps: [JournalGap] = []
    /// How many records are missing, by cause.
    package var missing: [JournalGap.Cause: Int] = [:]
    /// How it ended.
    package var ending: Ending = .unknown

    /// How many gaps of a host are kept.
    package static let keptGaps = 1_000
    /// How many runs before the last one are kept.
    package static let keptRuns = 1_000

    /// A run of the daemon after which the host went on in another one.
    package struct Run: Hashable, Sendable {
        package var invocation: String?
        package var boot: String?
        package var process: Int32?
        /// The index of the record with which the next run begins.
        package var next: Int
        package var ending: Ending

        package init(
            invocation: String? = nil,
            boot: String? = nil,
            process: Int32? = nil,
            next: Int,
            ending: Ending = .unknown
        ) {
            (self.invocation, self.boot, self.process) = (invocation, boot, process)
            self.next = next
            self.ending = ending
        }
    }

    /// How a host ended, as far as the journal and this machine show.
    package enum Ending: Hashable, Sendable {
        /// It stopped as it should.
        case stopped
        /// It was reset: the same process continued with another host.
        case replaced
        /// Its process was killed by this signal, by the service manager's message.
        case killed(signal: Int)
        /// Its process exited with this status before the host had stopped, by the service manager's message.
        case exited(status: Int)
        /// The machine went down: another boot follows, and no message says how the process ended.
        case machineWentDown
        /// Another run of the unit follows, and no message says how this one ended.
        case succeeded
        /// Its process still runs.
        case running
        /// The journal has more records of it after the query's end.
        case continues
        /// No message says whether it ended.
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

/// Successive records that are missing.
package struct JournalGap: Hashable, Sendable {
    /// The first missing index.
    package var first: Int
    /// The last missing index.
    package var last: Int
    /// When journald received the record after them.
    package var at: JournalTime
    /// Why they are missing.
    package var cause: Cause

    /// How many records are missing.
    package var count: Int { last - first + 1 }

    /// Why they are missing.
    package enum Cause: String, Hashable, Sendable, CaseIterable {
        /// The daemon dropped them because journald did not keep up, and logged that.
        case daemon
        /// journald suppressed them by its rate limit, and logged that.
        case rateLimit
        /// The journal no longer goes back that far.
        case rotation
        /// They are in the journal, but before the query's beginning.
        case beforeSince
        /// The entry is there without its record, which was too long for the journal.
        case tooLong
        /// Nothing in the journal explains it: entries were deleted, or journald lost them.
        case unexplained
    }

    package init(first: Int, last: Int, at: JournalTime, cause: Cause) {
        self.first = first
        self.last = last
        self.at = at
        self.cause = cause
    }
}
