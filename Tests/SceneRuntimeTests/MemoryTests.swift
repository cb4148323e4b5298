import Basics
import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Testing

@Suite("What a host keeps is counted in bytes and bounded", .timeLimit(.minutes(15)))
struct MemoryTests {
    // MARK: - The sums

    @Test(
        "after any events the sums are those of a recount, and nothing is left of events that have ended",
        arguments: 1...8
    )
    func recount(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        var settings = HostSettings(mailboxCapacity: 6, retainedRecords: 400, retainedEvents: 40)
        if seed.isMultiple(of: 2) {
            (settings.retainedRecordBytes, settings.retainedEventBytes) = (100_000, 60_000)
            (settings.waitingBytes, settings.waitingBytesPerUser) = (30_000, 20_000)
        }
        let test = try TestHost(settings: settings) {
            $0.policies.whileGated = Policies.WhileGated.allCases[Int(seed) % 3]
            $0.policies.maximumStackDepth = 4
        }
        for step in 1...300 {
            let scene = ["A", "B"][random.below(2)]
            let sender = ["1", "2", nil][random.below(3)]
            let text = String(repeating: "x", count: random.below(9_000))
            let admission: SceneHost.Admission?
            switch random.below(8) {
            case 0: admission = try? test.host.admit(Submission(.url("qcommerce://cart"), scene: scene, sender: sender))
            case 1:
                admission = try? test.host.admit(Submission(.url("qcommerce://checkout"), scene: scene, sender: sender))
            case 2:
                let action = SceneAction.intent(Intent(name: "unheardOf", parameters: ["x": text]))
                admission = try? test.host.admit(Submission(action, scene: scene, sender: sender))
            case 3: admission = try? test.host.admit(Submission(.gesture(.back), scene: scene, sender: sender))
            case 4: admission = try? test.host.admit(Submission(.gesture(.dismiss), scene: scene, sender: sender))
            case 5:
                admission = nil
                if random.below(3) == 0 { try await test.host.session.signIn(user: "anna") }
                if random.below(3) == 0 { await test.host.session.signOut() }
                if random.below(9) == 0 {
                    try await test.host.discard(scene: scene)
                    try test.host.connect(scene: scene)
                }
            default:
                let id = "p\(random.below(100))"
                let action = SceneAction.intent(Intent(name: "productSelected", parameters: ["id": id]))
                admission = try? test.host.admit(Submission(action, scene: scene, sender: sender))
            }
            if let admission, random.below(3) > 0 { _ = await test.host.receipt(of: admission) }
            guard step.isMultiple(of: 20) else { continue }
            await test.host.quiesce()
            expectRecount(test.host)
        }
        await test.host.drain()
        expectRecount(test.host)
        let use = test.host.memoryUse
        #expect(use.events.open == 0 && use.eventsBySender.allSatisfy { $0.value.open == 0 })
        #expect(use.waitersBySender.isEmpty)
        #expect(use.records <= settings.retainedRecordBytes && use.events.remembered <= settings.retainedEventBytes)
        #expect(test.records.count { $0.kind != .gap } <= 400 && use.events.remembered > 0)
    }

    private func expectRecount(_ host: SceneHost, sourceLocation: SourceLocation = #_sourceLocation) {
        var all = MemoryUse.Events()
        var bySender: [String?: MemoryUse.Events] = [:]
        for (sender, charge) in host.ledger.charges {
            all.add(charge.bytes, to: charge.stage)
            bySender[sender, default: .init()].add(charge.bytes, to: charge.stage)
        }
        let use = host.memoryUse
        #expect(use.events == all, sourceLocation: sourceLocation)
        #expect(use.eventsBySender == bySender, sourceLocation: sourceLocation)
        let records = host.records.read(after: 0).records.filter { $0.kind != .gap }
        #expect(use.records == records.reduce(0) { $0 + $1.footprint }, sourceLocation: sourceLocation)
    }

    @Test("what is remembered goes to nothing as newer events and records take its place")
    func eviction() async throws {
        let test = try TestHost(windows: ["A"], settings: HostSettings(retainedRecords: 20, retainedEvents: 1))
        let long = String(repeating: "x", count: 50_000)
        let intent = Intent(name: "unheardOf", parameters: ["x": long])
        _ = await test.host.receipt(of: try test.host.admit(Submission(.intent(intent), scene: "A", sender: "1")))
        for _ in 0..<50 { try await test.open("product/p1") }
        let use = test.host.memoryUse
        #expect(use.eventsBySender["1"] == nil)
        #expect(use.events.remembered < 4_000 && use.records < 30_000)
    }

    // MARK: - Limits

    @Test("what waits is bounded for each sender and for all, by bytes, and the refusal says which limit and how much")
    func waiting() async throws {
        var settings = HostSettings()
        (settings.waitingBytes, settings.waitingBytesPerUser) = (400_000, 250_000)
        let test = try TestHost(settings: settings)
        let hold = try test.hold(.admitted, scene: "A")
        let text = String(repeating: "x", count: 99_000)
        func send(_ sender: String) throws(AdmissionError) {
            let intent = Intent(name: "unheardOf", parameters: ["x": text])
            _ = try test.host.admit(Submission(.intent(intent), scene: "A", sender: sender))
        }
        for _ in 0..<2 { try send("1") }
        let size = 1_024 + 16 + 9 + 16 + 1 + 16 + 99_000
        #expect(throws: AdmissionError.tooMuchWaiting(size: size, waiting: 2 * size, limit: 250_000, perUser: true)) {
            try send("1")
        }
        try send("2")
        #expect(throws: AdmissionError.tooMuchWaiting(size: size, waiting: 3 * size, limit: 400_000, perUser: false)) {
            try send("3")
        }
        #expect(test.host.memoryUse.eventsBySender["1"]?.waiting == 2 * size)
        hold.release()
        await test.host.quiesce()
        #expect(test.host.memoryUse.events.open == 0)
        // What an event came with is forgotten with its end.
        #expect(test.host.memoryUse.events.remembered < 10_000)
        try send("3")
    }

    @Test("what a full mailbox refuses counts for nothing")
    func refused() async throws {
        let test = try TestHost(windows: ["A"], settings: HostSettings(mailboxCapacity: 2))
        let hold = try test.hold(.admitted, scene: "A")
        _ = try test.admit("product/p1")
        _ = await hold.caught()
        for number in 2...3 { try test.admit("product/p\(number)") }
        let before = test.host.memoryUse.events
        for _ in 0..<3 {
            #expect(throws: AdmissionError.queueFull(scene: "A", limit: 2)) { try test.admit("product/p4") }
        }
        #expect(test.host.memoryUse.events == before)
        expectRecount(test.host)
        hold.release()
        await test.host.quiesce()
        #expect(test.host.memoryUse.events.open == 0)
    }

    @Test("one event is bounded too, whatever part makes it large, and a push that is is rejected")
    func oneEvent() async throws {
        let test = try TestHost(windows: ["A"])
        let large = String(repeating: "x", count: 140_000)
        func refusal(_ action: SceneAction) -> String? {
            do {
                try test.admit(action)
                return nil
            } catch AdmissionError.route(.validationFailed(let parameter, let reason)) {
                #expect(reason.contains("one event may take 131072"))
                return parameter
            } catch {
                return "\(error)"
            }
        }
        #expect(refusal(.intent(Intent(name: "unheardOf", parameters: ["x": large]))) == "parameters")
        let many = Dictionary(uniqueKeysWithValues: (0..<4_000).map { ("\($0)", "") })
        #expect(refusal(.intent(Intent(name: "unheardOf", parameters: many))) == "parameters")
        #expect(refusal(.intent(Intent(name: "unheardOf", parameters: ["x": "y"]))) == nil)
        let fact = FactValue.string(String(repeating: "x", count: 60_000))
        let completion = FlowCompletion(user: "anna", facts: ["market": fact, "locale": fact, "order": fact])
        #expect(refusal(.finishFlow("auth", .completed(completion))) == "facts")
        await test.host.quiesce()
    }

    // MARK: - Gates

    @Test(
        "a gate that has filled the queue can still be opened or left, from inside the window",
        arguments: [true, false]
    )
    func fullGate(byBytes: Bool) async throws {
        /// A window that takes no more links, because of their number or their bytes.
        func full() async throws -> TestHost {
            var settings = HostSettings(mailboxCapacity: byBytes ? 1_000 : 5)
            if byBytes { (settings.waitingBytes, settings.waitingBytesPerUser) = (30_000, 20_000) }
            let test = try TestHost(windows: ["A"], settings: settings) { $0.policies.whileGated = .queue }
            var refusal: AdmissionError?
            while refusal == nil {
                do {
                    #expect(try await test.open("cart").outcome == .gated(precondition: "signedIn"))
                } catch let error as AdmissionError {
                    refusal = error
                }
            }
            if byBytes {
                guard case .tooMuchWaiting(_, _, 20_000, true)? = refusal else { throw try #require(refusal) }
            } else {
                #expect(refusal == .queueFull(scene: "A", limit: 5))
            }
            return test
        }
        let left = try await full()
        #expect(try await left.act(.gesture(.dismiss)).outcome == .applied)
        #expect(try await left.open("product/p1").outcome == .applied)
        let opened = try await full()
        #expect(try await opened.tap("loginCompleted", ["user": "mina"]).outcome == .applied)
        await opened.host.quiesce()
        #expect(try opened.shown() == "home › cart")
        let finished = try await full()
        let result = FlowResult.completed(FlowCompletion(user: "mina"))
        #expect(try await finished.act(.finishFlow("auth", result)).outcome == .applied)
        await finished.host.quiesce()
        #expect(try finished.shown() == "home › cart")
    }

    @Test("no more is parked than the mailbox holds, wherever it comes from")
    func parkedFromInside() async throws {
        let test = try TestHost(windows: ["A"], settings: HostSettings(mailboxCapacity: 3)) {
            $0.policies.whileGated = .queue
        }
        // They wait together, so that the door finds nothing parked.
        let hold = try test.hold(.admitted, scene: "A")
        _ = try test.admit("product/p1")
        _ = await hold.caught()
        let first = try (0..<3).map { _ in try test.admit("cart") }
        hold.release()
        for cart in first { #expect(await test.host.receipt(of: cart).outcome == .gated(precondition: "signedIn")) }
        for _ in 0..<2 { #expect(try await test.tap("cartTapped").outcome == .rejected(reason: "queueFull")) }
        #expect(try test.host.scene("A").parked.count == 3)
    }

    // MARK: - Sharing

    @Test("a window in a record says what it said, and history takes memory for what changed", arguments: 1...6)
    func sharing(seed: UInt64) {
        var random = SplitMix(seed: seed)
        func screen() -> Destination {
            Destination(id: "d\(random.below(5))", parameters: ["id": "\(random.below(9))"])
        }
        var state = WindowState(
            tabs: ["home", "orders"].map { TabState(id: $0, stack: [Destination(id: $0)]) },
            selectedTab: "home"
        )
        var last: ShownWindow?
        var added = 0
        var before: [String: [(destination: Destination, since: Int)]] = [:]
        for step in 0..<800 {
            let tab = random.below(2)
            switch random.below(6) {
            case 0 where state.tabs[tab].stack.count > 1: state.tabs[tab].stack.removeLast()
            case 1: state.selectedTab = ["home", "orders"][tab]
            case 2 where state.modals.count < 3:
                state.modals.append(ModalState(flow: "auth", style: .sheet, stack: [screen()]))
            case 3 where !state.modals.isEmpty: state.modals.removeLast()
            case 4 where !state.modals.isEmpty: state.modals[state.modals.count - 1].stack.append(screen())
            default: if state.tabs[tab].stack.count < 500 { state.tabs[tab].stack.append(screen()) }
            }
            let owners = state.destinations.map { "of \($0.id)" }
            let shown = ShownWindow(state, coordinators: owners, in: step, after: last)
            #expect(shown.state == state && shown.coordinators == owners)
            let stacks =
                state.tabs.map { ($0.id, $0.stack) } + state.modals.enumerated().map { ("\($0)", $1.stack) }
            var now: [String: [(destination: Destination, since: Int)]] = [:]
            for (name, stack) in stacks {
                now[name] = stack.enumerated().map { depth, destination in
                    let old = before[name, default: []].dropFirst(depth).first
                    return (destination, old?.destination == destination ? old?.since ?? step : step)
                }
            }
            #expect(shown.epochs == stacks.flatMap { now[$0.0, default: []].map(\.since) })
            before = now
            added += shown.added
            last = shown
        }
        // A screen at a time, and the containers.
        #expect(added < 800 * 700)
    }

    @Test(
        "a history of pushes takes memory in proportion to their number, in records and receipts, however deep the stack"
    )
    func linear() async throws {
        func bytes(_ pushes: Int) async throws -> (records: Int, receipts: Int) {
            let test = try TestHost(windows: ["A"]) { $0.policies.maximumStackDepth = 1_000 }
            let before = test.host.memoryUse
            for number in 0..<pushes {
                let receipt = try await test.tap("productSelected", ["id": "p\(number)"])
                #expect(receipt.outcome == .applied && receipt.window?.selectedStack.count == number + 2)
            }
            let after = test.host.memoryUse
            return (after.records - before.records, after.events.remembered - before.events.remembered)
        }
        let (half, whole) = (try await bytes(400), try await bytes(800))
        #expect(Double(whole.records) < 2.5 * Double(half.records), "\(half) → \(whole)")
        #expect(Double(whole.receipts) < 2.5 * Double(half.receipts), "\(half) → \(whole)")
    }
}
