import Figures
import Glibc
import NIOCore
import NIOPosix
import SceneManifest
import SceneRuntime

/// Measures events per second in process and through the socket, and how scenes and clients affect one another.
///
/// Every figure is the ratio of two measurements taken in turns in the same run.
///
///     make bench
@main
struct RuntimeBenchmark {
    static func main() async throws {
        try await inProcess()
        try await throughSocket()
    }

    static let rounds = 9

    // MARK: - In process

    private static func inProcess() async throws {
        let few = try InProcessLoad(scenes: 10, executors: .pooled())
        let many = try InProcessLoad(scenes: 10_000, executors: .pooled())
        let held = try InProcessLoad(scenes: 10, executors: .pooled())
        // With a hold that catches nothing, every point is checked.
        _ = try held.host.hold(.admitted, event: "nobody")
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let loops = Array(group.makeIterator())
        let pinned = try InProcessLoad(
            scenes: 10,
            executors: HostExecutors(
                session: loops[0].executor,
                scene: { number in loops[number % loops.count].executor }
            )
        )
        var rates: [[Double]] = [[], [], [], []]
        for _ in 0..<rounds {
            for (index, load) in [few, many, held, pinned].enumerated() {
                rates[index].append(await load.eventsPerSecond(20_000))
            }
        }
        for (name, rate, goal) in [
            ("10,000 scenes", rates[1], Figure.Goal.atLeast(0.9)),
            ("10 scenes, a hold set that catches nothing", rates[2], nil), ("10 scenes on event loops", rates[3], nil),
        ] {
            try FigureLog.add(
                Figure(
                    "runtime",
                    "events/s in process, \(name)",
                    to: "10 scenes",
                    zip(rate, rates[0]).map { $0 / $1 },
                    goal: goal,
                    detail: "\(Int(rate.median)) of \(Int(rates[0].median)) events/s"
                )
            )
        }
        for load in [few, many, held, pinned] { await load.host.drain() }
        try await group.shutdownGracefully()
    }

    // MARK: - Through the socket

    private static func throughSocket() async throws {
        let daemon = try await SocketLoad(.following)
        let pinned = try await SocketLoad(.pinned)
        let pooled = try await SocketLoad(.pooled)
        var results: [String: [Latencies]] = [:]
        for _ in 0..<rounds {
            results["alone", default: []].append(await daemon.run(crossing: false))
            results["far", default: []].append(await pinned.run(crossing: true))
            results["pooled", default: []].append(await pooled.run(crossing: false))
            let hold = try await daemon.holdOne()
            results["held", default: []].append(await daemon.run(crossing: false))
            daemon.host.release(hold)
            let flood = daemon.flood()
            results["flood", default: []].append(await daemon.run(crossing: false))
            await flood.stop()
        }
        let base = (results["alone"] ?? []).map(Statistics.Summary.init)
        for (key, name, goal) in [
            ("far", "scene on the other event loop", nil), ("pooled", "scenes on the default pool", nil),
            ("held", "another scene held", Figure.Goal.atMost(1.2)),
            ("flood", "another client flooding", Figure.Goal.atMost(2)),
        ] {
            let rounds = (results[key] ?? []).map(Statistics.Summary.init)
            let detail =
                "\(Int(rounds.map(\.rate).median)) events/s, p50 \(Int(rounds.map(\.p50).median)) µs, "
                + "p99 \(Int(rounds.map(\.p99).median)) µs; alone \(Int(base.map(\.rate).median)), "
                + "\(Int(base.map(\.p50).median)) µs, \(Int(base.map(\.p99).median)) µs"
            try FigureLog.add(
                Figure(
                    "runtime",
                    "p99 over the socket, \(name)",
                    to: "scene on its connection's event loop, alone",
                    zip(rounds, base).map { $0.p99 / $1.p99 },
                    goal: goal,
                    detail: detail
                )
            )
            try FigureLog.add(
                Figure(
                    "runtime",
                    "events/s over the socket, \(name)",
                    to: "scene on its connection's event loop, alone",
                    zip(rounds, base).map { $0.rate / $1.rate }
                )
            )
        }
        try await daemon.stop()
        try await pinned.stop()
        try await pooled.stop()
    }
}
