internal import CInterleaving

/// Whether each `Set` and `Dictionary` has the same order in every process. It has if the variable `SWIFT_DETERMINISTIC_HASHING` is set when a
/// process begins. Workers are forks, so they have the order of their parent.
package enum DeterministicHashing {
    /// What a command needs before it.
    package static let setting = "SWIFT_DETERMINISTIC_HASHING=1"

    /// Whether it is set in this process.
    package static var isSet: Bool {
        guard let value = interleaving_environment("SWIFT_DETERMINISTIC_HASHING") else { return false }
        // As the runtime reads it.
        return String(cString: value).first.map { "1tTyY".contains($0) } ?? false
    }

    /// What a command that repeats a run of this process needs before it: the setting and a space, or nothing.
    package static var prefix: String { isSet ? "\(setting) " : "" }
}
