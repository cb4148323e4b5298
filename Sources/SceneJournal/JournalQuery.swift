/// Which records to read from which journal.
package struct JournalQuery: Hashable, Sendable {
    /// Where the journal is.
    package enum Place: Hashable, Sendable {
        /// This machine's journal, with all namespaces.
        case machine
        /// One namespace of this machine's journal.
        case namespace(String)
        /// The files in this directory, which may be from another machine.
        case directory(String)
        /// These files.
        case files([String])
    }

    /// Where the journal is.
    package var place: Place
    /// The full name of the unit; `nil` for everything that logs as scened, in a unit or not.
    package var unit: String?
    /// The earliest time, when journald received a record; `nil` for the beginning.
    package var since: JournalTime?
    /// The latest time; `nil` for the end.
    package var until: JournalTime?
    /// The ID of a boot, 32 hexadecimal digits.
    package var boot: String?
    /// The ID of a run of a unit, 32 hexadecimal digits.
    package var invocation: String?
    /// The ID of a host, 32 hexadecimal digits.
    package var host: String?

    /// The name that stands for any unit.
    package static let anyUnit = "*"

    /// A query for all records of a unit.
    /// - Parameter unit: `scened.service`, `scened` for the same, or ``anyUnit``.
    package init(unit: String, place: Place = .machine) {
        self.place = place
        self.unit = Self.fullName(unit)
    }

    /// The ID of this machine's current boot; `nil` if it cannot be read.
    package static var currentBoot: String? {
        SmallFile.line(of: "/proc/sys/kernel/random/boot_id")?.filter { $0 != "-" }
    }

    /// The unit's name, completed as journalctl does.
    private static func fullName(_ unit: String) -> String? {
        if unit == anyUnit { return nil }
        let kinds = [".service", ".scope", ".slice", ".socket"]
        return kinds.contains { unit.hasSuffix($0) } ? unit : unit + ".service"
    }
}
