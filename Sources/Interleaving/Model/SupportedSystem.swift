#if !compiler(>=6.3)
    #error("Interleaving needs Swift 6.3 or later: it relies on the runtime of that version")
#endif

/// The systems on which everything that a body starts can be taken into a simulation.
enum SupportedSystem {
    /// What this system is called, if it is none of them; nil on Linux.
    static var problem: String? {
        #if os(Linux)
            nil
        #elseif os(macOS)
            "macOS"
        #elseif os(iOS)
            "iOS"
        #elseif os(tvOS)
            "tvOS"
        #elseif os(watchOS)
            "watchOS"
        #elseif os(visionOS)
            "visionOS"
        #elseif os(Windows)
            "Windows"
        #else
            "another system"
        #endif
    }

    /// Does not try what cannot work. Whether a newer Swift works on Linux is for the ``Probe`` to find out.
    /// - Parameter problem: As the property of this name.
    /// - Throws: ``ExplorationError/unsupportedSystem(_:)`` where the standard library offers no executors to replace. Code that is given its
    ///   executors needs none of that.
    static func require(_ control: SimulationSettings.Control, problem: String? = problem) throws(ExplorationError) {
        if control == .system, let problem { throw .unsupportedSystem(problem) }
    }
}
