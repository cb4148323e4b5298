import SceneEntryPoints
import SceneManifest
import SceneRouting
import SceneRuntime

/// Sends links to the windows of one host in turn, without a socket.
struct InProcessLoad {
    let host: SceneHost
    private let names: [String]
    private let events: [EntryEvent]
    /// How many events each sender has in flight.
    private static let window = 64
    private static let senders = 2

    init(scenes: Int, executors: HostExecutors) throws {
        var manifest = try AppManifestSource.shop()
        manifest.policies.maximumScenes = scenes
        host = try SceneHost(id: "bench", manifest: manifest, executors: executors)
        names = (0..<scenes).map { "s\($0)" }
        for name in names { try host.connect(scene: name) }
        events = try ["product/p1", "orders", "category/tea", "product/p2"].map { try .url("qcommerce://\($0)") }
    }

    func eventsPerSecond(_ count: Int) async -> Double {
        let start = ContinuousClock.now
        await withTaskGroup { group in
            for sender in 0..<Self.senders {
                group.addTask { await send(count / Self.senders, from: sender) }
            }
        }
        await host.quiesce()
        return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    }

    private func send(_ count: Int, from sender: Int) async {
        var waiting: [SceneHost.Admission] = []
        for number in 0..<count {
            // Each sender has separate windows, so that senders do not fill one another's mailboxes.
            let scene = names[(number * Self.senders + sender) % names.count]
            let event = events[(number / names.count) % events.count]
            guard let admission = try? host.admit(Submission(event, scene: scene)) else { continue }
            waiting.append(admission)
            if waiting.count == Self.window {
                for admission in waiting { _ = await host.receipt(of: admission) }
                waiting.removeAll(keepingCapacity: true)
            }
        }
        for admission in waiting { _ = await host.receipt(of: admission) }
    }
}

/// The app under measurement.
enum AppManifestSource {
    static func shop() throws -> AppManifest { try AppManifest.builtInShop() }
}
