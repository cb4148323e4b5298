package import SceneHistory

/// One host (run of the daemon) within a soak, and what its records say.
package struct SoakHost: Hashable, Sendable {
    package var id: String
    /// When its first record was seen, since the start of the soak.
    package var start: Duration
    /// When its last record was seen, since the start of the soak.
    package var end: Duration
    /// systemd's invocation ID, if the records came from a journal.
    package var invocation: String?
    /// The boot's ID, if the records came from a journal.
    package var boot: String?
    package var ending = Ending.running
    /// How often it went on after an end of the daemon, which kept its state.
    package var restarts = 0
    package var gaps: [Gap] = []
    /// The verdicts of the invariants, with the number of records; `nil` if they were not checked.
    package var report: HostReport?
    /// Files beside the report that show a violation.
    package var evidence: [Evidence] = []

    /// How it ended, as far as is known.
    package enum Ending: Hashable, Sendable {
        /// It was still running when the soak ended.
        case running
        /// It stopped normally (`host.stopped`).
        case stopped
        /// It was reset: the daemon continued with a new host.
        case replaced
        /// This soak killed it on purpose.
        case killed
        /// It stopped, and said that it could not send its last records in time. That is its right, and no record is missing
        /// before them (<doc:/SceneRuntime/Stopping>).
        case cutOff
        /// It ended unexpectedly, with the reason if it is known.
        case vanished(String?)
    }

    /// Missing records.
    package struct Gap: Hashable, Sendable {
        /// The first missing index.
        package var first: Int
        /// The last missing index.
        package var last: Int
        /// Since the start of the soak.
        package var at: Duration
        package var cause: Cause

        /// Why the records are missing.
        package enum Cause: String, Hashable, Sendable, CaseIterable {
            /// The daemon dropped them and said so.
            case daemon
            /// journald's rate limit suppressed them, and it said so.
            case rateLimit
            /// The journal was rotated or vacuumed.
            case rotation
            /// The daemon no longer retained them when the reader came to them.
            case reader
            /// Nothing says why.
            case unexplained
        }
    }

    /// The files that show the violation of an invariant; paths are relative to the report.
    package struct Evidence: Hashable, Sendable {
        package var invariant: Invariant
        /// The records around the violation.
        package var records: String
        /// A page that shows them: windows, session and events.
        package var page: String?
        /// A script for `scenectl play`, if the soak itself sent the events.
        package var replay: String?
        /// The violations in the page: the place among its records, from 0, by the number of the record with which one was seen.
        package var places: [Int: Int] = [:]
    }

    package init(id: String, start: Duration) {
        self.id = id
        self.start = start
        end = start
    }
}
