import CountingMalloc
import Figures
import Glibc
import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime

/// Measures the cost of a typical link after it is resolved, and of an idle window.
///
///     make bench ARGS=bench-navigation
@main
struct NavigationBenchmark {
    static func main() async throws {
        do {
            try measureLinks()
            try await measureIdleScenes()
        } catch let failure as Failure {
            print("failed: \(failure.reason)")
            exit(1)
        }
    }

    // MARK: - Links

    /// A window, a link that arrives in it, and the name of the case.
    struct Link {
        let name: String
        let url: String
        let window: WindowState
    }

    static let links: [Link] = {
        func place(_ text: String) -> Destination {
            let parts = text.split(separator: ":")
            return Destination(id: String(parts[0]), parameters: parts.count > 1 ? ["id": String(parts[1])] : [:])
        }
        func window(_ home: [String], orders: [String] = ["orders"], modals: [ModalState] = []) -> WindowState {
            WindowState(
                tabs: [
                    TabState(id: "home", stack: home.map(place)), TabState(id: "orders", stack: orders.map(place)),
                    TabState(id: "account", stack: [place("account")]),
                ],
                selectedTab: "home",
                modals: modals
            )
        }
        let auth = ModalState(flow: "auth", style: .sheet, stack: [place("login")])
        return [
            Link(name: "push a product", url: "https://shop.example/product/p1", window: window(["home"])),
            Link(name: "update a product", url: "https://shop.example/p/p2", window: window(["home", "product:p1"])),
            Link(
                name: "another tab's order",
                url: "https://shop.example/order/o7",
                window: window(["home", "product:p1"], orders: ["orders", "order:o1"])
            ),
            Link(
                name: "under an open sheet",
                url: "https://shop.example/promo/SPRING",
                window: window(["home", "product:p1"], modals: [auth])
            ),
            Link(
                name: "checkout over the cart",
                url: "https://shop.example/checkout",
                window: window(["home", "product:p1"])
            ),
        ]
    }()

    static func measureLinks() throws {
        let engine = try RoutingEngine(manifest: .builtInShop())
        let context = RoutingContext(
            user: "mina",
            facts: ["cart": .strings(["p1"]), "paymentMethod": .string("card")]
        )
        let repeats: @Sendable (String) -> Bool = { engine.destination($0)?.repeats ?? false }
        for link in links {
            guard case .proceed(let target) = try engine.resolve(url: link.url, context: context) else {
                throw Failure(reason: "\(link.url) does not proceed")
            }
            let ops = Reconciler.plan(from: link.window, to: target, source: .external, repeats: repeats)
            guard !ops.isEmpty else { throw Failure(reason: "\(link.url) changes nothing") }
            var times: (resolve: [Double], plan: [Double], apply: [Double]) = ([], [], [])
            var allocations = 0.0
            for _ in 0..<15 {
                let resolve = time { (try? engine.resolve(url: link.url, context: context)) == nil ? 0 : 1 }
                let plan = time {
                    Reconciler.plan(from: link.window, to: target, source: .external, repeats: repeats).count
                }
                let apply = time {
                    var window = Window(state: link.window, repeats: repeats)
                    for op in Reconciler.plan(from: link.window, to: target, source: .external, repeats: repeats) {
                        guard (try? window.begin(op)) != nil else { return 0 }
                        window.completeTransition()
                    }
                    return window.state.tabs.count
                }
                times.resolve.append(resolve.nanoseconds)
                times.plan.append(plan.nanoseconds)
                times.apply.append(apply.nanoseconds)
                allocations = apply.allocations
            }
            let best = [times.resolve, times.plan, times.apply].map { Int($0.min() ?? .nan) }
            try FigureLog.add(
                Figure(
                    "navigation",
                    "plan and apply, \(link.name)",
                    to: "resolve",
                    zip(times.apply, times.resolve).map { $0 / $1 },
                    detail:
                        "\(ops.count) ops, \(Int(allocations)) allocations; nanoseconds: resolve \(best[0]), plan \(best[1]), plan and apply \(best[2])"
                )
            )
        }
    }

    static func time(_ body: () -> Int) -> (nanoseconds: Double, allocations: Double) {
        let count = 4_096
        var sum = body()
        let allocations = counting_malloc_allocations()
        let start = processorNanoseconds()
        for _ in 0..<count { sum &+= body() }
        let nanoseconds = processorNanoseconds() - start
        let asked = counting_malloc_allocations() - allocations
        precondition(sum > 0)
        return (nanoseconds / Double(count), Double(asked) / Double(count))
    }

    // MARK: - Idle scenes

    static let scenes = 10_000

    /// A host has at most 4,096 scenes, so there are several. The history is not part of a scene: one record is kept.
    static func measureIdleScenes() async throws {
        var manifest = try AppManifest.builtInShop()
        manifest.policies.maximumScenes = 4_096
        // Everything that is created only once exists before the first measurement.
        var hosts = [try host(manifest)]
        try hosts[0].connect(scene: "first")
        await hosts[0].quiesce()
        let hostless = try memory()
        for _ in 0..<2 { hosts.append(try host(manifest)) }
        let before = try memory()
        var opened: [(host: SceneHost, scene: String)] = []
        for host in hosts {
            for _ in 0..<min(scenes - opened.count, 4_000) { opened.append((host, try host.connect().id)) }
        }
        for host in hosts { await host.quiesce() }
        let fresh = try memory()
        // There and back, so that the window is as before and everything needed to handle an event has been allocated.
        for link in ["qcommerce://orders", "qcommerce://home"] {
            for (host, scene) in opened { _ = try host.admit(Submission(try .url(link), scene: scene)) }
            for host in hosts { await host.quiesce() }
        }
        let used = try memory()
        guard hosts.map(\.scenes.count).reduce(0, +) == scenes + 1 else { throw Failure(reason: "scenes are missing") }
        for (host, scene) in opened {
            guard try host.scene(scene).settled == 2 else {
                throw Failure(reason: "\(scene) has not handled its links")
            }
        }
        for (name, state) in [("opened", fresh), ("after two links", used)] {
            try FigureLog.add(
                Figure(
                    "navigation",
                    "idle scene, \(name)",
                    in: "bytes",
                    [Double((state.live - before.live) / scenes)],
                    goal: .atMost(8_192),
                    detail:
                        "on the heap, over \(scenes) scenes; resident \((state.resident - before.resident) / scenes)"
                )
            )
        }
        try FigureLog.add(
            Figure("navigation", "a host without scenes", in: "bytes", [Double((before.live - hostless.live) / 2)])
        )
        for host in hosts { await host.drain() }
        guard max(fresh.live, used.live) - before.live <= 8_192 * scenes else {
            throw Failure(reason: "an idle scene costs more than 8 KiB")
        }
    }

    static func host(_ manifest: AppManifest) throws -> SceneHost {
        try SceneHost(id: "bench", manifest: manifest, settings: HostSettings(retainedRecords: 1, retainedEvents: 1))
    }

    /// The bytes allocated and not freed, and the resident memory of the process in bytes.
    static func memory() throws -> (live: Int, resident: Int) {
        let live = Int(counting_malloc_live_bytes())
        guard let file = fopen("/proc/self/statm", "r") else { throw Failure(reason: "no /proc") }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { throw Failure(reason: "no /proc/self/statm") }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure(reason: "/proc/self/statm reads \(text)")
        }
        return (live, pages * Int(getpagesize()))
    }

    struct Failure: Error {
        let reason: String
    }
}
