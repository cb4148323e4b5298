import Basics
import Dispatch
import SceneEntryPoints
import SceneNavigation
import SceneRouting
import SceneVocabulary
import StrictJSON
import Testing

@testable import SceneRuntime

/// Several URLs in one delivery (<doc:/SceneRuntime/WayOfAnEvent>).
@Suite("A set of URLs", .timeLimit(.minutes(15)))
struct URLSetTests {
    private static let links = ["qcommerce://product/p1", "qcommerce://promo/SPRING", "qcommerce://category/fruit"]

    private static func set(
        _ urls: [String] = links,
        order: [Int]? = nil,
        in scene: String? = "A",
        id: String? = nil,
        from sender: String? = nil
    ) throws -> SetSubmission {
        SetSubmission(try URLSet(urls), order: order, scene: scene, eventID: id, sender: sender)
    }

    private static func seeded(_ seed: UInt64) -> HostSettings {
        var settings = HostSettings()
        settings.seed = seed
        return settings
    }

    /// The places as given, in the order of the tickets.
    private static func order(_ admissions: [SceneHost.Admission]) -> [Int] {
        admissions.indices.sorted { admissions[$0].receipt.ticket ?? 0 < admissions[$1].receipt.ticket ?? 0 }.map {
            $0 + 1
        }
    }

    private static func arrivals(_ shop: TestHost) -> [(subject: Record.Subject, arrival: Record.Arrival)] {
        shop.records.compactMap { record in
            if case .eventAdmitted(let arrival) = record.body { (record.subject, arrival) } else { nil }
        }
    }

    @Test("comes in every order, by the host's seed alone")
    func order() throws {
        var seen: Set<[Int]> = []
        for seed in 0..<64 as Range<UInt64> {
            var orders: [[[Int]]] = []
            for _ in 0..<2 {
                let shop = try TestHost(windows: ["A"], settings: Self.seeded(seed))
                orders.append(try (0..<4).map { _ in Self.order(try shop.host.admit(Self.set())) })
            }
            #expect(orders[0] == orders[1], "seed \(seed)")
            #expect(Set(orders[0]).count > 1 || seed > 0, "chance goes on from set to set")
            seen.formUnion(orders[0])
        }
        #expect(seen.count == 6, "\(seen)")
    }

    @Test(
        "comes in the order that its sender asks for, and is shown in that order",
        arguments: [[3, 1, 2], [2, 3, 1]]
    )
    func asked(order: [Int]) async throws {
        let shop = try TestHost(windows: ["A"])
        let admissions = try shop.host.admit(Self.set(order: order, id: "mail"))
        #expect(Self.order(admissions) == order)
        for admission in admissions { #expect(await shop.host.receipt(of: admission).outcome == .applied) }
        let began = shop.records(of: .dispatchBegan).compactMap(\.subject.event)
        #expect(began == order.map { "mail/\($0)" })
        let last = ["product(id: p1)", "promo(code: SPRING)", "category(slug: fruit)"][order[2] - 1]
        #expect(try shop.shown() == "home › \(last)")
        let places = Self.arrivals(shop).map(\.arrival.place)
        #expect(places == order.enumerated().map { Record.SetPlace(place: $0 + 1, count: 3, given: $1) })
    }

    @Test(
        "is refused for an order that is none",
        arguments: [[], [1, 2], [1, 2, 2], [0, 1, 2], [1, 2, 4], [1, 2, 3, 4], [.min, .max, 0]]
    )
    func noOrder(order: [Int]) throws {
        let shop = try TestHost(windows: ["A"])
        #expect(
            throws: AdmissionError.route(
                .validationFailed(parameter: "order", reason: "expected each of the numbers 1 to 3 once")
            )
        ) { try shop.host.admit(Self.set(order: order)) }
        #expect(shop.records(of: .eventAdmitted).isEmpty)
    }

    @Test("has consecutive tickets whatever others send at the same time, and all of it comes")
    func consecutive() async throws {
        let shop = try TestHost(windows: ["A", "B"], settings: Self.seeded(7))
        let failures = Guarded<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { sender in
            for number in 0..<50 {
                do {
                    let scene = number % 2 == 0 ? "A" : "B"
                    if sender < 4 {
                        _ = try shop.host.admit(
                            Self.set(in: scene, id: "set\(sender)-\(number)", from: "\(sender)")
                        )
                    } else {
                        try shop.admit(Self.links[0], in: scene, from: "\(sender)")
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(failures.withLock { $0 } == [])
        let arrivals = Self.arrivals(shop)
        #expect(arrivals.count == 800)
        var index = 0
        while index < arrivals.count {
            guard let place = arrivals[index].arrival.place else {
                index += 1
                continue
            }
            let set = arrivals[index..<min(index + place.count, arrivals.count)]
            #expect(set.map(\.arrival.place?.place) == [1, 2, 3])
            #expect(Set(set.compactMap(\.arrival.place?.given)) == [1, 2, 3])
            let first = arrivals[index].subject.ticket ?? 0
            #expect(set.map(\.subject.ticket) == [first, first + 1, first + 2])
            #expect(Set(set.map(\.subject.scene)).count == 1)
            #expect(Set(set.compactMap { $0.subject.event?.split(separator: "/").first }).count == 1)
            index += place.count
        }
        await shop.host.quiesce()
    }

    @Test("is refused whole with the place of what is wrong, and leaves no trace")
    func refusedWhole() throws {
        let shop = try TestHost(windows: [])
        let newest = shop.host.records.newestIndex
        let nowhere = "qcommerce://nowhere"
        #expect(
            throws: AdmissionError.member(place: 2, url: nowhere, .route(.unknownRoute(url: nowhere)))
        ) { try shop.host.admit(Self.set([Self.links[0], nowhere, Self.links[1]], in: nil, id: "mail")) }
        let wrong = "qcommerce://product/tea"
        do {
            _ = try shop.host.admit(Self.set([Self.links[0], wrong], in: nil, id: "mail"))
            Issue.record("a product has no such ID")
        } catch {
            guard case .member(2, wrong, .route(.validationFailed("id", _))) = error as? AdmissionError else {
                return _ = Issue.record("\(error)")
            }
        }
        #expect(throws: AdmissionError.unknownScene("Z")) { try shop.host.admit(Self.set(in: "Z", id: "mail")) }
        #expect(shop.host.records.newestIndex == newest && shop.host.scenes.isEmpty)
        #expect(shop.host.receipt(event: "mail/1") == nil)
        #expect(shop.host.memoryUse.events == MemoryUse.Events())
        // The ID is free.
        let again = try shop.host.admit(Self.set(in: nil, id: "mail"))
        #expect(again.allSatisfy { !$0.receipt.isDuplicate })
    }

    @Test("is refused whole where the mailbox has no room for all of it, and opens no window for that")
    func queueFull() async throws {
        let small = try TestHost(windows: [], settings: HostSettings(mailboxCapacity: 2))
        #expect(throws: AdmissionError.queueFull(scene: nil, limit: 2)) { try small.host.admit(Self.set(in: nil)) }
        #expect(small.host.scenes.isEmpty && small.host.memoryUse.events == MemoryUse.Events())

        let shop = try TestHost(windows: ["A"], settings: HostSettings(mailboxCapacity: 4))
        let hold = try shop.hold(.admitted, scene: "A")
        try shop.admit(Self.links[0], id: "first")
        _ = await hold.caught()
        try shop.admit(Self.links[0])
        try shop.admit(Self.links[1])
        let waiting = shop.host.memoryUse.events
        #expect(throws: AdmissionError.queueFull(scene: "A", limit: 4)) { try shop.host.admit(Self.set()) }
        #expect(shop.host.memoryUse.events == waiting)
        let two = try shop.host.admit(Self.set(Array(Self.links.prefix(2))))
        #expect(two.compactMap(\.receipt.ticket).sorted() == [4, 5], "the refused set took no ticket")
        #expect(throws: AdmissionError.queueFull(scene: "A", limit: 4)) { try shop.admit(Self.links[0]) }
        hold.release()
        await shop.host.quiesce()
    }

    @Test("is held together: what is sent meanwhile comes before or after it")
    func nothingBetween() async throws {
        let shop = try TestHost(windows: ["A"])
        let hold = try shop.hold(.admitted, scene: "A")
        try shop.admit(Self.links[0], id: "before")
        _ = await hold.caught()
        _ = try shop.host.admit(Self.set(order: [2, 1, 3], id: "mail"))
        _ = try shop.host.connect(scene: "B")
        try shop.admit(Self.links[0], id: "after")
        hold.release()
        await shop.host.quiesce()
        let began = shop.records(of: .dispatchBegan, scene: "A").compactMap(\.subject.event)
        #expect(began == ["before", "mail/2", "mail/1", "mail/3", "after"])
    }

    @Test("comes with the connection of the window that it opens, or brings back")
    func cold() async throws {
        let shop = try TestHost(windows: [])
        let admissions = try shop.host.admit(Self.set(in: nil))
        #expect(Set(admissions.map(\.receipt.scene)) == ["scene-1"])
        try await shop.host.disconnect(scene: "scene-1")
        _ = try shop.host.admit(Self.set(in: nil))
        _ = try shop.host.admit(Self.set(in: nil))
        await shop.host.quiesce()
        let arrivals = Self.arrivals(shop)
        let isCold = [true, true, true, true, true, true, false, false, false]
        #expect(arrivals.map { $0.arrival.delivery == .cold } == isCold)
        #expect(arrivals.map { $0.arrival.options == ["urlContexts"] } == isCold)
        #expect(shop.host.scenes.map(\.id) == ["scene-1"])
        // One window, brought back once, for the first of them.
        let connected = shop.records(of: .sceneConnected).map(\.subject.event)
        #expect(connected == [nil, arrivals[3].subject.event])
    }

    @Test("goes to a window that can take each of its URLs, and one that prefers them all goes before")
    func chosen() async throws {
        let shop = try TestHost(windows: []) { manifest in
            manifest.configurations[0].canActivate = .constant(true)
            manifest.configurations = [
                manifest.configurations[0],
                SceneConfiguration(
                    name: "products",
                    canActivate: .beginsWith("qcommerce://product"),
                    prefers: .beginsWith("qcommerce://product")
                ),
            ]
        }
        try shop.host.connect(scene: "A", configuration: manifestDefault(shop))
        try shop.host.connect(scene: "P", configuration: "products")
        let products = ["qcommerce://product/p1", "qcommerce://product/p2"]
        func scene(_ urls: [String]) throws -> Set<String?> {
            let admissions = try shop.host.admit(Self.set(urls, in: nil))
            return Set(admissions.map { $0.receipt.scene })
        }
        #expect(try scene(products) == ["P"])
        #expect(try scene(products + ["qcommerce://promo/SPRING"]) == ["A"])
        await shop.host.quiesce()
    }

    private func manifestDefault(_ shop: TestHost) -> String { shop.host.manifest.configurations[0].name }

    @Test("that was sent before gives the same receipts, and nothing is done")
    func repeated() async throws {
        let shop = try TestHost(windows: ["A"])
        let first = try shop.host.admit(Self.set(order: [2, 3, 1], id: "mail", from: "mina"))
        for admission in first { _ = await shop.host.receipt(of: admission) }
        await shop.host.quiesce()
        let newest = shop.host.records.newestIndex
        let again = try shop.host.admit(Self.set(order: [1, 2, 3], id: "mail", from: "mina"))
        #expect(again.allSatisfy(\.receipt.isDuplicate) && Self.order(again) == [2, 3, 1])
        #expect(again.map(\.receipt.event) == ["mail/1", "mail/2", "mail/3"])
        #expect(shop.host.records.newestIndex == newest)
        #expect(throws: AdmissionError.eventMismatch(event: "mail/1")) {
            try shop.host.admit(Self.set(Self.links.reversed(), id: "mail", from: "mina"))
        }
        #expect(throws: AdmissionError.eventMismatch(event: "mail/1")) {
            try shop.host.admit(Self.set(Array(Self.links.prefix(2)), id: "mail", from: "mina"))
        }
        #expect(throws: AdmissionError.eventMismatch(event: "mail/2")) {
            try shop.admit(Self.links[1], id: "mail/2", from: "mina")
        }
        // Another sender's is another set.
        #expect(try shop.host.admit(Self.set(id: "mail", from: "theo")).allSatisfy { !$0.receipt.isDuplicate })
        await shop.host.quiesce()
    }

    @Test("that has been forgotten in part is not admitted again")
    func forgotten() async throws {
        let shop = try TestHost(windows: ["A"], settings: HostSettings(retainedEvents: 2))
        for admission in try shop.host.admit(Self.set(order: [1, 2, 3], id: "mail")) {
            _ = await shop.host.receipt(of: admission, at: .finished)
        }
        await shop.host.quiesce()
        #expect(throws: AdmissionError.forgotten(event: "mail/1")) { try shop.host.admit(Self.set(id: "mail")) }
        #expect(shop.records(of: .eventAdmitted).count == 3)
    }

    @Test(
        "needs an ID from which each event's is still a name of 128 bytes",
        arguments: [(2, 126), (9, 126), (10, 125), (32, 125)]
    )
    func longID(count: Int, most: Int) async throws {
        let shop = try TestHost(windows: ["A"])
        let links = (1...count).map { "qcommerce://product/p\($0)" }
        let id = String(repeating: "x", count: most)
        let longest = try shop.host.admit(Self.set(links, id: id)).map(\.receipt.event.utf8.count).max()
        #expect(longest == 128)
        await shop.host.quiesce()
        let reason =
            "has \(most + 1) bytes, and with '/\(count)', as the last event of the set has it, 129; "
            + "expected at most \(most) for a set of \(count) URLs"
        #expect(throws: AdmissionError.invalidEventID(reason: reason)) {
            try shop.host.admit(Self.set(links, id: id + "x"))
        }
    }

    @Test(
        "needs an ID that is a name itself",
        arguments: ["", "two words", "caf\u{E9}", String(repeating: "x", count: 129)]
    )
    func wrongID(id: String) throws {
        let shop = try TestHost(windows: ["A"])
        let problem = try #require(NameRule.problem(id))
        #expect(throws: AdmissionError.invalidEventID(reason: problem)) { try shop.host.admit(Self.set(id: id)) }
    }

    @Test("is admitted with what leads nowhere where the app has something to show instead")
    func fallback() async throws {
        let shop = try TestHost(windows: ["A"]) {
            $0.fallback = Destination(id: "promo", parameters: ["code": "SORRY"])
        }
        let admissions = try shop.host.admit(
            Self.set([Self.links[0], "qcommerce://nowhere"], order: [1, 2], id: "mail")
        )
        var outcomes: [Outcome] = []
        for admission in admissions { outcomes.append(await shop.host.receipt(of: admission).outcome) }
        #expect(outcomes == [.applied, .rejected(reason: "unknownRoute")])
        #expect(try shop.shown() == "home › promo(code: SORRY)")
    }
}
