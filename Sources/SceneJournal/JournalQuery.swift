/// Which records of which journal.
package struct JournalQuery: Hashable, Sendable {
    /// Where the journal is.
    package enum Place: Hashable, Sendable {
        /// This machine's, with all its namespaces.
        case machine
        /// One namespace of this machine's.
        case namespace(String)
        /// Files in this directory, perhaps of another machine.
        case directory(String)
        case files([String])
    }

    package var place: Place
    /// The unit as systemd names it; `nil` for whoever logs as scened, in a unit or not.
    package var unit: String?
    package var since: JournalTime?
    package var until: JournalTime?
    /// A boot's, an invocation's and a host's ID, 32 hexadecimal digits each.
    package var boot: String?
    package var invocation: String?
    package var host: String?

    /// What a unit of any name is called by.
    package static let anyUnit = "*"

    /// - Parameter unit: `scened.service`, `scened` for the same, or ``anyUnit``.
    package init(unit: String, place: Place = .machine) {
        self.place = place
        self.unit = Self.fullName(unit)
    }

    /// The ID of this machine's current boot; `nil` where the system does not tell.
    package static var currentBoot: String? {
        SmallFile.line(of: "/proc/sys/kernel/random/boot_id")?.filter { $0 != "-" }
    }

    /// As journalctl completes it.
    private static func fullName(_ unit: String) -> String? {
        if unit == anyUnit { return nil }
        let kinds = [".service", ".scope", ".slice", ".socket"]
        return kinds.contains { unit.hasSuffix($0) } ? unit : unit + ".service"
    }
}
