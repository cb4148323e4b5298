extension JournalFieldName {
    /// The prefix of scened's own fields, as in `SCENED_SCENE`.
    package static let scenedPrefix = Self(unchecked: "SCENED_")
    /// A whole record as one line of JSON; see `protocol/record.schema.json`.
    package static let recordJSON = Self(unchecked: "SCENED_RECORD_JSON")
    /// The index of the entry's record in its host's history.
    package static let recordIndex = Self(unchecked: "SCENED_INDEX")
    /// The ID of the record's host.
    package static let host = Self(unchecked: "SCENED_HOST")
    /// When that host's first record was written, in microseconds since 1970. A journal that begins later has lost some.
    package static let hostStarted = Self(unchecked: "SCENED_HOST_STARTED")
    /// How many entries are missing at this place.
    package static let gap = Self(unchecked: "SCENED_GAP")
    /// The index of the last record of the host before the missing ones.
    package static let gapAfter = Self(unchecked: "SCENED_GAP_AFTER")
}

extension JournalFieldName {
    // Written by journald and systemd; see systemd.journal-fields(7).
    package static let systemUnit = Self(unchecked: "_SYSTEMD_UNIT")
    package static let userUnit = Self(unchecked: "_SYSTEMD_USER_UNIT")
    package static let invocation = Self(unchecked: "_SYSTEMD_INVOCATION_ID")
    package static let boot = Self(unchecked: "_BOOT_ID")
    package static let process = Self(unchecked: "_PID")
    package static let namespace = Self(unchecked: "_NAMESPACE")
    /// The unit that a message of the service manager is about, and which run of it.
    package static let aboutUnit = Self(unchecked: "UNIT")
    package static let aboutUserUnit = Self(unchecked: "USER_UNIT")
    package static let aboutInvocation = Self(unchecked: "INVOCATION_ID")
    package static let aboutUserInvocation = Self(unchecked: "USER_INVOCATION_ID")
    /// How the unit's main process ended: `exited`, `killed` or `dumped`, and its status or signal.
    package static let exitCode = Self(unchecked: "EXIT_CODE")
    package static let exitStatus = Self(unchecked: "EXIT_STATUS")
    /// The unit whose messages journald suppressed, and how many.
    package static let objectUnit = Self(unchecked: "OBJECT_SYSTEMD_UNIT")
    package static let objectUserUnit = Self(unchecked: "OBJECT_SYSTEMD_USER_UNIT")
    package static let dropped = Self(unchecked: "N_DROPPED")
}
