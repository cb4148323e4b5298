import Basics
import NIOCore
import NIOEmbedded
import SceneEntryPoints
import StrictJSON
import Testing

@testable import SceneService

/// Trials and events with the same adapter, in virtual time.
@Suite("Trials of adapters")
struct AdapterTrialTests {
    private static let timeout = 250
    /// Made once: a long text takes as long as all else of a test.
    private static let longReason = String(repeating: "r", count: 100_000)

    /// An adapter in another process: it answers one question after the other.
    private final class SerialAdapter: Sendable {
        struct Asked: Sendable {
            let number: Int
            let name: String
        }

        struct State: Sendable {
            var asked: [Asked] = []
            var isBusy = false
            var isReading = true
            /// The questions to trials that it has not answered, and the most that it had at a time.
            var openTrials: Set<Int> = []
            var mostTrials = 0
            var trialTime: TimeAmount = .zero
            /// What came back for each question, and when.
            var replies: [String: [(reply: String, at: NIODeadline)]] = [:]
        }

        let loop = EmbeddedEventLoop()
        let registry = AdapterRegistry()
        let state = Guarded(State())
        let registration = Guarded("")
        /// How long it takes for a question, by the name of the event; `nil` if it throws the question away.
        let time: @Sendable (String) -> TimeAmount?

        init(time: @escaping @Sendable (String) -> TimeAmount?) throws {
            self.time = time
            let id = try registry.register(
                name: "n",
                kinds: [.url],
                priority: 0,
                timeoutMilliseconds: AdapterTrialTests.timeout,
                owner: "o",
                send: { [unowned self] in take($0) },
                isReading: { [unowned self] in state.withLock { $0.isReading } }
            )
            registry.ready(id)
            registration.withLock { $0 = id }
        }

        var id: String { registration.withLock { $0 } }
        var adapter: OutsideAdapter { registry.listing[0].adapter }
        var serving: AdapterRegistry.ServingState? { registry.servingState(id) }

        private func take(_ question: JSONObject) {
            let asked = Asked(
                number: question["request"]?.integerValue ?? 0,
                name: question["event"]?["url"]?.stringValue ?? ""
            )
            state.withLock { state in
                state.asked.append(asked)
                guard asked.number < 0 else { return }
                state.openTrials.insert(asked.number)
                state.mostTrials = max(state.mostTrials, state.openTrials.count)
            }
            work()
        }

        private func work() {
            let next: Asked? = state.withLock { state in
                guard !state.isBusy, !state.asked.isEmpty else { return nil }
                state.isBusy = true
                return state.asked.removeFirst()
            }
            guard let next else { return }
            let time = time(next.name)
            loop.scheduleTask(in: time ?? .zero) { [self] in
                state.withLock { state in
                    state.isBusy = false
                    guard next.number < 0 else { return }
                    state.openTrials.remove(next.number)
                    state.trialTime = state.trialTime + (time ?? .zero)
                }
                if time != nil {
                    _ = registry.answer(id, next.number, by: "o", .answer(.declined(reason: next.name)))
                }
                work()
            }
        }

        func ask(_ name: String) {
            guard let event = AdapterTrialTests.event(name) else { return }
            registry.ask(adapter, about: event, on: loop) { [self] in note(name, $0) }
        }

        func attempt(_ name: String, isWanted: Bool = true) {
            guard let event = AdapterTrialTests.event(name) else { return }
            registry.attempt(adapter, with: event, on: loop, isWanted: { isWanted }) { [self] in note(name, $0) }
        }

        private func note(_ name: String, _ reply: AdapterRegistry.Reply) {
            let text =
                switch reply {
                case .answer(.declined(let reason)): "answer \(reason)"
                case .answer: "answer"
                case .skipped(let reason): reason
                }
            state.withLock { $0.replies[name, default: []].append((text, loop.now)) }
        }

        func reply(_ name: String) -> String? { state.withLock { $0.replies[name]?.first?.reply } }

        func advance(_ milliseconds: Int64) { loop.advanceTime(by: .milliseconds(milliseconds)) }
    }

    private static func event(_ name: String) -> EntryEvent? {
        let event = try? EntryEvent.url(name)
        if event == nil { Issue.record("\(name) is no URL") }
        return event
    }

    @Test(
        "of 80 at once one is under way at a time, they take half of the adapter's time at most, and each is answered"
    )
    func oneAtATime() throws {
        let adapter = try SerialAdapter { _ in .milliseconds(20) }
        for number in 0..<80 { adapter.attempt("x://trial/\(number)") }
        #expect(adapter.state.withLock { $0.openTrials.count } == 1)
        adapter.advance(1_000)
        #expect(adapter.state.withLock { $0.mostTrials } == 1)
        #expect(adapter.state.withLock { $0.trialTime } <= .milliseconds(520))
        adapter.advance(2_000)
        let replies = adapter.state.withLock { $0.replies }
        #expect(replies.count == 80 && replies.values.allSatisfy { $0.count == 1 })
        let answered = replies.values.filter { $0[0].reply.hasPrefix("answer") }.count
        #expect((45...52).contains(answered), "what two seconds have room for")
        #expect(replies.values.contains { $0[0].reply == "it had no time for a trial within 2 s" })
    }

    @Test(
        "a trial waits until no event waits for the adapter, and an event that comes during a trial loses no time by it"
    )
    func eventsFirst() throws {
        let adapter = try SerialAdapter { .milliseconds($0.contains("trial") ? 240 : 200) }
        adapter.ask("x://event/1")
        adapter.attempt("x://trial/1")
        adapter.ask("x://event/2")
        #expect(adapter.state.withLock { $0.openTrials.isEmpty })
        adapter.advance(199)
        #expect(adapter.state.withLock { $0.mostTrials } == 0)
        // The second event waits for the first, and is too late: that is the adapter's own doing.
        adapter.advance(300)
        #expect(adapter.reply("x://event/1") == "answer x://event/1")
        #expect(adapter.reply("x://event/2") == "no answer within 250 ms")
        adapter.advance(1_000)
        adapter.attempt("x://trial/2")
        adapter.advance(1)
        adapter.ask("x://event/3")
        adapter.advance(450)
        #expect(adapter.reply("x://trial/2") == "answer x://trial/2")
        #expect(adapter.reply("x://event/3") == "answer x://event/3")
        #expect(adapter.serving?.restsUntil == nil)
    }

    @Test(
        "after a trial that is not answered in time there is none for ten seconds, or until it answers, and events go on"
    )
    func late() throws {
        let adapter = try SerialAdapter { $0.contains("bad") ? nil : .milliseconds(10) }
        adapter.attempt("x://bad")
        adapter.advance(250)
        #expect(adapter.reply("x://bad") == "no answer within 250 ms")
        #expect(adapter.serving?.restsUntil == nil)
        adapter.attempt("x://trial/1")
        #expect(adapter.reply("x://trial/1") == "it did not answer the last question in time")
        adapter.ask("x://event")
        adapter.advance(10)
        #expect(adapter.reply("x://event") == "answer x://event")
        adapter.attempt("x://trial/2")
        adapter.advance(10)
        #expect(adapter.reply("x://trial/2") == "answer x://trial/2", "its answer shows that it is well")
        adapter.advance(10)
        adapter.attempt("x://bad/2")
        adapter.advance(250)
        adapter.advance(10_000)
        adapter.attempt("x://trial/3")
        adapter.advance(10)
        #expect(adapter.reply("x://trial/3") == "answer x://trial/3")
    }

    @Test("an adapter is not tried with a large event, nor while it does not read, nor for a client that has gone")
    func unwanted() throws {
        let adapter = try SerialAdapter { _ in .milliseconds(10) }
        adapter.attempt("x://" + String(repeating: "a", count: 8_000), isWanted: false)
        adapter.state.withLock { $0.isReading = false }
        adapter.attempt("x://trial")
        let large = try EntryEvent.activity(
            activityType: "t",
            userInfo: ["text": .string(String(repeating: "a", count: AdapterRegistry.longestTrial))]
        )
        let reply = Guarded("")
        adapter.registry.attempt(adapter.adapter, with: large, on: adapter.loop) { answer in
            reply.withLock { $0 = "\(answer)" }
        }
        #expect(reply.withLock { $0 }.contains("32768"))
        #expect(adapter.reply("x://trial") == "it does not read what it is asked")
        #expect(adapter.state.withLock { $0.mostTrials } == 0)
    }

    @Test("whatever becomes of a trial, what decides about events is as before", arguments: 0..<200 as Range<UInt64>)
    func nothingChanges(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        // It answers nothing by itself; the steps do.
        let adapter = try SerialAdapter { _ in nil }
        let registry = adapter.registry
        var events = 0
        var trials = 0
        for _ in 0..<200 {
            switch Int.random(in: 0..<9, using: &random) {
            case 0:
                events += 1
                adapter.ask("x://event/\(events)")
            case 1:
                let number = Int.random(in: 0...max(events, 1), using: &random)
                _ = registry.answer(adapter.id, number, by: "o", .answer(.declined(reason: "d")))
            case 2:
                // Time passes for both. A trial can only keep the adapter from resting, or delay it.
                let before = adapter.serving
                adapter.advance(Int64.random(in: 1...400, using: &random))
                let after = adapter.serving
                if after?.restsUntil != before?.restsUntil {
                    #expect(after.map(\.questions.count) ?? 0 < before.map(\.questions.count) ?? 0, "an event did that")
                }
            case let step:
                let before = adapter.serving
                switch step {
                case 3, 4:
                    trials += 1
                    adapter.attempt("x://trial/\(trials)", isWanted: step == 3)
                case 5: adapter.state.withLock { $0.isReading.toggle() }
                default:
                    let replies: [AdapterRegistry.Reply] = [
                        .answer(.declined(reason: "d")), .skipped("its answer makes no sense"),
                        .answer(.refused(reason: Self.longReason)),
                    ]
                    let reply = replies.randomElement(using: &random) ?? replies[0]
                    let number = -Int.random(in: 1...max(trials + 1, 1), using: &random)
                    _ = registry.answer(adapter.id, number, by: step == 6 ? "stranger" : "o", reply)
                }
                #expect(adapter.serving == before)
            }
        }
        // Each question has had its reply once.
        adapter.advance(60_000)
        registry.remove(adapter.id)
        let replies = adapter.state.withLock { $0.replies }
        #expect(replies.count == events + trials && replies.values.allSatisfy { $0.count == 1 })
    }

    @Test(
        "events that an adapter answers in time without trials it answers with them",
        arguments: 40..<60 as Range<UInt64>
    )
    func sameAnswers(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        // Trials that it answers soon, late, much too late, or never.
        let times: [TimeAmount?] = [.milliseconds(5), .milliseconds(240), .milliseconds(380), nil]
        let chosen = (0..<400).map { _ in times.randomElement(using: &random) ?? nil }
        let time: @Sendable (String) -> TimeAmount? = { name in
            guard name.contains("trial"), let number = Int(name.split(separator: "/").last ?? "") else {
                return .milliseconds(15)
            }
            return chosen[number]
        }
        let alone = try SerialAdapter(time: time)
        let both = try SerialAdapter(time: time)
        var trial = 0
        for event in 0..<100 {
            for adapter in [alone, both] { adapter.ask("x://event/\(event)") }
            let pause = Int64.random(in: 60...600, using: &random)
            let first = Int64.random(in: 0...pause, using: &random)
            for adapter in [alone, both] { adapter.advance(first) }
            for _ in 0..<Int.random(in: 0...4, using: &random) where trial < chosen.count {
                both.attempt("x://trial/\(trial)")
                trial += 1
            }
            for adapter in [alone, both] { adapter.advance(pause - first) }
        }
        for adapter in [alone, both] { adapter.advance(5_000) }
        #expect(both.serving == alone.serving)
        let (expected, found) = (alone.state.withLock { $0.replies }, both.state.withLock { $0.replies })
        for (name, replies) in expected {
            #expect(replies.map(\.reply) == ["answer \(name)"])
            let reply = try #require(found[name]?.first)
            #expect(reply.reply == replies[0].reply, "\(name)")
            #expect(reply.at - replies[0].at <= .milliseconds(500), "\(name) waits for one trial and those before it")
        }
    }
}
