@testable import SceneEntryPoints
import SceneRouting
import StrictJSON
import Testing

@Suite("An inquiry of adapters, some of which answer later")
struct AdapterInquiryTests {
    private struct Fixed: EntryPointAdapter {
        let name: String
        let priority: Int
        var kinds: Set<EntryKind> = [.push]
        var answer = AdapterAnswer.declined(reason: "not mine")

        func adapt(_ event: EntryEvent) -> AdapterAnswer { answer }
    }

    private let event: EntryEvent

    init() throws {
        event = try EntryEvent.push(payload: object(#"{"aps":{"alert":"a","new":1},"url":"qcommerce://cart"}"#))
    }

    private func chain(_ adapters: [any EntryPointAdapter]) -> AdapterChain {
        AdapterChain(manifest: AppManifest(name: "App"), adapters: adapters)
    }

    @Test("asks by priority, then this process first, then by registration, with the built-in ones last")
    func order() throws {
        let chain = AdapterChain(
            manifest: ShopAdapters.manifest,
            adapters: [Fixed(name: "swift-5", priority: 5), Fixed(name: "swift-0", priority: 0)]
        )
        let outside = [
            OutsideAdapter(number: 3, name: "outside-0", priority: 0),
            OutsideAdapter(number: 2, name: "outside-9", priority: 9),
            OutsideAdapter(number: 1, name: "outside-5", priority: 5),
            OutsideAdapter(number: 4, name: "outside-5-too", priority: 5),
            OutsideAdapter(number: 5, name: "outside-minus", priority: -1),
        ]
        let names = chain.order(with: outside).map { place in
            switch place {
            case .app(let adapter), .always(let adapter): adapter.name
            case .outside(let adapter): adapter.name
            }
        }
        #expect(names.prefix(5) == ["outside-9", "swift-5", "outside-5", "outside-5-too", "swift-0"])
        #expect(names.suffix(4) == ["outside-0", "outside-minus", "opened-url", "browsing-web"])
        #expect(names.count == 5 + ShopAdapters.all.count + 4)
    }

    @Test("stops at each adapter in another process and goes on with its answer")
    func goesOn() throws {
        let first = OutsideAdapter(number: 1, name: "first", priority: 9)
        let second = OutsideAdapter(number: 2, name: "second", priority: 1)
        var inquiry = AdapterInquiry(event, chain([Fixed(name: "between", priority: 5)]), outside: [second, first])
        #expect(inquiry.next() == .ask(first))
        #expect(inquiry.next() == .ask(first), "as long as nothing was said")
        inquiry.skipped("too slow")
        #expect(inquiry.next() == .ask(second))
        inquiry.answered(.request(.url("qcommerce://home"), warnings: ["w"]))
        guard case .ended(.success(let adaptation)) = inquiry.next() else {
            Issue.record("nobody took it")
            return
        }
        #expect(adaptation.adapter == "second")
        #expect(adaptation.request == .url("qcommerce://home"))
        #expect(
            adaptation.declined == [
                AdapterDecline(adapter: "first", reason: "too slow", isSkipped: true),
                AdapterDecline(adapter: "between", reason: "not mine"),
            ]
        )
        #expect(adaptation.warnings == ["aps.new: unknown key, kept", "w"])
        inquiry.answered(.refused(reason: "too late"))
        #expect(inquiry.next() == .ended(.success(adaptation)), "what was decided stays")
    }

    @Test("ends with the first refusal, or with all reasons if every adapter declines")
    func ends() throws {
        let outside = OutsideAdapter(number: 1, name: "outside", priority: 0)
        var refused = AdapterInquiry(event, chain([]), outside: [outside])
        #expect(refused.next() == .ask(outside))
        refused.answered(.refused(reason: "no such product"))
        guard case .ended(.failure(let refusal)) = refused.next() else {
            Issue.record("somebody took it")
            return
        }
        #expect(refusal.adapter == "outside" && refusal.reason == "no such product")

        var passed = AdapterInquiry(event, chain([Fixed(name: "inside", priority: 0)]), outside: [outside])
        #expect(passed.next() == .ask(outside))
        passed.skipped("it has gone")
        guard case .ended(.failure(let nobody)) = passed.next() else {
            Issue.record("somebody took it")
            return
        }
        #expect(nobody.adapter == nil && nobody.reason == "inside: not mine; outside: it has gone")
    }

    @Test("agrees with the chain if there are no adapters in other processes", arguments: EventSamples.all)
    func agreesWithChain(kind: EntryKind, text: String) throws {
        let chain = AdapterChain(manifest: ShopAdapters.manifest)
        let event = try EntryEvent(kind: kind, json: object(text))
        var inquiry = AdapterInquiry(event, chain, outside: [])
        let direct = Result { () throws(EntryRefusal) in try chain.adapt(event) }
        let nobody = EntryRefusal(kind: kind, declined: [])
        #expect(inquiry.next() == .ended(event.isNavigating ? direct : .failure(nobody)))
    }

    @Test("asks only the adapter that is named")
    func only() throws {
        let chain = chain([
            Fixed(name: "one", priority: 9, answer: .request(.url("a:b"))),
            Fixed(name: "two", priority: 1, answer: .request(.url("c:d"))),
        ])
        var inquiry = AdapterInquiry(event, chain, outside: [], only: "two")
        guard case .ended(.success(let adaptation)) = inquiry.next() else {
            Issue.record("nobody took it")
            return
        }
        #expect(adaptation.adapter == "two" && adaptation.declined.isEmpty)
    }
}
