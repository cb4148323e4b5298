import SceneEntryPoints
import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// Windows that lock (<doc:/SceneRuntime/Scenes>); each history is checked by the model, too.
@Suite struct LockTests {
    /// The app of `Tests/Apps/vault.yaml` in the window A, in which mina reads a paper.
    private static func vault(_ edit: (inout AppManifest) -> Void = { _ in }) async throws -> Club {
        let vault = try Club(app: "vault", edit)
        try await vault.signIn()
        _ = try await vault.link("paper/p1")
        return vault
    }

    @Test("a window that comes back is covered by the lock, and what was there is there again when it is unlocked")
    func covers() async throws {
        let vault = try await Self.vault()
        let before = try vault.window
        try await vault.leave()
        #expect(try vault.host.scene("A").isLocked)
        #expect(try vault.window == before, "nobody sees it")
        try await vault.enter()
        #expect(try vault.trail == "papers › paper(id: p1) + unlock[passcode]")
        #expect(try vault.host.scene("A").parked.isEmpty)
        #expect(try await vault.tap("forgot").outcome == .applied)
        #expect(try await vault.tap("entered").outcome == .applied)
        #expect(try !vault.host.scene("A").isLocked)
        #expect(try vault.window == before)
        await vault.end()
    }

    @Test("what is asked of a locked window brings it forward, waits for the lock, and goes on in this window alone")
    func gates() async throws {
        let vault = try await Self.vault()
        try vault.host.connect(scene: "B")
        await vault.host.quiesce()
        try await vault.tap("entered", in: "B")
        for scene in ["A", "B"] { try await vault.leave(scene) }
        for scene in ["A", "B"] {
            let receipt = try await vault.link("paper/p2", in: scene)
            #expect(receipt.outcome == .gated(precondition: "unlock"))
            #expect(try vault.host.scene(scene).activation == .foregroundActive)
            #expect(try vault.host.scene(scene).window.modals.map(\.flow) == ["unlock"])
        }
        try await vault.tap("entered")
        #expect(try vault.trail == "papers › paper(id: p2)")
        let other = try vault.host.scene("B")
        #expect(other.isLocked && other.parked.map(\.precondition) == ["unlock"])
        await vault.end()
    }

    @Test("the lock stands before every other gate, and also before what is presented over whatever is shown")
    func beforeOthers() async throws {
        let vault = try await Self.vault()
        try await vault.leave()
        #expect(try await vault.link("signature").outcome == .gated(precondition: "unlock"))
        #expect(try await vault.link("hint").outcome == .gated(precondition: "unlock"))
        #expect(try vault.host.scene("A").parked.map(\.destination.id) == ["signature", "hint"])
        try await vault.tap("entered")
        // The signature waits for what it needs itself, the hint is over its flow.
        #expect(try vault.host.scene("A").parked.map(\.precondition) == ["agreed"])
        #expect(try vault.trail == "papers › paper(id: p1) + terms[terms] + sheet[hint]")
        await vault.end()
    }

    @Test("a condition that looks at nobody refuses before the lock is asked")
    func knownConditionsFirst() async throws {
        let vault = try await Self.vault { manifest in
            manifest.conditions = [ConditionDeclaration(name: "open", holds: .not(.always), reason: "it is closed")]
            let index = manifest.destinations.firstIndex { $0.id == "signature" } ?? 0
            manifest.destinations[index].conditions = ["open"]
        }
        try await vault.leave()
        #expect(try await vault.link("signature").outcome == .rejected(reason: "open"))
        // The window came to the front, and is covered all the same.
        #expect(try vault.trail.hasSuffix("unlock[passcode]"))
        await vault.end()
    }

    @Test(
        "whoever cancels or swipes the lock away gives up what waits, and stands before it again",
        arguments: [true, false]
    )
    func cancelled(isSwipe: Bool) async throws {
        let vault = try await Self.vault()
        try await vault.leave()
        let admission = try vault.host.admit(Submission(try .url("vault://help"), scene: "A"))
        await vault.host.quiesce()
        try await vault.tap("forgot")
        let gesture = SceneAction.gesture(.swipeDown())
        try await vault.act(isSwipe ? gesture : .intent(Intent(name: "gaveUp")))
        #expect(await vault.host.receipt(of: admission).outcome == .abandoned(reason: "flowCancelled"))
        #expect(try vault.host.scene("A").isLocked)
        #expect(try vault.trail == "papers › paper(id: p1) + unlock[passcode]", "it begins afresh")
        await vault.end()
    }

    /// What takes the lock's flow off the screen while the window is locked.
    enum Uncovering: CaseIterable {
        case swipe, cancel, cancelledResult, coveredFlowEnds, userReplaced, reload
    }

    @Test("what the lock covers is never shown before it is unlocked", arguments: Uncovering.allCases)
    func neverUncovered(by uncovering: Uncovering) async throws {
        let vault = try await Self.vault()
        try await vault.link("signature")
        try await vault.leave()
        try await vault.enter()
        try await vault.tap("forgot")
        #expect(try vault.trail.hasSuffix("+ unlock[passcode › forgotten]"))
        var apps = [vault.manifest]
        let before = vault.records.count
        switch uncovering {
        case .swipe: #expect(try await vault.act(.gesture(.swipeDown())).outcome == .applied)
        case .cancel: #expect(try await vault.tap("gaveUp").outcome == .applied)
        case .cancelledResult: #expect(try await vault.act(.finishFlow("unlock", .cancelled)).outcome == .applied)
        case .coveredFlowEnds:
            let report = SceneAction.intent(Intent(name: "accepted"), from: "terms")
            #expect(try await vault.act(report).outcome == .applied)
        case .userReplaced: _ = try await vault.host.session.signIn(user: "theo")
        case .reload:
            // Its tabs are in another order, so that everything that is presented goes.
            var other = vault.manifest
            other.tabs.reverse()
            apps.append(other)
            try await vault.host.reload(other)
        }
        await vault.host.quiesce()
        #expect(try vault.host.scene("A").isLocked)
        #expect(try vault.trail.hasSuffix("+ unlock[passcode]"), "it begins afresh")
        let records = vault.records.dropFirst(before)
        let steps = records.filter { $0["kind"] == "navigation.step" }
        #expect(steps.last?["cause"] == "lock")
        // Between what uncovers and what covers there are only the records of what goes with it.
        let last = try #require(records.lastIndex { $0["cause"] == "lock" })
        let first = try #require(records[..<last].lastIndex { $0["kind"] == "navigation.step" })
        let between = Set(records[(first + 1)..<last].compactMap { $0["kind"]?.stringValue })
        #expect(between.isSubset(of: ["coordinator.attached", "coordinator.detached", "gate.abandoned"]))
        await vault.host.drain()
        let report = checked(vault.records, apps: apps)
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    /// How a history shows what the lock covers.
    enum Glimpse: CaseIterable {
        case untilTheEnd, overACommit, nextDispatch
    }

    @Test("a history in which what the lock covers is seen for a moment is noticed", arguments: Glimpse.allCases)
    func glimpse(_ glimpse: Glimpse) async throws {
        let vault = try await Self.vault()
        try await vault.leave()
        try await vault.enter()
        try await vault.act(.gesture(.swipeDown()))
        _ = try await vault.host.session.commit(set: ["agreed": .boolean(true)])
        await vault.host.quiesce()
        try await vault.link("help")
        await vault.end()
        var records = vault.records
        let cover = try #require(records.lastIndex { $0["cause"] == "lock" })
        let attached = try #require(records[..<cover].lastIndex { $0["kind"] == "coordinator.attached" })
        let kind: JSONValue =
            switch glimpse {
            case .untilTheEnd: "dispatch.ended"
            case .overACommit: "session.committed"
            case .nextDispatch: "dispatch.began"
            }
        let end = try #require(records[cover...].firstIndex { $0["kind"] == kind })
        let moved = [records[attached], records[cover]]
        records.insert(contentsOf: moved, at: end + 1)
        records.remove(at: cover)
        records.remove(at: attached)
        for index in records.indices { records[index]["index"] = .integer(index + 1) }
        let report = checked(records, app: vault.manifest)
        #expect(report.violated.contains(.agreement), "\(report.text)")
    }

    /// How something under the lock goes, and takes the lock's flow with it.
    enum Below: CaseIterable {
        case swept, ended, reloaded, broughtBack
    }

    @Test(
        "what waits at the lock waits on whatever goes below it, whether somebody sees the window or not",
        arguments: Below.allCases,
        [true, false]
    )
    func below(_ below: Below, isSeen: Bool) async throws {
        let vault = try await Self.vault()
        if below != .ended { _ = try await vault.host.session.commit(set: ["agreed": .boolean(true)]) }
        try await vault.link("signature")
        try await vault.leave()
        if isSeen { try await vault.enter() }
        let tapped = SceneAction.intent(Intent(name: "paperTapped", parameters: ["id": "p3"]), from: "papers")
        let admission = try vault.host.admit(Submission(tapped, scene: "A"))
        #expect(await vault.host.receipt(of: admission).outcome == .gated(precondition: "unlock"))
        #expect(try vault.window.modals.map(\.flow).last == "unlock")
        var apps = [vault.manifest]
        switch below {
        case .swept: _ = try await vault.host.session.commit(set: ["agreed": .boolean(false)])
        case .ended: try await vault.act(.intent(Intent(name: "accepted"), from: "terms"))
        case .reloaded:
            var other = vault.manifest
            other.version = "2"
            other.destinations.removeAll { $0.id == "signature" }
            other.routes.removeAll { $0.destination == "signature" }
            apps.append(other)
            try await vault.host.reload(other)
        case .broughtBack:
            try await vault.host.disconnect(scene: "A")
            _ = try await vault.host.session.commit(set: ["agreed": .boolean(false)])
            try await vault.host.reconnect(scene: "A")
        }
        await vault.host.quiesce()
        let status = try vault.host.scene("A")
        #expect(status.isLocked && status.parked.first?.destination.id == "paper")
        #expect(status.window.modals.map(\.flow) == ["unlock"], "\(status.window)")
        try await vault.tap("entered")
        let receipt = await vault.host.receipt(of: admission, at: .finished)
        #expect(receipt.outcome == .applied, "\(receipt.outcome)")
        await vault.host.drain()
        let report = checked(vault.records, apps: apps)
        #expect(report.conclusion == .holds, "\(report.text)")
        // It is abandoned as if somebody had cancelled the lock.
        guard below == .swept, let parked = vault.records.last(where: { $0["kind"] == "gate.parked" }) else { return }
        var abandoned = parked
        abandoned["kind"] = "gate.abandoned"
        abandoned["reason"] = "flowCancelled"
        for key in ["parameters", "flow", "revision", "epoch"] { abandoned[key] = nil }
        var lie = vault.records
        let sweep = try #require(lie.lastIndex { $0["cause"] == "sweep" })
        lie.insert(abandoned, at: sweep + 1)
        for index in lie.indices { lie[index]["index"] = .integer(index + 1) }
        #expect(checked(lie, apps: apps).text.contains("nobody has cancelled that"))
    }

    @Test("a sign-out unlocks every window, and the next user meets no lock of hers")
    func signOut() async throws {
        let vault = try await Self.vault()
        try await vault.leave()
        let admission = try vault.host.admit(Submission(try .url("vault://help"), scene: "A"))
        await vault.host.quiesce()
        await vault.host.session.signOut()
        _ = try await vault.host.session.signIn(user: "theo")
        await vault.host.quiesce()
        #expect(await vault.host.receipt(of: admission).outcome == .abandoned(reason: "userLeft"))
        let shown = try vault.trail
        #expect(try shown == "papers" && !vault.host.scene("A").isLocked)
        #expect(vault.records.last { $0["kind"] == "window.unlocked" }?["reason"] == "lifted")
        await vault.end()
    }

    @Test("what the lock covers hears nothing from its screens, but may go on by itself, and shows nothing new")
    func covered() async throws {
        let vault = try await Self.vault()
        try await vault.leave()
        try await vault.enter()
        #expect(try await vault.tap("counted").outcome == .rejected(reason: "unhandledIntent"))
        let bubbled = try #require(vault.records.last { $0["kind"] == "intent.bubbled" })
        #expect(bubbled["chain"] == ["screen passcode", "sheet of unlock", "unlock"])
        let report = SceneAction.intent(Intent(name: "counted"), from: "paper")
        #expect(try await vault.act(report).outcome == .delivered)
        let route = SceneAction.intent(Intent(name: "paperTapped", parameters: ["id": "p3"]), from: "paper")
        #expect(try await vault.act(route).outcome == .gated(precondition: "unlock"))
        try await vault.tap("entered")
        #expect(try vault.trail == "papers › paper(id: p1) › paper(id: p3)")
        await vault.end()
    }

    @Test("nobody ends a flow that the lock covers")
    func coveredFlow() async throws {
        let vault = try await Self.vault()
        #expect(try await vault.link("signature").outcome == .gated(precondition: "agreed"))
        try await vault.leave()
        let finish = SceneAction.finishFlow("terms", .completed(FlowCompletion(facts: ["agreed": .boolean(true)])))
        #expect(try await vault.act(finish).outcome == .rejected(reason: "locked"))
        // What waits for that flow goes on behind the lock as soon as it may, and no further.
        _ = try await vault.host.session.commit(set: ["agreed": .boolean(true)])
        await vault.host.quiesce()
        #expect(try vault.host.scene("A").parked.map(\.precondition) == ["unlock"])
        #expect(try vault.window.modals.map(\.flow) == ["terms", "unlock"], "what is under the lock stays")
        #expect(try await vault.act(.finishFlow("unlock", .completed(FlowCompletion()))).outcome == .applied)
        #expect(try vault.trail == "papers + sheet[signature]")
        await vault.end()
    }

    @Test("nor one that has a screen in a tab that is covered")
    func coveredInATab() async throws {
        let vault = try await Self.vault { manifest in
            for index in manifest.destinations.indices where manifest.destinations[index].id == "help" {
                manifest.destinations[index].flow = "login"
            }
        }
        try await vault.leave()
        try await vault.enter()
        let finish = SceneAction.finishFlow("login", .completed(FlowCompletion(user: "theo")))
        #expect(try await vault.act(finish).outcome == .rejected(reason: "locked"))
        await vault.end()
    }

    @Test("a covered flow for which nothing waits any more commits nothing, and takes nothing away")
    func spentFlow() async throws {
        let vault = try await Self.vault()
        #expect(try await vault.link("signature").outcome == .gated(precondition: "agreed"))
        try await vault.leave()
        try await vault.enter()
        _ = try await vault.host.session.commit(set: ["agreed": .boolean(true)])
        await vault.host.quiesce()
        #expect(try vault.host.scene("A").parked.map(\.precondition) == ["unlock"])
        let revision = vault.host.session.snapshot.revision
        let late = SceneAction.intent(Intent(name: "accepted"), from: "terms")
        #expect(try await vault.act(late).outcome == .rejected(reason: "noSuchFlow"))
        #expect(vault.host.session.snapshot.revision == revision)
        #expect(try vault.window.modals.map(\.flow) == ["terms", "unlock"])
        try await vault.tap("entered")
        #expect(try vault.trail == "papers + sheet[signature]", "the link has not been lost")
        await vault.end()
    }

    @Test("nothing is dragged out of a locked window")
    func draggedFromLocked() async throws {
        let vault = try await Self.vault { manifest in
            manifest.adapters.append(
                AdapterDeclaration(
                    name: "paper",
                    kinds: ["activity"],
                    mapping: .destination(id: "paper", parameters: ["id": "p2"], parametersFrom: nil)
                )
            )
        }
        let drag = try EntryEvent.activity(activityType: "com.example.vault.paper", draggedFrom: "A")
        try await vault.leave()
        let error = #expect(throws: AdmissionError.self) { _ = try vault.host.admit(Submission(drag)) }
        #expect(error?.description.contains("A is locked") ?? false, "\(error?.description ?? "")")
        try await vault.enter()
        try await vault.tap("entered")
        #expect(throws: Never.self) { _ = try vault.host.admit(Submission(drag)) }
        await vault.end()
    }

    @Test("what opening a link would do says where the lock comes first")
    func preview() async throws {
        let vault = try await Self.vault()
        let link = try EntryEvent.url("vault://paper/p2")
        #expect(
            try vault.host.preview(link).hasSuffix("; in a window that is opened for it, it is gated by unlock first")
        )
        try await vault.leave()
        #expect(
            try vault.host.preview(link).hasSuffix(
                "in a window that is locked (A) or opened for it, it is gated by unlock first"
            )
        )
        await vault.host.session.signOut()
        await vault.host.quiesce()
        #expect(try !vault.host.preview(link).contains("unlock"))
        await vault.end()
    }

    @Test(
        "what opening a link would do says what refuses it, and where the fallback is not shown",
        arguments: [false, true]
    )
    func previewOfRefusal(isPersonal: Bool) async throws {
        let vault = try await Self.vault { manifest in
            manifest.fallback = Destination(id: "papers")
            let never: FactPredicate = isPersonal ? .all([.signedIn, .not(.signedIn)]) : .appVersion(.greater, "99")
            manifest.conditions = [ConditionDeclaration(name: "open", holds: never, reason: "it is closed")]
            let index = manifest.destinations.firstIndex { $0.id == "signature" } ?? 0
            manifest.destinations[index].conditions = ["open"]
            manifest.destinations[index].preconditions = []
        }
        let refused = "is admitted and ends rejected as open, and the fallback papers is shown"
        let link = try EntryEvent.url("vault://signature")
        #expect(try vault.host.preview(link).hasPrefix(refused))
        try await vault.leave()
        let preview = try vault.host.preview(link)
        #expect(preview.contains("locked (A)"))
        #expect(preview.hasSuffix("it is gated by unlock first") == isPersonal)
        let receipt = try await vault.link("signature")
        #expect(receipt.outcome == (isPersonal ? Outcome.gated(precondition: "unlock") : .rejected(reason: "open")))
        #expect(try vault.trail.hasSuffix("unlock[passcode]"))
        await vault.end()
    }

    @Test("a window is locked when it is opened or brought back, while somebody is signed in")
    func restored() async throws {
        let vault = try await Self.vault()
        let saved = try vault.window
        try await vault.host.disconnect(scene: "A")
        #expect(try !vault.host.scene("A").isLocked)
        try await vault.host.reconnect(scene: "A")
        #expect(try vault.host.scene("A").isLocked)
        #expect(try vault.trail == "papers › paper(id: p1) + unlock[passcode]")
        try vault.host.connect(scene: "B", restoring: saved, inBackground: true)
        await vault.host.quiesce()
        let other = try vault.host.scene("B")
        #expect(other.isLocked && other.window == saved)
        try vault.host.connect(scene: "C")
        #expect(try vault.host.scene("C").window.modals.map(\.flow) == ["unlock"], "at once")
        // A released window is unlocked by a sign-out, too.
        try await vault.host.disconnect(scene: "A")
        await vault.host.session.signOut()
        try await vault.host.reconnect(scene: "A")
        let shown = try vault.trail
        #expect(try shown == "papers" && !vault.host.scene("A").isLocked)
        await vault.end()
    }

    @Test("a saved window in which the lock was on screen comes back without it, and is locked anew")
    func savedUnderLock() async throws {
        let vault = try await Self.vault()
        try await vault.leave()
        try await vault.enter()
        let saved = try vault.window
        try vault.host.connect(scene: "B", restoring: saved)
        await vault.host.quiesce()
        #expect(try vault.host.scene("B").window == saved)
        #expect(vault.records.last { $0["cause"] == "lock" }?["scene"] == "B")
        await vault.host.session.signOut()
        try vault.host.connect(scene: "C", restoring: saved)
        await vault.host.quiesce()
        #expect(try vault.host.scene("C").window.modals.isEmpty)
        await vault.end()
    }

    @Test(
        "a saved window in which the lock's screen stands outside its flow comes back without it, and that is recorded"
    )
    func savedOutsideTheLock() async throws {
        let vault = try await Self.vault()
        var saved = try vault.window
        let before = saved
        for index in saved.tabs.indices where saved.tabs[index].id == saved.selectedTab {
            saved.tabs[index].stack.append(Destination(id: "passcode"))
        }
        try vault.host.connect(scene: "B", restoring: saved, inBackground: true)
        await vault.host.quiesce()
        #expect(try vault.host.scene("B").window == before)
        let swept = try #require(vault.records.last { $0["kind"] == "scene.swept" && $0["scene"] == "B" })
        #expect(
            swept["removed"] == [
                [
                    "destination": ["id": "passcode", "parameters": [:]],
                    "reason": "only the flow 'unlock' shows it, which is not shown there",
                ]
            ]
        )
        await vault.end()
    }

    @Test("a window that the app asks for begins locked, and its destination waits there")
    func requested() async throws {
        let vault = try await Self.vault()
        try await vault.tap("besideTapped")
        let opened = try vault.host.scene("scene-1")
        #expect(opened.isLocked && opened.parked.map(\.precondition) == ["unlock"])
        #expect(try !vault.host.scene("A").isLocked)
        await vault.end()
    }

    @Test("the lock has room however much is shown")
    func room() async throws {
        let vault = try await Self.vault { $0.policies.maximumStackDepth = 2 }
        try await vault.link("signature")
        try await vault.link("hint")
        #expect(try vault.window.modals.count == 2)
        try await vault.leave()
        try await vault.enter()
        #expect(try vault.window.modals.count == 3)
        await vault.end()
    }

    @Test("a report of the lock's flow that comes when nothing is locked any more commits nothing")
    func late() async throws {
        let vault = try await Self.vault { manifest in
            manifest.lock?.when = .present(fact: "agreed")
            let index = manifest.flows.firstIndex { $0.name == "unlock" } ?? 0
            manifest.flows[index].completion = [.add(fact: "tries", .literal(.integer(5)))]
        }
        _ = try await vault.host.session.commit(set: ["agreed": .boolean(true)])
        try await vault.leave()
        try await vault.enter()
        let hold = try vault.host.hold(.planned, scene: "A", event: "it")
        let entered = SceneAction.intent(Intent(name: "entered"))
        let admission = try vault.host.admit(Submission(entered, scene: "A", eventID: "it"))
        await withCheckedContinuation { continuation in
            _ = vault.host.whenCaught(by: hold) { _ in continuation.resume() }
        }
        _ = try await vault.host.session.commit(remove: ["agreed"])
        vault.host.release(hold)
        #expect(await vault.host.receipt(of: admission).outcome == .rejected(reason: "noSuchFlow"))
        await vault.host.quiesce()
        #expect(vault.host.session.snapshot.facts["tries"] == .integer(0))
        #expect(try vault.trail == "papers › paper(id: p1)")
        await vault.end()
    }

    @Test(
        "a user who takes another's place stands before the lock, with nothing of hers behind it, whatever comes meanwhile",
        arguments: [true, false]
    )
    func replaced(isIntent: Bool) async throws {
        let vault = try await Self.vault()
        try await vault.leave()
        let hold = try vault.host.hold(.admitted, scene: "A", event: "it")
        let submission =
            isIntent
            ? Submission(.intent(Intent(name: "entered")), scene: "A", eventID: "it")
            : Submission(try .url("vault://paper/p2"), scene: "A", eventID: "it")
        let admission = try vault.host.admit(submission)
        await withCheckedContinuation { continuation in
            _ = vault.host.whenCaught(by: hold) { _ in continuation.resume() }
        }
        _ = try await vault.host.session.signIn(user: "theo")
        vault.host.release(hold)
        let outcome = await vault.host.receipt(of: admission).outcome
        #expect(outcome == (isIntent ? .abandoned(reason: "userLeft") : .gated(precondition: "unlock")))
        await vault.host.quiesce()
        #expect(try vault.trail == "papers + unlock[passcode]")
        await vault.end()
    }

    /// Where a window is when its app is reloaded.
    enum Whereabouts: CaseIterable {
        case inFront, inBackground, covered
    }

    @Test(
        "after a reload that takes `repeats` away the lock covers what is left, and opens",
        arguments: Whereabouts.allCases
    )
    func repeatsTakenAway(from whereabouts: Whereabouts) async throws {
        let vault = try await Self.vault()
        try await vault.tap("paperTapped", ["id": "p2"])
        #expect(try vault.trail == "papers › paper(id: p1) › paper(id: p2)")
        var other = vault.manifest
        for index in other.destinations.indices { other.destinations[index].repeats = false }
        if whereabouts == .inFront { try await vault.host.reload(other) }
        try await vault.leave()
        if whereabouts == .inBackground { try await vault.host.reload(other) }
        try await vault.enter()
        #expect(try vault.trail.hasSuffix("+ unlock[passcode]"))
        if whereabouts == .covered { try await vault.host.reload(other) }
        await vault.host.quiesce()
        #expect(try vault.trail == "papers › paper(id: p1) + unlock[passcode]")
        #expect(try await vault.tap("entered").outcome == .applied)
        #expect(try !vault.host.scene("A").isLocked)
        #expect(try vault.trail == "papers › paper(id: p1)")
        await vault.host.drain()
        let report = checked(vault.records, apps: [vault.manifest, other])
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    /// How a reload by which a fact begins anew leaves the lock.
    enum Lifting: CaseIterable {
        case same, withoutLock, otherwise
    }

    @Test(
        "a reload by which a fact begins anew lifts the lock after the commit that it makes",
        arguments: Lifting.allCases,
        Whereabouts.allCases
    )
    func liftedByReload(lifting: Lifting, from whereabouts: Whereabouts) async throws {
        let vault = try await Self.vault { $0.lock = LockDeclaration(flow: "unlock", when: .present(fact: "agreed")) }
        try await vault.host.session.commit(set: ["agreed": .boolean(true)])
        if whereabouts != .inFront { try await vault.leave() }
        if whereabouts == .covered { try await vault.enter() }
        var other = vault.manifest
        for index in other.facts.indices where other.facts[index].name == "agreed" { other.facts[index].scope = .app }
        switch lifting {
        case .same: break
        case .withoutLock: other.lock = nil
        case .otherwise: other.lock?.when = .all([.signedIn, .present(fact: "agreed")])
        }
        try await vault.host.reload(other)
        await vault.host.quiesce()
        #expect(try !vault.host.scene("A").isLocked)
        #expect(vault.host.session.snapshot.facts["agreed"] == nil)
        await vault.host.drain()
        let kinds = vault.records.compactMap { $0["kind"]?.stringValue }
        let loaded = try #require(kinds.lastIndex(of: "manifest.loaded"))
        #expect(kinds[loaded + 1] == "session.committed")
        #expect((whereabouts == .inFront) != kinds[loaded...].contains("window.unlocked"))
        let report = checked(vault.records, apps: [vault.manifest, other])
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test("a reload takes the lock away, or puts another flow before it", arguments: [true, false])
    func reload(takesAway: Bool) async throws {
        let vault = try await Self.vault()
        try await vault.leave()
        #expect(try await vault.link("help").outcome == .gated(precondition: "unlock"))
        var other = vault.manifest
        other.lock = takesAway ? nil : LockDeclaration(flow: "face", when: .signedIn)
        other.flows.append(
            FlowDeclaration(
                name: "face",
                screens: [FlowScreen(id: "face")],
                intents: [IntentDeclaration(name: "seen", effects: [.complete(user: nil)])]
            )
        )
        try await vault.host.reload(other)
        await vault.host.quiesce()
        if takesAway {
            #expect(try vault.trail == "help")
        } else {
            #expect(try vault.host.scene("A").parked.map(\.precondition) == ["face"])
            #expect(try vault.window.modals.last?.flow == "face")
            try await vault.tap("seen")
        }
        let status = try vault.host.scene("A")
        #expect(!status.isLocked && status.parked.isEmpty && status.window.modals.isEmpty)
        await vault.host.drain()
        let report = checked(vault.records, apps: [vault.manifest, other])
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    @Test("the time at which nobody is signed in locks nothing")
    func nobody() async throws {
        let vault = try Club(app: "vault")
        try await vault.leave()
        try await vault.enter()
        try await vault.signIn()
        let shown = try vault.trail
        #expect(try shown == "papers" && !vault.host.scene("A").isLocked)
        await vault.end()
    }

    /// What is wrong with a history of locked windows.
    enum Lie: String, CaseIterable {
        case notLocked, notUnlocked, unlockedByNobody, lockedTwice, lockedInFront, notCovered, goesOn, stillLocked,
            sharedUnlock, snapshot
    }

    @Test("a history that lies about locks is noticed", arguments: Lie.allCases)
    func lies(_ lie: Lie) async throws {
        var settings = HostSettings()
        settings.snapshotInterval = 20
        let vault = try Club(app: "vault", settings: settings)
        try await vault.signIn()
        try await vault.link("paper/p1")
        try vault.host.connect(scene: "B", inBackground: true)
        try await vault.leave()
        try await vault.link("help")
        try await vault.tap("entered")
        try await vault.leave()
        try await vault.enter()
        await vault.host.session.signOut()
        await vault.end()
        var count = 0
        func isFirst() -> Bool {
            count += 1
            return count == 1
        }
        var records: [JSONObject] = []
        for record in vault.records {
            let kind = record["kind"]?.stringValue
            var copy = record
            switch lie {
            case .notLocked where kind == "window.locked" && record["reason"] == "background" && isFirst(): continue
            case .notUnlocked where kind == "window.unlocked" && record["reason"] == "completed": continue
            case .stillLocked where kind == "window.unlocked" && record["reason"] == "lifted": continue
            case .unlockedByNobody where kind == "window.unlocked" && record["reason"] == "lifted":
                copy["reason"] = "completed"
            case .lockedTwice where kind == "window.locked" && isFirst(): records.append(record)
            case .lockedInFront where kind == "window.locked" && record["reason"] == "background":
                copy["reason"] = "connected"
            case .notCovered where record["cause"] == "lock": continue
            // What was stopped by the lock goes on.
            case .goesOn where kind == "dispatch.resolved" && record["reason"] == "unlock":
                copy["verdict"] = "proceed"
                copy["reason"] = nil
            case .sharedUnlock where kind == "window.unlocked" && record["reason"] == "completed":
                var other = record
                other["scene"] = "B"
                records.append(other)
            case .snapshot where kind == "scene.snapshot" && isFirst():
                copy["locked"] = record["locked"] == true ? nil : true
            default: break
            }
            records.append(copy)
        }
        for index in records.indices { records[index]["index"] = .integer(index + 1) }
        #expect(lie != .snapshot || count > 0)
        #expect(checked(records, app: vault.manifest).conclusion == .violated)
    }
}

extension Club {
    @discardableResult
    fileprivate func link(_ path: String, in scene: String = "A") async throws -> Receipt {
        let receipt = await host.receipt(of: try host.admit(Submission(try .url("vault://\(path)"), scene: scene)))
        await host.quiesce()
        return receipt
    }

    fileprivate func tap(_ intent: String, in scene: String) async throws {
        _ = await host.receipt(of: try host.admit(Submission(.intent(Intent(name: intent)), scene: scene)))
        await host.quiesce()
    }

    /// What the window A shows: the selected tab's stack, then the presentations.
    fileprivate var trail: String {
        get throws {
            let window = try window
            let modals = window.modals.map { modal in
                "\(modal.flow ?? "sheet")[\(modal.stack.map(\.description).joined(separator: " › "))]"
            }
            let stack = (window.stack(of: window.selectedTab) ?? []).map(\.description).joined(separator: " › ")
            return ([stack] + modals).joined(separator: " + ")
        }
    }

    /// Puts a window into the background.
    fileprivate func leave(_ scene: String = "A") async throws {
        if try host.scene(scene).activation == .foregroundActive {
            try await host.setActivation(.foregroundInactive, of: scene)
        }
        try await host.setActivation(.background, of: scene)
    }

    /// Brings a window to the front, with nothing asked of it.
    fileprivate func enter(_ scene: String = "A") async throws {
        try await host.setActivation(.foregroundInactive, of: scene)
        try await host.setActivation(.foregroundActive, of: scene)
    }
}
