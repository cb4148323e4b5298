import Basics
import SceneEntryPoints
import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import SceneVocabulary
import Testing

/// What links, taps and flows have built may stand where it is: a reload of the same file, a restoration and the checker say so, too
/// (<doc:/SceneRuntime/Scenes>).
@Suite("A window that links, taps and flows have built", .timeLimit(.minutes(15)))
struct LinkedWindowTests {
    @Test("survives a reload of the same file and comes back when it was saved, whatever ancestries the app has")
    func survives() async throws {
        var disagreements = 0
        var depth = 0
        for seed in 1...150 as ClosedRange<UInt64> {
            let manifest = LinkedApp.make(seed: seed)
            let club = try Club(manifest)
            var random = SplitMix(seed: seed)
            for _ in 0..<25 {
                try await act(club, &random)
                let before = try club.window
                depth = max(depth, before.destinations.count)
                let saved = WindowRestoration.restore(before, engine: club.host.engine)
                let reasons = saved.dropped.map(\.description)
                try #require(saved.window == before, "app \(seed): \(reasons)\n\(manifest.places)")
                try await club.host.reload(manifest)
                await club.host.quiesce()
                try #require(try club.window == before, "app \(seed), after a reload\n\(manifest.places)")
                if random.below(5) == 0 {
                    try await club.host.disconnect(scene: "A")
                    try await club.host.reconnect(scene: "A")
                    try #require(try club.window == before, "app \(seed), after a disconnection\n\(manifest.places)")
                }
                #expect(Oddities(club.host.engine).of(before) == [], "app \(seed): \(before)")
                if isOnOthers(before, manifest) { disagreements += 1 }
            }
            await club.host.drain()
            let report = checked(club.records, app: manifest)
            try #require(report.conclusion == .holds, "app \(seed): \(report.text)")
        }
        #expect(disagreements > 100 && depth > 6, "only \(disagreements) windows with ancestries that disagree")
    }

    private static let library = """
        format: 3
        version: "1"
        name: Library
        schemes: [library]
        tabs: { home: home, shelf: shelf }
        destinations:
          home: { tab: home }
          shelf: { tab: shelf }
          book: { ancestry: [shelf], parameters: { id: { type: string, default: any } }, routes: ["library://book"] }
          cover: { ancestry: [shelf, book], presentation: sheet, routes: ["library://cover"] }
          # Both stand where their own ancestries do not have them.
          author: { ancestry: [home, book], routes: ["library://author"] }
          portrait: { ancestry: [home, book, cover], routes: ["library://portrait"] }
          reader:
            ancestry: current
            presentation: sheet
            flow: reading
            routes: ["library://reader"]
          page:
            ancestry: [home]
            parameters: { number: { type: integer, default: 1 }, mode: { type: string, default: day } }
        flows:
          reading:
            screens: [reader, page]
            intents:
              pageTurned: { parameters: { to: { type: string } }, effects: [{ push: page, parameters: { number: { parameter: to } } }] }
              opened: { effects: [{ push: page }] }
              closed: { effects: [cancel] }
        """

    @Test(
        "keeps a screen on the ancestry of what it was shown for, also when that is gone",
        arguments: [
            ("author", "*home: home › book(id: any) › author | shelf: shelf", [.back, .back]),
            (
                "portrait", "*home: home › book(id: any) › sheet [cover › portrait] | shelf: shelf",
                [.back, .swipeDown(), .back]
            ),
        ] as [(String, String, [Gesture])]
    )
    func onOthers(link: String, shown: String, gestures: [Gesture]) async throws {
        let club = try Club(manifest: Self.library)
        #expect(try await club.open(link).outcome == .applied)
        #expect(try club.shown == shown)
        for gesture in gestures {
            let before = try club.window
            try await club.host.reload(club.manifest)
            await club.host.quiesce()
            #expect(try club.window == before)
            #expect(WindowRestoration.restore(before, engine: club.host.engine).window == before)
            try await club.act(.gesture(gesture))
        }
        #expect(try club.shown == "*home: home | shelf: shelf")
        await club.host.drain()
        let report = checked(club.records, app: club.manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test(
        "shows a destination that a flow pushes as a link would, and a value that it does not allow not at all",
        arguments: [
            ("opened", nil, "page(mode: day, number: 1)"), ("pageTurned", "7", "page(mode: day, number: 7)"),
            ("pageTurned", "007", "page(mode: day, number: 7)"), ("pageTurned", "last", nil),
        ] as [(String, String?, String?)]
    )
    func pushed(intent: String, value: String?, page: String?) async throws {
        let club = try Club(manifest: Self.library)
        try await club.open("reader")
        let receipt = try await club.tap(intent, value.map { ["to": $0] } ?? [:])
        #expect(receipt.outcome == (page == nil ? .rejected(reason: "intentFailed") : .applied))
        #expect(try club.window.topmost?.description == page ?? "reader")
        let before = try club.window
        #expect(WindowRestoration.restore(before, engine: club.host.engine).window == before)
        await club.host.drain()
        let report = checked(club.records, app: club.manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    /// Whether a screen of a tab stands on another ancestry than its own.
    private func isOnOthers(_ window: WindowState, _ manifest: AppManifest) -> Bool {
        window.tabs.contains { tab in
            tab.stack.indices.dropFirst().contains { place in
                let own = manifest.destinations.first { $0.id == tab.stack[place].id }?.ancestry
                return own != tab.stack[..<place].map(\.id)
            }
        }
    }

    private func act(_ club: Club, _ random: inout SplitMix) async throws {
        let manifest = club.manifest
        let target = random.pick(manifest.destinations)
        switch random.below(8) {
        case 0...2:
            let values = LinkedApp.values(for: target.parameters, &random).sorted { $0.key < $1.key }
            try await club.open("\(target.id)?\(values.map { "\($0)=\($1)" }.joined(separator: "&"))")
        case 3: try await club.act(.gesture(random.pick([.swipeBack(), .swipeDown()])))
        case 4: try await club.act(.gesture(.selectTab(random.pick(manifest.tabs).id)))
        default:
            // Mostly what somebody takes.
            let shown = try club.host.scene("A").coordinators
            let intents = manifest.intents + manifest.flows.filter { shown.contains($0.name) }.flatMap(\.intents)
            guard let intent = intents.isEmpty ? nil : random.pick(intents) else { return }
            try await club.tap(intent.name, LinkedApp.values(for: intent.parameters, &random))
        }
    }
}

extension AppManifest {
    /// Where each destination is, and what each flow has, for messages.
    fileprivate var places: String {
        let places = destinations.map {
            "\($0.id): \($0.ancestry) \($0.presentation) \($0.flow ?? "") \($0.parameters.map(\.name))"
        }
        let flows = flows.map { "\($0.name): \($0.screens.map(\.id))" }
        return (places + flows).joined(separator: "\n")
    }
}
