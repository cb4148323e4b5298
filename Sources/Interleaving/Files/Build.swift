internal import CInterleaving

/// The toolchain and configuration of a build. An order of steps depends on them: another compiler, or another optimisation level, hops
/// between executors in other places.
package struct Build: Hashable, Sendable {
    /// The version of Swift and, if the compiler states it, the commit it was built from, such as `swift-6.3 11673e6660b2`.
    package var toolchain: String
    /// `debug` or `release`.
    package var configuration: String

    /// - Parameters: As the properties.
    package init(toolchain: String, configuration: String) {
        self.toolchain = toolchain
        self.configuration = configuration
    }

    /// The build of this process.
    package static let current = Build(toolchain: currentToolchain, configuration: currentConfiguration)

    private static var currentToolchain: String {
        let version = String(cString: interleaving_compiler())
        let commit = version.split { !$0.isHexDigit }.first { $0.utf8.count == 40 }
        return commit.map { "\(swift) \($0.prefix(12))" } ?? "\(swift) \(version)"
    }

    private static var swift: String {
        #if compiler(>=6.5)
            "swift-6.5+"
        #elseif compiler(>=6.4)
            "swift-6.4"
        #elseif compiler(>=6.3.1)
            "swift-6.3.1+"
        #else
            "swift-6.3"
        #endif
    }

    private static var currentConfiguration: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }
}
