import Glibc
import NIOPosix
import SceneManifest
import SceneRuntime

/// What a scene costs: events a second in process and through the socket, and what scenes and clients do to each other.
///
/// Every figure is a ratio of two measurements that took turns in the same run.
///
///     make bench
@main
struct RuntimeBenchmark {
    static func main() async throws {
        print("events a second in process, links in turn, the median of \(rounds) rounds taken in turn")
        try await inProcess()
        print("\nthrough the socket: 4 clients with one call in flight each, every one with a window of its own")
        try await throughSocket()
    }

    static let rounds = 9

    // MARK: - In process

    private static func inProcess() async throws {
        let few = try InProcessLoad(scenes: 10, executors: .pooled())
        let many = try InProcessLoad(scenes: 10_000, executors: .pooled())
        let held = try InProcessLoad(scenes: 10, executors: .pooled())
        // A hold that catches nothing: every point is then looked at.
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
        let medians = rates.map(Statistics.median)
        print("| what | events/s | against 10 scenes |\n|---|---|---|")
        for (name, median) in zip(
            ["10 scenes", "10,000 scenes", "10 scenes, a hold set that catches nothing", "10 scenes on event loops"],
            medians
        ) {
            print("| \(name) | \(Int(median)) | \(Statistics.round2(median / medians[0])) |")
        }
        for load in [few, many, held, pinned] { await load.host.drain() }
        try await group.shutdownGracefully()
    }

    // MARK: - Through the socket

    private static func throughSocket() async throws {
        let pinned = try await SocketLoad(isPinned: true)
        let pooled = try await SocketLoad(isPinned: false)
        var results: [String: [Latencies]] = [:]
        for _ in 0..<rounds {
            results["near", default: []].append(await pinned.run(crossing: false))
            results["far", default: []].append(await pinned.run(crossing: true))
            results["pooled", default: []].append(await pooled.run(crossing: false))
            let hold = try await pinned.holdOne()
            results["held", default: []].append(await pinned.run(crossing: false))
            pinned.host.release(hold)
            let flood = pinned.flood()
            results["flood", default: []].append(await pinned.run(crossing: false))
            await flood.stop()
        }
        let base = Statistics.summary(results["near"] ?? [])
        print("| what | events/s | p50 µs | p99 µs | events/s against the first | p99 against the first |")
        print("|---|---|---|---|---|---|")
        for (key, name) in [
            ("near", "scene on its connection's event loop"), ("far", "scene on the other event loop"),
            ("pooled", "scenes on the default pool"), ("held", "another scene held"),
            ("flood", "another client flooding"),
        ] {
            let summary = Statistics.summary(results[key] ?? [])
            print(
                "| \(name) | \(Int(summary.rate)) | \(Int(summary.p50)) | \(Int(summary.p99)) | "
                    + "\(Statistics.round2(summary.rate / base.rate)) | \(Statistics.round2(summary.p99 / base.p99)) |"
            )
        }
        try await pinned.stop()
        try await pooled.stop()
    }
}
