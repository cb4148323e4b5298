import SceneEntryPoints
import SceneManifest
import SceneRouting
import SceneRuntime
import Basics
import StrictJSON

/// Runs the built-in shop in process under random events, intents, gestures, flow results, sign-ins and sign-outs, and
/// keeps its history.
struct RandomHost {
    var seed: UInt64
    var connections = 4
    var scenes = 3
    /// How many actions each connection takes.
    var actions = 60
    var manifest: AppManifest
    var settings = HostSettings(retainedRecords: 10_000_000)

    init(seed: UInt64, whileGated: Policies.WhileGated = .supersede, fallback: Destination? = nil) throws {
        self.seed = seed
        manifest = try AppManifest.builtInShop()
        manifest.policies.whileGated = whileGated
        manifest.fallback = fallback
        for index in manifest.adapters.indices where manifest.adapters[index].kinds == ["push"] {
            manifest.adapters[index].user = "payload.user"
        }
        settings.snapshotInterval = 100
    }

    /// The records as the runtime writes them.
    func run(stopping: Bool = true) async throws -> [JSONObject] {
        let host = try SceneHost(id: "host-\(seed)", manifest: manifest, settings: settings)
        let names = (1...scenes).map { "s\($0)" }
        for name in names { try host.connect(scene: name) }
        await withTaskGroup { group in
            for connection in 1...connections {
                group.addTask { await act(host, names, connection: connection) }
            }
        }
        await host.quiesce()
        if stopping { await host.drain() }
        var records: [JSONObject] = []
        var next = 0
        while true {
            let read = host.records.read(after: next)
            guard !read.records.isEmpty else { return records }
            records += read.records.map(\.json)
            next = read.next
        }
    }

    private func act(_ host: SceneHost, _ scenes: [String], connection: Int) async {
        var random = SplitMix(seed: seed &* 1_000 &+ UInt64(connection))
        for call in 1...actions {
            let origin = CommitOrigin(connection: connection)
            switch random.below(14) {
            case 0: _ = try? await host.session.signIn(user: ["mina", "theo"][random.below(2)], origin: origin)
            case 1:
                if random.below(2) == 0 {
                    await host.session.signOut(origin: origin)
                } else {
                    await host.session.markStale(origin: origin)
                }
            case 2:
                let facts: [String: FactValue] =
                    random.below(2) == 0 ? ["paymentMethod": .string("card")] : ["cart": .strings(["p1"])]
                _ = try? await host.session.commit(set: facts, origin: origin)
            case 3:
                let set: [String: FactValue] = random.below(2) == 0 ? ["unavailable": .strings(["p1"])] : [:]
                _ = try? await host.session.commit(set: set, remove: ["paymentMethod"], origin: origin)
            case 4: await host.quiesce()
            case 5...7:
                let submission = Submission(
                    RandomAction.next(&random),
                    scene: scenes[random.below(scenes.count)],
                    sender: "c\(connection)",
                    connection: connection,
                    call: call
                )
                guard let admission = try? host.admit(submission) else { continue }
                if random.below(3) == 0 { _ = await host.receipt(of: admission) }
            default:
                guard let event = try? event(&random) else { continue }
                let scene = random.below(4) == 0 ? nil : scenes[random.below(scenes.count)]
                let submission = Submission(
                    event,
                    scene: scene,
                    sender: "c\(connection)",
                    connection: connection,
                    call: call
                )
                guard let admission = try? host.admit(submission) else { continue }
                if random.below(3) == 0 { _ = await host.receipt(of: admission) }
            }
        }
    }

    private func event(_ random: inout SplitMix) throws -> EntryEvent {
        let paths = [
            "product/p1", "product/p2", "category/fruit", "cart", "checkout", "orders", "order/o7", "account",
            "account/settings/profile", "account/delete", "promo/SPRING",
        ]
        let path = paths[random.below(paths.count)]
        switch random.below(7) {
        case 0:
            return try .push(
                payload: ["aps": ["alert": "Look"], "url": .string("https://shop.example/\(path)")],
                interaction: ["open", "present"][random.below(2)]
            )
        case 1:
            if random.below(2) == 0 {
                return try .push(payload: ["aps": ["alert": "Lost"], "url": "https://shop.example/nowhere"])
            }
            let user = ["mina", "theo"][random.below(2)]
            return try .push(
                payload: [
                    "aps": ["alert": "Yours"], "url": .string("qcommerce://\(path)"), "user": .string(user),
                ]
            )
        case 2: return try .widget(kind: "order-status", userInfo: ["order": "o9"])
        case 3: return try .shortcut(type: "com.example.shop.cart")
        case 4:
            return try .activity(
                activityType: "com.apple.corespotlightitem",
                userInfo: ["kCSSearchableItemActivityIdentifier": "product/p3"],
                targetContentIdentifier: "product/p3"
            )
        case 5: return try .added("p\(random.below(4))")
        default: return try .url("qcommerce://\(path)")
        }
    }
}

extension EntryEvent {
    /// A product of the shop is put into the cart by an action of a notification.
    static func added(_ product: String) throws -> EntryEvent {
        try .push(
            payload: ["aps": ["alert": "Cheap today", "category": "OFFER"], "product": .string(product)],
            action: "ADD_TO_CART"
        )
    }
}
