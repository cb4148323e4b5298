import Basics
import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneRouting
@testable import SceneRuntime
import StrictJSON
import Testing

/// Attempts that the end of the host interrupts.
@Suite(.timeLimit(.minutes(15))) struct InterruptedTests {
    private static let event = "tap"

    @Test func `what was resumed is stopped again by a gate that has closed meanwhile, and its flow is shown`()
        async throws
    {
        let story = try await Story { host in
            try await Self.open("account/settings/profile", on: host)
            try await host.session.signIn(user: "mina")
        }
        let first = story.steps.firstIndex { $0.tells(.gateResumed) }
        let resumed = try #require(first)
        for count in (resumed + 1)...story.steps.count {
            var kept = story.kept(after: count)
            // The sign-in ends while nobody is there.
            kept.session.deadlines.end = .zero
            let restarted = try await Restarted(kept, story.app, clock: story.clock)
            let event = try #require(kept.events.first)
            let receipt = try #require(restarted.host.receipt(event: Self.event, sender: nil))
            let place = "\(count) of \(story.steps.count) steps"
            if event.receipt.outcome.isTerminal {
                #expect(receipt.outcome == event.receipt.outcome, "\(place)")
            } else {
                #expect(receipt.outcome == .gated(precondition: "signedIn"), "\(place)")
                #expect(restarted.host.scenes[0].window.modals.map(\.flow) == ["auth"], "\(place)")
            }
            try story.expectHolds(story.records(after: count) + restarted.records, "\(place)")
            await restarted.host.drain(within: .zero)
        }
    }

    /// What the first attempt has done when the host ends for the first time.
    enum Deed: CaseIterable {
        /// Begun.
        case begin
        /// Begun, after a gate was opened.
        case resume
        /// Committed what it wanted, which stays.
        case commit
    }

    @Test(arguments: Deed.allCases)
    func `an event in which the host ends five times is given up`(_ deed: Deed) async throws {
        let story = try await Story { host in
            switch deed {
            case .begin: try await Self.open("product/p1", on: host)
            case .resume:
                try await Self.open("account/settings/profile", on: host)
                try await host.session.signIn(user: "mina")
            case .commit:
                let payload: JSONObject = ["aps": ["alert": "Cheap", "category": "OFFER"], "product": "p1"]
                let offer = try EntryEvent.push(payload: payload, action: "ADD_TO_CART")
                _ = await host.receipt(of: try host.admit(Submission(offer, scene: "A", eventID: Self.event)))
            }
        }
        let last = story.steps.lastIndex { deed == .commit ? $0.tells(.sessionCommitted) : $0.beginsAttempt }
        let done = try #require(last)
        var kept = story.kept(after: done + 1)
        var records = story.records(after: done + 1)
        for interruptions in 1...Interruptions.most {
            let restarted = try await Restarted(kept, story.app, clock: story.clock)
            let receipt = try #require(restarted.host.receipt(event: Self.event, sender: nil))
            let isGivenUp = interruptions == Interruptions.most
            #expect(
                receipt.outcome
                    == (isGivenUp
                        ? .abandoned(reason: "attemptsInterrupted") : deed == .commit ? .delivered : .applied),
                "\(interruptions) interruptions"
            )
            let steps = restarted.log.steps
            let first = steps.firstIndex(where: \.beginsAttempt)
            let again = try #require(first)
            try story.expectHolds(records + restarted.records, "\(interruptions) interruptions")
            records += steps[...again].flatMap(\.records).map(\.json)
            kept = kept.after(steps[...again])
            await restarted.host.drain(within: .zero)
        }
    }

    @Test func `what was interrupted twice begins alone, and everything else at once`() async {
        let attempts = InterruptedAttempts()
        let (began, beginning) = AsyncStream.makeStream(of: String.self)
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        var order: [String] = []
        await withTaskGroup { group in
            group.addTask {
                await attempts.carryOut(after: 2) {
                    beginning.yield("first")
                    for await _ in gate { break }
                    beginning.yield("first is over")
                }
            }
            var names = began.makeAsyncIterator()
            await order.append(contentsOf: [names.next() ?? ""])
            group.addTask { await attempts.carryOut(after: Interruptions.most - 1) { beginning.yield("second") } }
            for number in [0, 1, Interruptions.most] {
                await attempts.carryOut(after: number) { beginning.yield("\(number)") }
                await order.append(contentsOf: [names.next() ?? ""])
            }
            opening.yield()
            for _ in 0..<2 { await order.append(contentsOf: [names.next() ?? ""]) }
        }
        #expect(order == ["first", "0", "1", "5", "first is over", "second"])
    }

    private static func open(_ link: String, on host: SceneHost) async throws {
        _ = await host.receipt(
            of: try host.admit(Submission(.url("qcommerce://\(link)"), scene: "A", eventID: event))
        )
    }
}

/// A host of the shop with one window, and what it has kept.
private struct Story {
    let app: LoadedApp
    let clock = SystemClock()
    let steps: [KeptStep]
    private let new: KeptHost

    init(_ tell: (SceneHost) async throws -> Void) async throws {
        app = try LoadedApp(manifest: AppManifest.builtInShop(), adapters: [])
        let log = KeptLog()
        let host = SceneHost(id: "kept", app: app, clock: clock, keeper: log)
        new = KeptHost("kept", manifest: app.manifest, session: host.session.snapshot)
        try host.connect(scene: "A")
        try await tell(host)
        await host.quiesce()
        steps = log.steps
        await host.drain(within: .zero)
    }

    func kept(after count: Int) -> KeptHost { new.after(steps[..<count]) }

    func records(after count: Int) -> [JSONObject] { steps[..<count].flatMap(\.records).map(\.json) }

    func expectHolds(_ records: [JSONObject], _ place: String) throws {
        let report = checked(records, app: try AppManifest.builtInShop())
        #expect(report.violated.isEmpty, "\(place): \(report.text)")
    }
}

extension KeptStep {
    fileprivate func tells(_ kind: RecordKind) -> Bool { records.contains { $0.kind == kind } }
}
