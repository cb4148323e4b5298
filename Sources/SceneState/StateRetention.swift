/// How much is kept of what has ended.
package struct StateRetention: Hashable, Sendable {
    /// How many events that have ended are remembered, the newest by their ends; at least 1.
    package var events: Int
    /// How many records are kept at most, the newest; at least 1.
    package var records: Int
    /// How many bytes the texts of the records may have, but for the newest segment of them; at least 1.
    package var recordBytes: Int

    /// By default 10,000 events, 100,000 records and 256 MiB.
    package init(events: Int = 10_000, records: Int = 100_000, recordBytes: Int = 256 << 20) {
        self.events = max(1, events)
        self.records = max(1, records)
        self.recordBytes = max(1, recordBytes)
    }

    /// How many records are removed together, at most.
    var segment: Int { min(4_096, (records + 15) / 16) }
    /// After how many ends events are removed.
    var trimming: Int { min(1_024, (events + 7) / 8) }
}

/// What must have happened before something counts as kept.
package enum StateDurability: String, Hashable, Sendable, CaseIterable {
    /// It is on the disk, with one sync for all that was handed over while the last one went on.
    case group
    /// It is on the disk, with a sync of its own for each step.
    case strict
    /// It was handed over, and of what was handed over before all but the newest ``relaxedLead`` steps are on the disk. What was handed
    /// over within a second goes there together, or as soon as it is half as much. A crash of the process or the machine loses what is not
    /// there.
    case relaxed

    /// How many steps count as kept, if it is ``relaxed``, that are not on the disk.
    static let relaxedLead = 10_000
}
