import SceneEntryPoints
import SceneRouting
import StrictJSON
import Testing

@Suite("Asking adapters in turn")
struct AdapterChainTests {
    /// An adapter written in Swift that always gives the same answer.
    struct Fixed: EntryPointAdapter {
        let name: String
        var priority = 0
        var kinds = Set(EntryKind.allCases)
        let answer: AdapterAnswer

        func adapt(_ event: EntryEvent) -> AdapterAnswer { answer }
    }

    private func declared(_ name: String, priority: Int = 0) -> AdapterDeclaration {
        AdapterDeclaration(
            name: name,
            priority: priority,
            kinds: ["url", "widget"],
            mapping: .destination(id: name, parameters: [:], parametersFrom: nil)
        )
    }

    @Test("the order is by priority, then Swift before manifest, then as given, with the built-in ones last")
    func ordersByPriority() {
        let manifest = AppManifest(
            name: "M",
            adapters: [
                declared("m-low", priority: -5), declared("m-a"), declared("m-b"), declared("m-high", priority: 9),
            ]
        )
        let chain = AdapterChain(
            manifest: manifest,
            adapters: [
                Fixed(name: "s-a", answer: .declined(reason: "no")),
                Fixed(name: "s-lowest", priority: .min, answer: .declined(reason: "no")),
                Fixed(name: "s-top", priority: .max, answer: .declined(reason: "no")),
            ]
        )
        #expect(
            chain.adapters.map(\.name) == [
                "s-top", "m-high", "s-a", "m-a", "m-b", "m-low", "s-lowest", "opened-url", "browsing-web",
            ]
        )
    }

    @Test(
        "the first adapter that takes the event decides, and the result has those that declined before with their reasons"
    )
    func firstAnswerWins() throws {
        let chain = AdapterChain(
            manifest: AppManifest(name: "M", adapters: [declared("m")]),
            adapters: [
                Fixed(name: "one", priority: 2, answer: .declined(reason: "not mine")),
                Fixed(name: "pushes only", priority: 1, kinds: [.push], answer: .refused(reason: "never")),
            ]
        )
        let adaptation = try chain.adapt(.url("a:b"))
        #expect(adaptation.adapter == "m")
        #expect(adaptation.request == .destination(Destination(id: "m")))
        #expect(adaptation.declined == [AdapterDecline(adapter: "one", reason: "not mine")])
    }

    @Test("a refusal ends the inquiry, even if a later adapter would take the event")
    func refusalEnds() throws {
        let chain = AdapterChain(
            manifest: AppManifest(name: "M", adapters: [declared("m")]),
            adapters: [
                Fixed(name: "one", answer: .declined(reason: "not mine")),
                Fixed(name: "two", answer: .refused(reason: "expired")),
            ]
        )
        let refusal = #expect(throws: EntryRefusal.self) { try chain.adapt(.widget(kind: "w")) }
        #expect(refusal?.adapter == "two")
        #expect(refusal?.description == "widget: the adapter two refuses it: expired")
        #expect(refusal?.declined == [AdapterDecline(adapter: "one", reason: "not mine")])
    }

    @Test("without an adapter for the kind the refusal says that there is none")
    func saysThatThereIsNone() throws {
        let chain = AdapterChain(manifest: AppManifest(name: "Empty"))
        let refusal = #expect(throws: EntryRefusal.self) { try chain.adapt(.widget(kind: "w")) }
        #expect(refusal?.description == "widget: no adapter takes it: the app has none for this kind")
        let activity = #expect(throws: EntryRefusal.self) { try chain.adapt(.activity(activityType: "a")) }
        #expect(activity?.reason == "browsing-web: activityType is not NSUserActivityTypeBrowsingWeb")
    }

    @Test("warnings of the format and of the adapter come together")
    func collectsWarnings() throws {
        let event = try EntryEvent.push(payload: ["aps": ["alert": "a", "new": 1]])
        let answer = AdapterAnswer.request(.url("a:b"), warnings: ["x: left out"])
        let chain = AdapterChain(manifest: AppManifest(name: "M"), adapters: [Fixed(name: "s", answer: answer)])
        #expect(try chain.adapt(event).warnings == ["aps.new: unknown key, kept", "x: left out"])
    }

    @Test("an opened URL needs no declaration and keeps universal links apart")
    func opensURLs() throws {
        let chain = AdapterChain(manifest: AppManifest(name: "Empty"))
        #expect(try chain.adapt(.url("qcommerce://cart")).request == .url("qcommerce://cart"))
        #expect(
            try chain.adapt(.url("https://shop.example/cart")).request == .universalLink("https://shop.example/cart")
        )
        #expect(try chain.adapt(.url("http://shop.example/")).request == .universalLink("http://shop.example/"))
        #expect(try chain.adapt(.url("httpsx://cart")).request == .url("httpsx://cart"))
        #expect(AdaptedRequest(opening: "cart") == nil)
    }
}
