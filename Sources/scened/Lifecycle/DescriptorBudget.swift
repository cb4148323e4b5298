internal import Glibc
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Varlink

/// Sees to it that the files which the process may open suffice for what is started, because NIO ends the process if an event loop
/// gets none.
enum DescriptorBudget {
    /// An event loop's own, and the two pipes to itself with which it pauses.
    private static let perLoop = 3 + 2 * 2
    /// For sockets to listen on, signals, the watchdog, the log and files that are read; and for a few clients.
    private static let others = 30

    /// Too few files may be opened.
    struct Shortage: Error, CustomStringConvertible {
        let limit: Int
        let needed: Int

        var description: String {
            "this process may open \(limit) files and needs \(needed); raise LimitNOFILE= of the service or 'ulimit -n', or lower eventLoops"
        }
    }

    /// Makes room for the event loops that Swift's tasks run on and what else is opened before the configuration is known. Called
    /// before anything opens a file.
    static func begin() throws(Shortage) {
        DescriptorLimit.raise(to: 1024)
        try require(System.coreCount * 3 + others)
    }

    /// Makes the event loops for clients.
    static func eventLoops(_ configuration: DaemonConfiguration) throws(Shortage) -> MultiThreadedEventLoopGroup {
        let count = configuration.eventLoops ?? System.coreCount
        let own = count * perLoop + others
        DescriptorLimit.raise(to: (DescriptorLimit.open ?? 0) + own + configuration.limits.connections / 3 * 4 + 4)
        try require(own)
        return MultiThreadedEventLoopGroup(numberOfThreads: count)
    }

    /// The limits that the files still to be opened allow. Fewer clients than configured are logged.
    static func limits(_ wanted: VarlinkServerLimits, group: MultiThreadedEventLoopGroup, logger: Logger)
        -> VarlinkServerLimits
    {
        let pipes = Array(group.makeIterator()).count * 2 * 2
        let limits = wanted.fitting(descriptors: DescriptorLimit.free - pipes - others / 2)
        if limits.connections < wanted.connections {
            logger.log(
                .fewDescriptors,
                [
                    "connections": "\(limits.connections)", "connectionsPerUser": "\(limits.connectionsPerUser)",
                    "descriptors": "\(DescriptorLimit.inForce)",
                ]
            )
        }
        return limits
    }

    private static func require(_ more: Int) throws(Shortage) {
        guard DescriptorLimit.free < more else { return }
        throw Shortage(limit: DescriptorLimit.inForce, needed: DescriptorLimit.inForce - DescriptorLimit.free + more)
    }
}
