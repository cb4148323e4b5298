import SceneEntryPoints
import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// Flows that are there for themselves: a root, and what a link has shown. Something may wait for them, and they outlast it
/// (<doc:/SceneRuntime/TheSession>).
@Suite struct OwnFlowTests {
    /// The app of `Tests/Apps/ward.yaml` in the window A; by `intake` it shows its tabs.
    private static func ward(intake: Bool = true) async throws -> Club {
        let ward = try Club(app: "intake")
        if intake { try await ward.commit(["intake": .boolean(true)]) }
        return ward
    }

    @Test(
        "a gate's flow that begins with a destination is not shown where a commit has just forbidden that",
        arguments: ["scan", "file"]
    )
    func startForbidden(link: String) async throws {
        let ward = try await Self.ward()
        let hold = try ward.host.hold(.planned, scene: "A")
        let admission = try ward.admit(link)
        await withCheckedContinuation { continuation in
            _ = ward.host.whenCaught(by: hold) { _ in continuation.resume() }
        }
        // The root comes into force, and nobody can be led to 'form' in front of it.
        _ = try await ward.host.session.commit(set: ["intake": .boolean(false)])
        ward.host.release(hold)
        _ = await ward.host.receipt(of: admission)
        await ward.host.quiesce()
        #expect(try !ward.window.destinations.contains { $0.id == "form" })
        await ward.end()
    }

    @Test("a flow that a link takes elsewhere has its coordinator there")
    func takenElsewhere() async throws {
        let club = try Club(
            manifest: """
                name: Elsewhere
                schemes: [elsewhere]
                tabs: { home: home, other: other }
                destinations:
                  home: { tab: home }
                  other: { tab: other, routes: ["elsewhere://other"] }
                  list: { ancestry: [home], flow: search, routes: ["elsewhere://list"] }
                  search: { ancestry: current, presentation: sheet, flow: search, routes: ["elsewhere://search"] }
                flows:
                  search: { screens: [search, list], intents: { done: { effects: [complete] } } }
                """
        )
        for link in ["other", "search", "list"] { try await club.open(link) }
        #expect(try club.shown == "*home: home › list | other: other")
        try await club.tap("nothing")
        await club.host.quiesce()
        await club.host.drain()
        let report = checked(club.records, app: club.manifest)
        #expect(report.conclusion == .holds, "\(report.text)")
        // It was presented over 'other'.
        #expect(try club.host.scene("A").coordinatorTree.first { $0.flow == "search" }?.parent == "home")
    }

    /// What may become of a link that waits for a root flow.
    enum Wait: CaseIterable {
        case none, waits, flowCancelled, flowInVain, userLeft, destinationGone, superseded, queued, windowReleased
    }

    @Test("a root flow that stays in force can end as if nothing had waited for it", arguments: Wait.allCases)
    func root(wait: Wait) async throws {
        let ward = try Club(app: "intake") { if wait == .queued { $0.policies.whileGated = .queue } }
        var apps = [ward.manifest]
        if wait == .userLeft { try await ward.signIn() }
        let link = wait == .none ? nil : try await ward.open("bed/1")
        switch wait {
        case .none, .waits: break
        case .flowCancelled: #expect(try await ward.tap("gaveUp").outcome == .delivered)
        case .flowInVain: #expect(try await ward.tap("counted").outcome == .delivered)
        case .userLeft: await ward.host.session.signOut()
        case .destinationGone:
            var other = ward.manifest
            other.destinations.removeAll { $0.id == "bed" }
            other.routes.removeAll { $0.destination == "bed" }
            apps.append(other)
            try await ward.host.reload(other)
        case .superseded, .queued: try await ward.open("notes")
        case .windowReleased:
            try await ward.tap("gaveUp")
            try await ward.host.disconnect(scene: "A")
            try await ward.host.reconnect(scene: "A")
        }
        await ward.host.quiesce()
        #expect(try ward.window.topmost?.id == "hello")
        let rounds = ward.host.session.snapshot.facts["rounds"]
        #expect(try await ward.tap("counted").outcome == .delivered)
        #expect(ward.host.session.snapshot.facts["rounds"] != rounds)
        #expect(try await ward.tap("nameWanted").outcome == .applied)
        #expect(try await ward.tap("taken").outcome == .applied)
        #expect(try ward.window.tabs.map(\.id) == ["beds", "notes"])
        if let link {
            let outcome = ward.host.receipt(event: link.event)?.outcome
            #expect(outcome?.isTerminal == true, "\(String(describing: outcome))")
        }
        await ward.host.drain()
        let report = checked(ward.records, apps: apps)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test("a history in which a root flow that is in force cannot end is noticed")
    func lie() async throws {
        let ward = try await Self.ward(intake: false)
        try await ward.open("bed/1")
        try await ward.tap("gaveUp")
        #expect(try await ward.act(.finishFlow("intake", .completed(FlowCompletion()))).outcome == .delivered)
        await ward.end()
        var records = ward.records
        let end = try #require(records.lastIndex { $0["kind"] == "dispatch.ended" })
        records[end]["outcome"] = "rejected"
        records[end]["reason"] = "noSuchFlow"
        #expect(checked(records, app: ward.manifest).text.contains("there is intake, which may be shown"))
    }

    /// What waits for the flow that a link has shown, and how it comes to go on.
    @Test(
        "what the user has opened stays when nothing waits for its flow any more",
        arguments: ["ward://scan", "ward://file"],
        [true, false]
    )
    func opened(link: String, isFromInside: Bool) async throws {
        let ward = try await Self.ward()
        try await ward.open("form")
        try await ward.tap("read")
        let before = try ward.window
        let waits =
            isFromInside
            ? try await ward.tap(link == "ward://scan" ? "scanWanted" : "fileWanted")
            : try await ward.open(String(link.dropFirst(7)))
        #expect(waits.outcome == .gated(precondition: "consent"))
        #expect(try ward.window == before)
        if link == "ward://scan" {
            try await ward.commit(["consent": .boolean(true)])
            #expect(try ward.window.modals.dropLast() == before.modals[...])
            #expect(try ward.window.topmost?.id == "scan")
        } else {
            // What waited is given up because another link, which is over what is shown, is not it.
            try await ward.act(.gesture(.swipeBack()))
            try await ward.open("page/1")
            try await ward.host.session.signIn(user: "mina")
            await ward.host.quiesce()
            #expect(try ward.window.modals.map(\.flow) == ["consent", "pager"])
            try await ward.commit(["consent": .boolean(true)])
            #expect(try ward.window.topmost?.id == "file")
        }
        await ward.end()
    }

    @Test("what a gate has presented and a link then leads to stays, whatever became of what waited")
    func ledTo() async throws {
        let ward = try await Self.ward()
        let file = try await ward.open("file")
        #expect(try ward.window.modals.map(\.flow) == ["consent"])
        // The flow shows the place already.
        #expect(try await ward.open("form").outcome == .unchanged)
        #expect(ward.host.receipt(event: file.event)?.outcome.isTerminal == true)
        try await ward.commit(["consent": .boolean(true)])
        #expect(try ward.window.topmost?.id == "form")
        #expect(try await ward.tap("counted").outcome == .applied)
        await ward.end()
    }

    @Test("what a gate has presented still leaves when nothing waits any more, and its report is late")
    func forGate() async throws {
        let ward = try await Self.ward()
        let file = try await ward.open("file")
        let host = ward.host
        _ = try await host.session.commit(set: ["consent": .boolean(true)])
        let late = SceneAction.finishFlow("consent", .completed(FlowCompletion()))
        #expect(
            try await host.receipt(of: host.admit(Submission(late, scene: "A"))).outcome
                == .rejected(reason: "noSuchFlow")
        )
        await host.quiesce()
        #expect(host.receipt(event: file.event)?.outcome == .applied)
        #expect(try ward.shown == "beds: beds | *notes: notes › file")
        await ward.end()
    }

    /// What stands over a flow that an event wants to present once more.
    enum Cover: CaseIterable { case gate, started, current, itself, nothing, flowless }

    @Test("a flow that another covers is not presented once more", arguments: Cover.allCases, [true, false])
    func twice(cover: Cover, isFromInside: Bool) async throws {
        let ward = try await Self.ward()
        try await ward.open("page/1")
        switch cover {
        case .gate: #expect(try await ward.tap("fileWanted").outcome == .gated(precondition: "consent"))
        case .started: #expect(try await ward.tap("formWanted").outcome == .applied)
        case .current: #expect(try await ward.open("alarm/1").outcome == .applied)
        case .itself: #expect(try await ward.open("page/2").outcome == .applied)
        case .nothing: break
        case .flowless:
            try await ward.commit(["consent": .boolean(true)])
            #expect(try await ward.open("scan").outcome == .applied)
        }
        let before = try ward.window
        let isCovered = [.gate, .started, .current].contains(cover)
        let receipt = isFromInside ? try await ward.tap("pageTurned", ["no": "3"]) : try await ward.open("page/3")
        #expect(receipt.outcome == (isCovered ? .rejected(reason: "flowShown") : .applied))
        #expect(try ward.window.modals.count { $0.flow == "pager" } == 1)
        if isCovered { #expect(try ward.window == before) }
        #expect(try ward.host.scene("A").coordinatorTree.count { $0.flow == "pager" } == 1)
        // Once what covers it is gone, it can be shown again.
        if isCovered {
            try await ward.act(.gesture(.swipeDown()))
            #expect(try await ward.open("page/4").outcome == .applied)
        }
        #expect(try await ward.tap("counted").outcome == .applied)
        #expect(ward.host.session.snapshot.facts["rounds"] == .integer(1), "it ends once")
        #expect(try ward.window.modals.allSatisfy { $0.flow != "pager" })
        await ward.end()
    }

    /// A flow, what shows it and in which style, and a destination of it that comes over whatever is shown.
    struct Form: CustomTestStringConvertible {
        let flow: String
        /// The link that waits for it; `nil` for a root.
        let gate: String?
        let style: ModalStyle
        let link: String
        let intent: String
        /// Whether the destination is what is shown already.
        var isSame = false

        var testDescription: String { "\(flow) in the style \(style), and \(link)" }
    }

    static let forms =
        ModalStyle.allCases.map {
            Form(flow: "pager", gate: "chart", style: $0, link: "page/3", intent: "pageTurned", isSame: $0 == .popover)
        }
        + [.fullScreen, .sheet].map {
            Form(flow: "consent", gate: "file", style: $0, link: "card", intent: "cardWanted")
        }
        + [Form(flow: "intake", gate: nil, style: .sheet, link: "welcome", intent: "welcomeWanted")]

    @Test("a flow is not presented once more in another form", arguments: forms, [true, false])
    func otherwise(form: Form, isFromInside: Bool) async throws {
        let ward = try Club(app: "intake") { manifest in
            for index in manifest.flows.indices where manifest.flows[index].name == form.flow {
                manifest.flows[index].style = form.style
            }
        }
        if let gate = form.gate {
            try await ward.commit(["intake": .boolean(true)])
            guard case .gated = try await ward.open(gate).outcome else { return #expect(Bool(false), "nothing waits") }
        }
        let before = try ward.window
        let receipt =
            isFromInside
            ? try await ward.tap(form.intent, form.flow == "pager" ? ["no": "3"] : [:]) : try await ward.open(form.link)
        #expect(receipt.outcome == (form.isSame ? .applied : .rejected(reason: "flowShown")))
        #expect(try ward.window.modals.map(\.flow) == before.modals.map(\.flow))
        if !form.isSame { #expect(try ward.window == before) }
        // Once the flow is gone, it can be shown.
        if form.gate == nil { try await ward.commit(["intake": .boolean(true)]) }
        while try !ward.window.modals.isEmpty { try await ward.act(.gesture(.dismiss)) }
        #expect(try await ward.open(form.link).outcome == .applied)
        #expect(try ward.window.modals.map(\.flow) == [form.flow])
        await ward.end()
    }

    @Test("one that repeats is presented over itself, and not over what covers it")
    func repeated() async throws {
        let ward = try await Self.ward()
        try await ward.open("alarm/1")
        #expect(try await ward.tap("rang", ["no": "2"]).outcome == .applied)
        #expect(try ward.window.modals.map(\.flow) == ["alarms", "alarms"])
        try await ward.open("page/1")
        #expect(try await ward.tap("rang", ["no": "3"]).outcome == .rejected(reason: "flowShown"))
        try await ward.act(.gesture(.swipeDown()))
        #expect(try await ward.tap("silenced").outcome == .applied)
        #expect(try ward.window.modals.isEmpty)
        await ward.end()
    }

    /// How a history lies about a flow that is covered.
    enum Lie: CaseIterable { case presented, refused }

    @Test(
        "a history in which a covered flow is presented once more, or another is refused, is noticed",
        arguments: Lie.allCases
    )
    func lie(lie: Lie) async throws {
        let ward = try await Self.ward()
        try await ward.open("page/1")
        if lie == .presented { try await ward.open("alarm/1") }
        let receipt = try await ward.open("page/1")
        await ward.end()
        var records = ward.records
        let isItsEnd = { (record: JSONObject) in
            record["kind"] == "dispatch.ended" && record["event"] == .string(receipt.event)
        }
        let end = try #require(records.firstIndex(where: isItsEnd))
        switch lie {
        case .presented:
            // Its window shows the page already, below the alarm.
            var planned = try #require(records.first { $0["kind"] == "dispatch.planned" })
            for key in ["event", "ticket", "time"] { planned[key] = records[end][key] }
            planned["ops"] = []
            records.insert(planned, at: end)
            records[end + 1]["outcome"] = "unchanged"
            records[end + 1]["reason"] = nil
            for index in records.indices { records[index]["index"] = .integer(index + 1) }
            #expect(checked(records, app: ward.manifest).text.contains("and its flow is on screen already"))
        case .refused:
            records[end]["outcome"] = "rejected"
            records[end]["reason"] = "flowShown"
            #expect(checked(records, app: ward.manifest).text.contains("is not on screen otherwise"))
        }
    }
}

extension Club {
    func commit(_ facts: [String: FactValue]) async throws {
        _ = try await host.session.commit(set: facts)
        await host.quiesce()
    }
}
