package import SceneHistory

/// One run of the daemon within a soak, and what its records say.
package struct SoakHost: Hashable, Sendable {
    package var id: String
    /// When its first and last record were seen, since the beginning of the soak.
    package var start: Duration
    package var end: Duration
    /// systemd's invocation and the boot, where a journal told.
    package var invocation: String?
    package var boot: String?
    package var ending: Ending
    package var gaps: [Gap]
    /// What the checker says of it, with the number of records; `nil` where it said nothing.
    package var report: HostReport?
    /// Files beside the report that show a violation: the records around it, and a script that plays the events again.
    package var evidence: [Evidence]

    /// How it ended, as far as is known.
    package enum Ending: Hashable, Sendable {
        /// It was still running when the soak ended.
        case running
        /// It stopped as it should (`host.stopped`).
        case stopped
        /// It was reset: the daemon went on with a new host.
        case replaced
        /// It was killed on purpose, by this soak.
        case killed
        /// It went away, for a reason that may be known.
        case vanished(String?)
    }

    /// Records that are not there.
    package struct Gap: Hashable, Sendable {
        /// The first and the last missing index.
        package var first: Int
        package var last: Int
        /// Since the beginning of the soak.
        package var at: Duration
        package var cause: Cause

        package enum Cause: String, Hashable, Sendable, CaseIterable {
            /// The daemon dropped them and said so.
            case daemon
            /// journald suppressed them by its rate limit, and said so.
            case rateLimit
            /// The journal was rotated or vacuumed.
            case rotation
            /// The reader fell behind what the daemon retains.
            case reader
            /// They are not there and nothing says why.
            case unexplained
        }

        package init(first: Int, last: Int, at: Duration, cause: Cause) {
            self.first = first
            self.last = last
            self.at = at
            self.cause = cause
        }
    }

    package struct Evidence: Hashable, Sendable {
        package var invariant: Invariant
        /// Relative to the report.
        package var records: String
        /// A script for `scenectl play`, where the soak itself sent the events.
        package var replay: String?

        package init(invariant: Invariant, records: String, replay: String?) {
            self.invariant = invariant
            self.records = records
            self.replay = replay
        }
    }

    package init(id: String, start: Duration) {
        self.id = id
        self.start = start
        end = start
        invocation = nil
        boot = nil
        ending = .running
        gaps = []
        report = nil
        evidence = []
    }
}
