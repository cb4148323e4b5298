internal import CInterleaving

/// What an order of steps belongs to besides the code: another compiler, or another optimisation, hops between executors
/// elsewhere.
public struct Build: Hashable, Sendable {
    /// The version of Swift, and where it says so the commit of its compiler, such as `swift-6.3 11673e6660b2`.
    public var toolchain: String
    /// `debug` or `release`.
    public var configuration: String

    public init(toolchain: String, configuration: String) {
        self.toolchain = toolchain
        self.configuration = configuration
    }

    /// What this process was built with.
    public static let current = Build(toolchain: currentToolchain, configuration: currentConfiguration)

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
