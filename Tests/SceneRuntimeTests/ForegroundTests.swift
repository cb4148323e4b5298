import SceneEntryPoints
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import StrictJSON
import Testing

/// What brings a window to the front, and what does not (<doc:/SceneRuntime/Scenes>).
@Suite("What brings a window to the front", .timeLimit(.minutes(15)))
struct ForegroundTests {
    /// Where a window is before the event.
    enum Place: String, CaseIterable {
        case front, inactive, background, disconnected
    }

    /// Something that somebody does to window A of the shop, nobody being signed in, and how it ends.
    struct Doing: CustomStringConvertible {
        let description: String
        let outcome: Outcome
        let event: SubmittedEvent

        init(_ description: String, _ outcome: Outcome, _ event: EntryEvent) {
            (self.description, self.outcome, self.event) = (description, outcome, .entry(event))
        }

        init(_ description: String, _ outcome: Outcome, _ action: SceneAction) {
            (self.description, self.outcome, self.event) = (description, outcome, .action(action))
        }
    }

    /// One for each outcome and each kind of event.
    static func doings() throws -> [Doing] {
        let shop = "https://shop.example"
        return [
            Doing("a link", .applied, try .url("\(shop)/product/p1")),
            Doing("a link to what is shown", .unchanged, try .url("qcommerce://home")),
            Doing("a link behind a gate", .gated(precondition: "signedIn"), try .url("\(shop)/cart")),
            Doing("a link to what is sold out", .rejected(reason: "inStock"), try .url("\(shop)/product/p404")),
            Doing(
                "a push whose link leads nowhere",
                .rejected(reason: "unknownRoute"),
                try .push(payload: ["aps": ["alert": "x"], "url": "qcommerce://nowhere"])
            ),
            Doing(
                "a push that no adapter takes",
                .rejected(reason: "noAdapter"),
                try .push(payload: ["aps": ["alert": "x"]], interaction: "open")
            ),
            Doing(
                "a Handoff",
                .applied,
                try .activity(activityType: UserActivity.browsingWeb, webpageURL: "\(shop)/product/p1")
            ),
            Doing("a widget", .applied, try .widget(kind: "deals", url: "qcommerce://product/p1")),
            Doing("a quick action", .gated(precondition: "signedIn"), try .shortcut(type: "com.example.shop.cart")),
            Doing("a gesture without effect", .ignored(reason: "nothingToPop"), .gesture(.back)),
            Doing("a tap on a tab", .applied, .gesture(.selectTab("account"))),
            Doing(
                "an intent that nobody takes",
                .rejected(reason: "unhandledIntent"),
                .intent(Intent(name: "nonsense"))
            ),
            Doing(
                "an intent that shows nothing",
                .delivered,
                .intent(Intent(name: "signOutTapped"))
            ),
            Doing(
                "the end of a flow that is not there",
                .rejected(reason: "noSuchFlow"),
                .finishFlow("auth", .cancelled)
            ),
        ]
    }

    /// A shop with a condition that fails for one product, and window A at `place`.
    private func host(_ place: Place) async throws -> TestHost {
        let test = try TestHost(windows: ["A", "B"])
        try await test.host.session.commit(set: ["unavailable": .strings(["p404"])])
        switch place {
        case .front: break
        case .inactive: try await test.host.setActivation(.foregroundInactive, of: "A")
        case .background: try await test.sendToBackground("A")
        case .disconnected: try await test.host.disconnect(scene: "A")
        }
        return test
    }

    @Test("whatever somebody does brings its window to the front, whatever comes of it", arguments: Place.allCases)
    func taps(_ place: Place) async throws {
        for doing in try Self.doings() {
            let test = try await host(place)
            let known = test.records.count
            let receipt = await test.host.receipt(of: try test.host.admit(doing.event, in: "A"))
            #expect(receipt.outcome == doing.outcome, "\(doing)")
            #expect(try test.host.scene("A").activation == .foregroundActive, "\(doing)")
            // Before the app hears of it the window leaves the background; once it has heard, and before anything is decided,
            // the window is active.
            let story = test.records.dropFirst(known).compactMap { record -> String? in
                switch record.body {
                case .sceneConnected: "connected"
                case .sceneActivation(_, let to): to.rawValue
                case .dispatchBegan: "began"
                case .dispatchResolved, .navigationStep, .intentBubbled: "decided"
                case .dispatchEnded: "ended"
                default: nil
                }
            }
            let before: [String] =
                switch place {
                case .front, .inactive: []
                case .background: ["foregroundInactive"]
                case .disconnected: ["connected", "foregroundInactive"]
                }
            let after = place == .front ? [] : ["foregroundActive"]
            let beginning = before + ["began"] + after
            #expect(Array(story.prefix(beginning.count)) == beginning, "\(doing), \(place): \(story)")
            #expect(!story.dropFirst(beginning.count).contains { $0.hasPrefix("foreground") }, "\(doing): \(story)")
        }
    }

    @Test(
        "what an adapter has handled is delivered in front and navigates nowhere, as a silent push does not",
        arguments: Place.allCases
    )
    func handled(_ place: Place) async throws {
        let test = try TestHost(windows: ["A"]) {
            $0.notificationCategories = []
            $0.adapters.append(
                AdapterDeclaration(
                    name: "done",
                    priority: 100,
                    kinds: ["push"],
                    conditions: [.present(path: "payload.rating")],
                    mapping: .handled
                )
            )
        }
        try await test.open("product/p1")
        switch place {
        case .front: break
        case .inactive: try await test.host.setActivation(.foregroundInactive, of: "A")
        case .background: try await test.sendToBackground("A")
        case .disconnected: try await test.host.disconnect(scene: "A")
        }
        let push = try EntryEvent.push(payload: ["aps": ["alert": "Rate it"], "rating": 5], action: "RATE")
        let receipt = await test.host.receipt(of: try test.host.admit(Submission(push, scene: "A")))
        #expect(receipt.outcome == .delivered && receipt.scene == "A")
        #expect(try test.host.scene("A").activation == .foregroundActive)
        #expect(try test.shown() == "home › product(id: p1)")
        let admitted = try #require(test.records.last { $0.kind == .eventAdmitted })
        #expect(admitted.json["adapter"] == "done" && admitted.json["silent"] == nil)
    }

    @Test("a window that is opened for an event comes to the front at the event's turn")
    func opened() async throws {
        let test = try TestHost(windows: [])
        let hold = try test.hold(.admitted)
        let admission = try test.admit("product/p1", in: nil)
        _ = await hold.caught()
        let scene = try #require(admission.receipt.scene)
        #expect(try test.host.scene(scene).activation == .unattached)
        hold.release()
        _ = await test.host.receipt(of: admission)
        #expect(try test.host.scene(scene).activation == .foregroundActive)
    }

    @Test("a resume, a sweep and a commit elsewhere bring no window to the front")
    func nothingElse() async throws {
        let test = try TestHost(windows: ["A", "B", "C"])
        for window in ["A", "B"] {
            #expect(try await test.open("cart", in: window).outcome == .gated(precondition: "signedIn"))
            try await test.sendToBackground(window)
        }
        try await test.open("cart", in: "C")
        try await test.act(.finishFlow("auth", .completed(FlowCompletion(user: "anna"))), in: "C")
        await test.host.quiesce()
        for window in ["A", "B"] {
            #expect(try test.shown(window) == "home › cart")
            #expect(try test.host.scene(window).activation == .background)
        }
        // The sweep of a sign-out removes what is shown.
        await test.host.session.signOut()
        await test.host.quiesce()
        #expect(try test.shown("B") == "home")
        #expect(
            try ["A", "B", "C"].map { try test.host.scene($0).activation } == [
                .background, .background, .foregroundActive,
            ]
        )
    }

    @Test("a resume in a window that comes back for an event comes before it is in front")
    func resumedBefore() async throws {
        let test = try TestHost(windows: ["A"])
        try await test.open("cart")
        try await test.host.disconnect(scene: "A")
        try await test.host.session.signIn(user: "anna")
        #expect(try await test.open("product/p1").outcome == .applied)
        let story = test.records.compactMap { record -> String? in
            switch record.body {
            case .sceneActivation(_, let to): to.rawValue
            case .dispatchBegan(let kind): kind.rawValue
            default: nil
            }
        }
        #expect(story.suffix(4) == ["resume", "foregroundInactive", "dispatch", "foregroundActive"])
    }

    @Test("for the choice of a window a tap counts from its admission")
    func choice() async throws {
        let test = try TestHost(windows: ["A", "B"])
        for window in ["A", "B"] { try await test.sendToBackground(window) }
        let hold = try test.hold(.admitted, scene: "A")
        let first = try test.admit("product/p1", in: "A")
        _ = await hold.caught()
        #expect(try test.host.scene("A").activation == .background)
        // B was connected last, but A is about to come to the front.
        let second = try test.admit("product/p2", in: nil)
        #expect(second.receipt.scene == "A")
        hold.release()
        for admission in [first, second] { _ = await test.host.receipt(of: admission) }
        // Two that are in front: the one that was tapped last.
        try await test.open("product/p3", in: "B")
        #expect(try await test.open("product/p4", in: nil).scene == "B")
    }

    @Test("a window that is connected in the background stays there until somebody taps", arguments: [false, true])
    func inBackground(again: Bool) async throws {
        let test = try TestHost(windows: again ? ["A"] : [])
        if again {
            try await test.host.disconnect(scene: "A")
            try test.host.connect(scene: "A", inBackground: true)
            await test.host.quiesce()
        } else {
            try test.host.connect(scene: "A", inBackground: true)
        }
        #expect(try test.host.scene("A").activation == .background)
        #expect(test.records(of: .sceneActivation).last?.body == .sceneActivation(from: .unattached, to: .background))
        try await test.open("product/p1")
        #expect(try test.host.scene("A").activation == .foregroundActive)
    }
}

extension TestHost {
    /// Sends a window that is in front to the background.
    func sendToBackground(_ scene: String) async throws {
        try await host.setActivation(.foregroundInactive, of: scene)
        try await host.setActivation(.background, of: scene)
    }
}

extension SceneHost {
    fileprivate func admit(_ event: SubmittedEvent, in scene: String) throws -> Admission {
        switch event {
        case .entry(let event): try admit(Submission(event, scene: scene))
        case .action(let action): try admit(Submission(action, scene: scene))
        }
    }
}
