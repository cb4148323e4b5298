import SceneEntryPoints
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import StrictJSON
import Testing

/// Actions of notifications that are done in the background (<doc:/SceneRuntime/Scenes>).
@Suite("Actions of notifications in the background", .timeLimit(.minutes(15)))
struct NotificationActionTests {
    /// Who gets the action.
    enum Receiver: CaseIterable {
        case window, app
    }

    private func host(
        _ receiver: Receiver,
        settings: HostSettings = HostSettings(),
        edit: (inout AppManifest) -> Void = { _ in }
    ) async throws -> TestHost {
        let test = try TestHost(windows: receiver == .window ? ["A"] : [], settings: settings, edit: edit)
        if receiver == .window { try await test.sendToBackground("A") }
        return test
    }

    private func offer(_ product: String = "p1", action: String = "ADD_TO_CART") throws -> EntryEvent {
        try .push(
            payload: [
                "aps": ["alert": "Cheap today", "category": "OFFER"], "product": .string(product),
                "url": "qcommerce://product/p1",
            ],
            action: action
        )
    }

    @Test(
        "commit what the manifest says, and neither bring a window to the front nor navigate",
        arguments: Receiver.allCases
    )
    func commits(_ receiver: Receiver) async throws {
        let test = try await host(receiver)
        try await test.host.session.signIn(user: "anna", facts: ["cart": .strings(["p7"])])
        await test.host.quiesce()
        let known = test.records.count
        let receipt = await test.host.receipt(of: try test.host.admit(Submission(try offer())))
        #expect(receipt.outcome == .delivered)
        #expect(receipt.scene == (receiver == .window ? "A" : nil))
        #expect(test.host.session.snapshot.facts["cart"] == .strings(["p7", "p1"]))
        #expect(test.host.scenes.count == (receiver == .window ? 1 : 0))
        if receiver == .window {
            #expect(try test.host.scene("A").activation == .background)
            #expect(try test.shown() == "home")
        }
        await test.host.quiesce()
        let records = test.records.dropFirst(known)
        let kinds = records.map(\.kind).filter { $0 != .hostQuiet }
        #expect(kinds == [.eventAdmitted, .dispatchBegan, .sessionCommitted, .dispatchEnded])
        let admitted = try #require(records.first?.json)
        #expect(admitted["eventKind"] == "push" && admitted["name"] == "addedToCart" && admitted["silent"] == true)
        #expect(admitted["act"]?["parameters"] == ["id": "p1"] && admitted["source"] == "external")
        let commit = try #require(records.first { $0.kind == .sessionCommitted }?.json)
        #expect(commit["receiver"] == (receiver == .app ? "app" : nil))
        #expect(commit["origin"]?["event"] == admitted["event"] && commit["event"] == admitted["event"])
    }

    @Test("and the app's listener to what is presented or dismissed do the same", arguments: Receiver.allCases)
    func listener(_ receiver: Receiver) async throws {
        let test = try await host(receiver) { manifest in
            let intent = NotificationAction.Handover(name: "addedToCart", parameters: ["id": "payload.product"])
            manifest.notificationCategories = [
                NotificationCategory(id: "OFFER", reportsDismissal: true, user: "payload.for", presented: intent),
                NotificationCategory(id: "GONE", reportsDismissal: true, dismissed: intent),
            ]
        }
        func outcome(_ category: String, _ interaction: String, _ members: JSONObject) async throws -> Receipt {
            var payload: JSONObject = ["aps": ["alert": "Cheap today", "category": .string(category)]]
            for (name, value) in members { payload[name] = value }
            let push = try EntryEvent.push(payload: payload, interaction: interaction)
            return await test.host.receipt(of: try test.host.admit(Submission(push)))
        }
        try await test.host.session.signIn(user: "anna")
        await test.host.quiesce()
        let told = try await outcome("OFFER", "present", ["product": "p1", "for": "anna"])
        #expect(told.outcome == .delivered && told.scene == (receiver == .window ? "A" : nil))
        #expect(try await outcome("GONE", "dismiss", ["product": "p2"]).outcome == .delivered)
        #expect(test.host.session.snapshot.facts["cart"] == .strings(["p1", "p2"]))
        // Neither brings anything to the front; for another user, or where nobody listens, nothing is done.
        #expect(
            try await outcome("OFFER", "present", ["product": "p3", "for": "bert"]).outcome
                == .rejected(reason: "otherUser")
        )
        for (category, interaction) in [("OFFER", "dismiss"), ("GONE", "present"), ("OTHER", "present")] {
            #expect(try await outcome(category, interaction, ["product": "p4"]).outcome == .delivered)
        }
        #expect(test.host.session.snapshot.facts["cart"] == .strings(["p1", "p2"]))
        if receiver == .window { #expect(try test.host.scene("A").activation == .background) }
        let push = try EntryEvent.push(
            payload: ["aps": ["alert": "x", "category": "OFFER"], "product": 7],
            interaction: "present"
        )
        #expect(throws: AdmissionError.self) { try test.host.admit(Submission(push)) }
    }

    @Test("belong to who was signed in when they were admitted", arguments: Receiver.allCases)
    func belong(_ receiver: Receiver) async throws {
        for point in [HoldPoint.admitted, .resolved, .planned] {
            for comesBack in [false, true] {
                let test = try await host(receiver)
                try await test.host.session.signIn(user: "anna")
                await test.host.quiesce()
                let hold = try test.hold(point, scene: receiver == .window ? "A" : nil)
                let admission = try test.host.admit(Submission(try offer()))
                _ = await hold.caught()
                await test.host.session.signOut()
                try await test.host.session.signIn(user: comesBack ? "anna" : "bert")
                hold.release()
                #expect(await test.host.receipt(of: admission).outcome == .abandoned(reason: "userLeft"), "\(point)")
                #expect(test.host.session.snapshot.facts["cart"] == .strings([]))
            }
        }
    }

    @Test("that are for one user are done for nobody else, and not for a guest", arguments: Receiver.allCases)
    func otherUser(_ receiver: Receiver) async throws {
        for (user, outcome) in [
            ("anna", Outcome.delivered), ("bert", .rejected(reason: "otherUser")),
            (nil, .rejected(reason: "otherUser")),
        ] {
            let test = try await host(receiver) { manifest in
                manifest.fallback = Destination(id: "category", parameters: ["slug": "fruit"])
                for index in manifest.notificationCategories.indices {
                    manifest.notificationCategories[index].user = "payload.user"
                }
            }
            if let user { try await test.host.session.signIn(user: user) }
            await test.host.quiesce()
            let event = try EntryEvent.push(
                payload: ["aps": ["alert": "x", "category": "OFFER"], "product": "p1", "user": "anna"],
                action: "ADD_TO_CART"
            )
            let receipt = await test.host.receipt(of: try test.host.admit(Submission(event)))
            #expect(receipt.outcome == outcome)
            #expect(test.host.session.snapshot.facts["cart"] == .strings(user == "anna" ? ["p1"] : []))
            #expect(test.records.last { $0.kind == .eventAdmitted }?.json["addressee"] == "anna")
            if receiver == .window { #expect(try test.shown() == "home", "no fallback: nothing came to the front") }
            // One that names nobody is for anybody.
            #expect(await test.host.receipt(of: try test.host.admit(Submission(try offer()))).outcome == .delivered)
        }
    }

    @Test("whose user is no name are refused at the door")
    func noName() throws {
        let test = try TestHost(windows: ["A"]) { $0.notificationCategories[0].user = "payload.user" }
        for user: JSONValue in [7, "", "a b"] {
            let event = try EntryEvent.push(
                payload: ["aps": ["alert": "x", "category": "OFFER"], "product": "p1", "user": user],
                action: "ADD_TO_CART"
            )
            #expect(throws: AdmissionError.self) { try test.host.admit(Submission(event)) }
        }
    }

    @Test("of a guest go on for who signs in", arguments: Receiver.allCases)
    func guest(_ receiver: Receiver) async throws {
        let test = try await host(receiver)
        let hold = try test.hold(.resolved, scene: receiver == .window ? "A" : nil)
        let admission = try test.host.admit(Submission(try offer()))
        _ = await hold.caught()
        try await test.host.session.signIn(user: "anna")
        hold.release()
        #expect(await test.host.receipt(of: admission).outcome == .delivered)
        #expect(test.host.session.snapshot.facts["cart"] == .strings(["p1"]))
    }

    @Test("may sign the user out, and are done then", arguments: Receiver.allCases)
    func signOut(_ receiver: Receiver) async throws {
        let test = try await host(receiver) {
            $0.notificationCategories[0].actions.append(
                NotificationAction(id: "NOT_ME", intent: NotificationAction.Handover(name: "signOutTapped"))
            )
        }
        try await test.host.session.signIn(user: "anna")
        let receipt = await test.host.receipt(of: try test.host.admit(Submission(try offer(action: "NOT_ME"))))
        #expect(receipt.outcome == .delivered)
        #expect(test.host.session.snapshot.user == nil && test.host.session.snapshot.epoch == 1)
    }

    @Test("are rejected if what they want has gone with a reload, or does not fit", arguments: Receiver.allCases)
    func rejected(_ receiver: Receiver) async throws {
        let test = try await host(receiver)
        let hold = try test.hold(.resolved, scene: receiver == .window ? "A" : nil)
        let admission = try test.host.admit(Submission(try offer()))
        _ = await hold.caught()
        var manifest = test.host.manifest
        manifest.intents.removeAll { $0.name == "addedToCart" }
        manifest.notificationCategories = []
        try await test.host.reload(manifest)
        hold.release()
        #expect(await test.host.receipt(of: admission).outcome == .rejected(reason: "unhandledIntent"))
        #expect(test.records(of: .sessionCommitted).isEmpty)
    }

    @Test("whose parameters do not fit are refused at the door")
    func refused() throws {
        let test = try TestHost(windows: ["A"])
        #expect(throws: AdmissionError.self) { try test.host.admit(Submission(try offer("nonsense"))) }
        let without = try EntryEvent.push(
            payload: ["aps": ["alert": "x", "category": "OFFER"]],
            action: "ADD_TO_CART"
        )
        #expect(throws: AdmissionError.self) { try test.host.admit(Submission(without)) }
        #expect(throws: AdmissionError.self) { try test.host.admit(Submission(try offer(action: "CALL"))) }
        #expect(test.records(of: .eventAdmitted).isEmpty)
    }

    @Test("are refused to a sender who may not act, also if a reload has made them what they are")
    func mayNotAct() async throws {
        let test = try TestHost(windows: ["A"]) { $0.notificationCategories = [] }
        var submission = Submission(try offer(), scene: "A")
        submission.mayAct = false
        #expect(test.host.asksAdapters(about: try offer()), "without categories it is a tap")
        try await test.host.reload(try TestHost(windows: []).host.manifest)
        #expect(throws: AdmissionError.mayNotAct) { try test.host.admit(submission) }
        #expect(throws: AdmissionError.mayNotAct) {
            // Adapters of other processes were asked before the reload.
            let adapted = try test.host.adapters.adapt(.url("qcommerce://home"))
            return try test.host.admit(submission, adaptation: .success(adapted))
        }
        let free = Submission(try .push(payload: ["aps": ["alert": "x", "category": "ORDER"]], action: "CANCEL"))
        #expect(await test.host.receipt(of: try test.host.admit(free)).outcome == .delivered)
        #expect(test.records(of: .sessionCommitted).isEmpty)
    }

    @Test("without an intent are delivered, and no adapter is asked")
    func nothing() async throws {
        let test = try TestHost(windows: ["A"])
        let event = try EntryEvent.push(
            payload: ["aps": ["alert": "x", "category": "ORDER"], "url": "qcommerce://orders"],
            action: "CANCEL"
        )
        #expect(!test.host.asksAdapters(about: event))
        let receipt = await test.host.receipt(of: try test.host.admit(Submission(event)))
        #expect(receipt.outcome == .delivered && receipt.window?.selectedTab == "home")
        #expect(test.records(of: .eventAdmitted).first?.json["name"] == nil)
    }

    @Test("wait their turn: what a window admitted before is dispatched before")
    func order() async throws {
        let test = try TestHost(windows: ["A"])
        let hold = try test.hold(.admitted, scene: "A")
        _ = try test.admit("product/p1")
        _ = await hold.caught()
        let admission = try test.host.admit(Submission(try offer(), scene: "A"))
        #expect(test.host.session.snapshot.facts["cart"] == .strings([]))
        hold.release()
        #expect(await test.host.receipt(of: admission).ticket == 2)
        #expect(test.host.session.snapshot.facts["cart"] == .strings(["p1"]))
    }
}
