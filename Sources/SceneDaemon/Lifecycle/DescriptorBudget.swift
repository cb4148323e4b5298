internal import Glibc
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Varlink

/// Sees to it that the files which the process may open suffice for what is started, because NIO ends the process if an event loop
/// gets none.
enum DescriptorBudget {
    /// An event loop's own, and the pipe to itself with which it pauses.
    private static let perLoop = 3 + pipe
    private static let pipe = 2
    /// For sockets to listen on, signals, the watchdog, the log and files that are read; and for a few clients.
    private static let others = 30

    /// How many event loops clients have, unless it is configured.
    static let usualLoops = 16

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

    /// Makes the event loops: by default so many for clients that a few users have their own, but for no more than half of the
    /// files.
    static func eventLoops(_ configuration: DaemonConfiguration) throws(Shortage) -> EventLoops {
        // The daemon's own loop, and the pipes of those for tasks.
        let besides = perLoop + System.coreCount * pipe + others
        let wanted = configuration.eventLoops ?? usualLoops
        let clients = configuration.limits.connections / 3 * 4 + 4
        DescriptorLimit.raise(to: (DescriptorLimit.open ?? 0) + wanted * perLoop + besides + clients)
        let affordable = (DescriptorLimit.free - besides) / 2 / perLoop
        let count = configuration.eventLoops ?? max(1, min(usualLoops, affordable))
        try require(count * perLoop + besides)
        return EventLoops(forClients: MultiThreadedEventLoopGroup(numberOfThreads: count))
    }

    /// The limits that the files still to be opened allow. Fewer clients than configured are logged.
    static func limits(_ wanted: VarlinkServerLimits, logger: Logger) -> VarlinkServerLimits {
        let limits = wanted.fitting(descriptors: DescriptorLimit.free - others / 2)
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
