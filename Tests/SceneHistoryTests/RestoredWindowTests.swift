import Basics
import SceneHistory
import SceneNavigation
import SceneRouting
import SceneRuntime
import Testing

/// Which saved windows come back, and as what (<doc:/SceneRuntime/Scenes>).
@Suite("A restored window", .timeLimit(.minutes(15)))
struct RestoredWindowTests {
    // MARK: - By hand

    /// A saved window of the app `Tests/Apps/ward.yaml`, what comes back of it (the same if nothing is said), and the first reason.
    struct Case: Sendable, CustomTestStringConvertible {
        let saved: String
        let restored: String
        let reason: String?

        init(_ saved: String, _ restored: String? = nil, _ reason: String? = nil) {
            self.saved = saved
            self.restored = restored ?? saved
            self.reason = reason
        }

        var testDescription: String { saved }
    }

    private static let chart = "patients › patient(pid: x1) › sheet chart[chart(page: 10, pid: x1)]"

    @Test(
        "is what the app could be showing of the saved one, and the rest is said to be wrong by how it would be right",
        arguments: [
            // What is presented over anything is not pushed.
            Case("wards › lost(why: a)", "wards", "the app shows it presented as sheet over whatever is shown"),
            Case("wards › room(w: w1) › alarm(room: 200)", "wards › room(w: w1)"),
            Case("wards › page(no: 1)", "wards"),
            Case("\(chart.dropLast()) › lost(why: a)]", chart),
            Case("root: name › lost(why: a)", "root: name"),
            Case("wards › sheet [lost(why: a) › room(w: w1)]", "wards › sheet [lost(why: a)]"),
            // Parameters of a flow's own screens.
            Case("\(chart.dropLast()) › drug(dose: 4)]"),
            Case("\(chart.dropLast()) › drug(dose: 0004)]", "\(chart.dropLast()) › drug(dose: 4)]"),
            Case("\(chart.dropLast()) › drug(dose: 2)]", chart, "dose: "),
            Case("\(chart.dropLast()) › drug(dose: abc)]", chart, "dose: "),
            Case("\(chart.dropLast()) › drug]", chart, "dose: is missing"),
            Case("\(chart.dropLast()) › drug(dose: 4, zz: 1)]", chart, "zz: drug has no such parameter"),
            Case("\(chart.dropLast()) › final(zz: 1)]", chart, "zz: final has no parameters"),
            Case("root: name(zz: 1)", "root: name", "zz: name has no parameters"),
            Case(
                "root: name › sheet token[code(user: \(String(repeating: "q", count: 1_025)))]",
                "root: name",
                "user: "
            ),
            // The wrong style, or the wrong flow.
            Case("wards › alert [lost(why: a)]", "wards", "the app shows it presented as sheet over whatever is shown"),
            Case("wards › sheet [alarm(room: 200)]", "wards", "the app shows it presented as fullScreen"),
            Case("wards › sheet duty[lost(why: a)]", "wards", "the app shows it presented as sheet"),
            Case(
                "wards › popover [page(no: 3)]",
                "wards",
                "the app shows it presented as popover over whatever is shown, for the flow 'pager'"
            ),
            Case("wards › popover pager[page(no: 3) › ack]"),
            Case(
                chart.replacing("sheet", with: "fullScreen"),
                "patients › patient(pid: x1)",
                "the app shows it presented as sheet over patients › patient, for"
            ),
            Case(
                "root: name › fullScreen token[code(user: x)]",
                "root: name",
                "the app shows it presented as sheet, like all of token"
            ),
            // The wrong place.
            Case("wards › me", "wards", "the app shows it as the root of tab 'me'"),
            Case("wards › patient(pid: x1)", "wards", "the app shows it pushed on patients"),
            Case("wards › alert [me › patients]", "wards", "the app shows it as the root of tab 'me'"),
            Case("wards › sheet [room(w: w1)]", "wards", "the app shows it pushed on wards"),
            Case("wards › bed(bed: 7, w: w2)", "wards", "the app shows it pushed on wards › room(w: w2)"),
            Case(
                "wards › room(w: w1) › bed(bed: 7, w: w2)",
                "wards › room(w: w1)",
                "the app shows it pushed on wards › room(w: w2)"
            ),
            Case("wards › room(w: w1) › bed(bed: 7, w: w1)"),
            Case("patients › patient(pid: x1) › patient(pid: x2)"),
            Case(
                "wards › sheet chart[chart(page: 10, pid: x1)]",
                "wards",
                "the app shows it presented as sheet over patients"
            ),
            Case(
                "patients › sheet [lost(why: a)] › sheet chart[chart(page: 10, pid: x1)]",
                "patients › sheet [lost(why: a)]"
            ),
            Case("\(chart) › sheet [lost(why: a)]"),
            Case("\(chart.dropLast()) › note(pid: x1)]"),
            Case(
                "\(chart.dropLast()) › note(pid: x2)]",
                chart,
                "the app shows it pushed on patients › patient(pid: x2)"
            ),
            Case("\(chart.dropLast()) › final › note(pid: x1)]", "\(chart.dropLast()) › final]"),
            Case("patients › note(pid: x1)", "patients"),
            // A flow may have replaced its first screen.
            Case(chart.replacing("chart(page: 10, pid: x1)", with: "final")),
            Case("wards › sheet chart[final]", "wards", "nothing below it starts the flow 'chart'"),
            // The same twice.
            Case(
                "wards › sheet [lost(why: a)] › sheet [lost(why: a)]",
                "wards › sheet [lost(why: a)]",
                "it is presented below already"
            ),
            Case("wards › sheet [lost(why: a)] › sheet [lost(why: b)]", "wards › sheet [lost(why: a)]"),
            Case("wards › sheet [lost(why: a)] › popover pager[page(no: 1)] › sheet [lost(why: b)]"),
            Case("wards › fullScreen [alarm(room: 200)] › fullScreen [alarm(room: 200)]"),
            Case(
                "wards › room(w: w1) › bed(bed: 7, w: w1) › room(w: w2)",
                "wards › room(w: w1) › bed(bed: 7, w: w1)",
                "a screen of this name is below it, to which the app goes back"
            ),
            Case("\(chart.dropLast()) › final › chart(page: 10, pid: x1)]"),
            Case("root: name › fullScreen login[name]", "root: name", "the flow 'login' is shown below it already"),
            // Flows that others start, and those that only gates show.
            Case("root: name › sheet token[code(user: x) › scan]"),
            Case("root: name › reset › sheet token[scan]"),
            Case("wards › sheet token[code(user: x)]", "wards", "nothing below it starts the flow 'token'"),
            Case("\(chart) › popover duty[roster]"),
            Case("wards › popover duty[roster]", "wards", "only gates show the flow 'duty', and nothing waits there"),
            Case(
                "wards › sheet consent[form(pid: x1) › sign]",
                "wards",
                "only gates show the flow 'consent', and nothing waits there"
            ),
            Case(
                "wards › fullScreen login[name]",
                "wards",
                "only gates show the flow 'login', and nothing waits there"
            ),
            Case(
                "\(chart) › fullScreen pinpad[pin]",
                chart,
                "only gates show the flow 'pinpad', and nothing waits there"
            ),
        ]
    )
    func byHand(_ one: Case) throws {
        let engine = try RoutingEngine(manifest: RandomWalkTests.app("ward"))
        let restored = WindowRestoration.restore(try Self.window(one.saved, engine), engine: engine)
        #expect(restored.window == (try Self.window(one.restored, engine)), "\(WindowText(restored.window))")
        let reason = restored.dropped.first?.reason.description
        #expect((reason == nil) == (one.saved == one.restored || one.reason == nil && reason == nil))
        if let expected = one.reason { #expect(reason?.hasPrefix(expected) ?? false, "\(reason ?? "nothing")") }
        #expect(Oddities(engine).of(restored.window) == [])
    }

    /// The window in front, with the roots of the other tabs.
    private static func window(_ text: String, _ engine: RoutingEngine) throws -> WindowState {
        let parsed = try WrittenWindow(parsing: text.hasPrefix("root:") ? "*\(text)" : text)
        guard case .window(let written) = parsed else {
            Issue.record("\(text) is no window")
            return WindowState(tabs: [], selectedTab: "")
        }
        let stack = written.tabs[written.selected].stack
        let modals = written.presentations.map {
            ModalState(flow: $0.flow, style: $0.style ?? .sheet, stack: $0.stack)
        }
        if text.hasPrefix("root:") {
            return WindowState(tabs: [TabState(id: "root", stack: stack)], selectedTab: "root", modals: modals)
        }
        let tabs = engine.manifest.tabs.map { tab in
            TabState(id: tab.id, stack: stack.first?.id == tab.root ? stack : [Destination(id: tab.root)])
        }
        return WindowState(tabs: tabs, selectedTab: tabs.first { $0.stack == stack }?.id ?? "", modals: modals)
    }

    // MARK: - At random

    @Test(
        "is the saved one if the app has shown that, without the flows of gates; and of any other what the app could show",
        arguments: ["shop", "club", "login-first", "bank", "windows", "offers", "vault", "ward"]
    )
    func atRandom(app: String) async throws {
        let manifest = try RandomWalkTests.app(app)
        let engine = try RoutingEngine(manifest: manifest)
        var walk = try RandomWalk(seed: 11, manifest: manifest)
        var seen: [WindowState] = []
        var known: Set<WindowState> = []
        try await walk.go(steps: 1_500) { host in
            for window in host.scenes.map(\.window) where known.insert(window).inserted { seen.append(window) }
        }
        #expect(seen.count > 10)
        for window in seen {
            let (restored, dropped) = WindowRestoration.restore(window, engine: engine)
            if let first = dropped.first {
                guard case .nothingWaits = first.reason else {
                    Issue.record("\(WindowText(window)) was shown, but \(first)")
                    continue
                }
                #expect(dropped.dropFirst().allSatisfy { $0.reason == .stoodOnDropped || $0.reason == first.reason })
                #expect(restored.modals == Array(window.modals.prefix(restored.modals.count)))
            }
            #expect(restored.tabs == window.tabs && restored.selectedTab == window.selectedTab)
        }
        var random = SplitMix(seed: 12)
        var mutation = WindowMutation(engine, seen)
        let oddities = Oddities(engine)
        var cut = 0
        for _ in 0..<4_000 {
            let saved = mutation.next(&random)
            let (restored, dropped) = WindowRestoration.restore(saved, engine: engine)
            cut += restored == saved ? 0 : 1
            let odd = oddities.of(restored)
            #expect(odd == [], "\(WindowText(saved)) came back as \(WindowText(restored))")
            let again = WindowRestoration.restore(restored, engine: engine)
            #expect(again.window == restored && again.dropped.isEmpty, "\(WindowText(restored)): \(again)")
            let counts = (saved.destinations.count, restored.destinations.count)
            #expect(counts.0 - dropped.count <= counts.1, "\(WindowText(saved)): something vanished without a word")
        }
        #expect(cut > 1_000, "only \(cut) mutated windows were cut")
    }
}

/// Changes windows that an app has shown into others, most of which it could not show.
private struct WindowMutation {
    private let manifest: AppManifest
    private let windows: [WindowState]
    private let screens: [Destination]

    init(_ engine: RoutingEngine, _ windows: [WindowState]) {
        manifest = engine.manifest
        self.windows = windows
        let shown = windows.flatMap(\.destinations)
        let names = manifest.destinations.map(\.id) + manifest.flows.flatMap { $0.screens.map(\.id) } + ["zzz"]
        screens = names.map { id in shown.first { $0.id == id } ?? Destination(id: id) }
    }

    mutating func next(_ random: inout SplitMix) -> WindowState {
        var window = random.pick(windows)
        for _ in 0...random.below(2) { change(&window, &random) }
        return window
    }

    private func change(_ window: inout WindowState, _ random: inout SplitMix) {
        let tab = random.below(window.tabs.count)
        let modal = window.modals.isEmpty ? nil : random.below(window.modals.count)
        switch random.below(11) {
        case 0: window.tabs[tab].stack.append(random.pick(screens))
        case 1:
            let flow = random.below(2) == 0 ? nil : random.pick(manifest.flows.map(\.name) + ["zzz"])
            let style = random.pick([ModalStyle.sheet, .fullScreen, .popover, .alert])
            let right = manifest.flows.first { $0.name == flow }
            let stack = right.map { [Destination(id: random.pick($0.screens).id)] } ?? [random.pick(screens)]
            window.modals.append(ModalState(flow: flow, style: right?.style ?? style, stack: stack))
        case 2: changed(&window, tab, modal) { $0.append(random.pick($0)) }
        case 3: changed(&window, tab, modal) { $0.swapAt(random.below($0.count), random.below($0.count)) }
        case 4: changed(&window, tab, modal) { $0[random.below($0.count)] = random.pick(screens) }
        case 5:
            changed(&window, tab, modal) { stack in
                let place = random.below(stack.count)
                var parameters = stack[place].parameters
                parameters[random.pick(parameters.keys.sorted() + ["zzz"])] = random.pick([
                    nil, "zzz", "7", "p1", "0004",
                ])
                stack[place] = Destination(id: stack[place].id, parameters: parameters)
            }
        case 6: if let modal { window.modals[modal].style = random.pick([.sheet, .fullScreen, .popover, .alert]) }
        case 7: if let modal { window.modals[modal].flow = random.pick(manifest.flows.map(\.name) + [nil, "zzz"]) }
        case 8: if let modal { window.modals.append(window.modals[modal]) }
        case 9: window.selectedTab = random.pick(window.tabs).id
        default:
            let other = random.pick(windows)
            window.modals = other.modals + window.modals
        }
    }

    private func changed(
        _ window: inout WindowState,
        _ tab: Int,
        _ modal: Int?,
        _ change: (inout [Destination]) -> Void
    ) {
        if let modal { change(&window.modals[modal].stack) } else { change(&window.tabs[tab].stack) }
    }
}

/// What an app, without code in Swift, could not be showing: by where a request leads to, and by what its flows may do.
///
/// It is asked of each screen by itself, and not of the window as it grows, as the restoration does.
struct Oddities {
    private let engine: RoutingEngine
    private let manifest: AppManifest
    /// The flows of gates that a window on screen may have; none in one that is restored.
    private let gateFlows: Set<String>
    /// Whether the window is on screen and keeps its parameters as they are, though a new one may have got a default.
    private let isOnScreen: Bool

    init(_ engine: RoutingEngine, isOnScreen: Bool = false) {
        self.engine = engine
        self.isOnScreen = isOnScreen
        manifest = engine.manifest
        let flows =
            manifest.preconditions.map(\.flow) + manifest.roots.map(\.flow) + [manifest.lock?.flow].compactMap(\.self)
        gateFlows = isOnScreen ? Set(flows) : []
    }

    func of(_ window: WindowState) -> [String] {
        let root = window.rootFlow(engine)
        let tree = CoordinatorTree(
            declaredFlow: { [engine] in engine.traits.flow(of: $0.id) },
            rootFlow: { [engine] in $0.rootFlow(engine) }
        )
        var owners = tree.owner(ofEachIn: window)[...]
        var odd: [String] = []
        func expect(_ isRight: Bool, _ what: String) { if !isRight { odd.append(what) } }
        let tabs = window.tabs.map(\.id)
        expect(root == nil ? tabs == manifest.tabs.map(\.id) : tabs == ["root"], "the tabs \(tabs)")
        var front = ""
        for tab in window.tabs {
            let own = owners.prefix(tab.stack.count)
            owners = owners.dropFirst(tab.stack.count)
            if tab.id == window.selectedTab { front = own.last ?? "" }
            for (place, screen) in tab.stack.enumerated() {
                expect(isAllowed(screen, own.prefix(place + 1)), "\(screen) by its parameters")
                if place == 0 && root == nil || isOfFlow(screen, own.prefix(place))
                    || root.map({ isOf($0, screen) }) ?? false
                {
                    continue
                }
                expect(places(of: screen).contains { $0.tab == tab.id && $0.isPushed }, "\(screen) in \(tab.id)")
            }
        }
        var flows = Set(tree.owner(ofEachIn: window).prefix(window.tabs.reduce(0) { $0 + $1.stack.count }))
        for (index, modal) in window.modals.enumerated() {
            let own = owners.prefix(modal.stack.count)
            owners = owners.dropFirst(modal.stack.count)
            for (place, screen) in modal.stack.enumerated() {
                expect(isAllowed(screen, own.prefix(place + 1)), "\(screen) by its parameters")
                if place > 0, isOfFlow(screen, own.prefix(place)) { continue }
                let declaration = engine.destination(screen.id)
                if place == 0, declaration?.isOverCurrent ?? false, declaration?.flow == modal.flow,
                    declaration?.presentation == .modal(modal.style)
                {
                    continue
                }
                if places(of: screen).contains(where: {
                    $0.tab == window.selectedTab && $0.modals.count == index + 1 && $0.modals[index].flow == modal.flow
                        && $0.modals[index].style == modal.style && $0.modals[index].stack.count == place + 1
                }) {
                    continue
                }
                // A flow that another starts, or that has replaced what it was presented with.
                guard place == 0, isOf(modal.flow ?? front, screen) else {
                    odd.append("\(screen) in presentation \(index)")
                    continue
                }
                let styles = manifest.destinations.filter { $0.flow == modal.flow }.map(\.presentation)
                if styles.contains(.modal(modal.style)) { continue }
                let isStarted = engine.flow(front)?.effects.contains {
                    if case .start(modal.flow, _, _) = $0.unconditional { true } else { false }
                }
                let mayWait = modal.flow.map(gateFlows.contains) ?? false
                expect(isStarted ?? false || mayWait, "\(modal.flow ?? "no flow") over \(front)")
                expect(engine.flow(modal.flow ?? "")?.style == modal.style, "\(modal.style) of \(modal.flow ?? "")")
                // A gate shows its flow although the flow has screens in a tab.
                let isPresented = window.modals[..<index].contains { $0.flow == modal.flow }
                let isTwice =
                    mayWait && window.tabs.first?.id != "root" ? isPresented : flows.contains(modal.flow ?? "")
                expect(!isTwice, "\(modal.flow ?? "") twice")
            }
            flows.formUnion(own)
            front = own.last ?? front
        }
        var below = 0
        let all = tree.owner(ofEachIn: window)
        for stack in window.tabs.map(\.stack) + window.modals.map(\.stack) {
            for (place, screen) in stack.enumerated() where !engine.traits.repeats(screen.id) {
                guard engine.destination(screen.id) != nil, stack[..<place].contains(where: { $0.id == screen.id })
                else {
                    continue
                }
                expect(isOfFlow(screen, all[below..<below + place]), "\(screen) twice, to which the app would go back")
            }
            below += stack.count
            for (below, above) in zip(stack, stack.dropFirst()) where below.id == above.id {
                expect(engine.traits.repeats(above.id), "\(above) on itself")
            }
        }
        return odd
    }

    /// Where links show a screen: one to itself, or to what has it in its ancestry. The tab, whether the screen is pushed in it, and the
    /// presentations up to it, with the stack up to it.
    private func places(of screen: Destination) -> [(tab: String, isPushed: Bool, modals: [ModalState])] {
        manifest.destinations.compactMap { target in
            let path = (target.ancestry + [target.id]).compactMap(engine.destination)
            guard let end = path.firstIndex(where: { $0.id == screen.id }), case .tab(let tab) = path[0].presentation
            else { return nil }
            var modals: [ModalState] = []
            for step in path[...end] {
                if case .modal(let style) = step.presentation {
                    modals.append(ModalState(flow: step.flow, style: style, stack: [Destination(id: step.id)]))
                } else if !modals.isEmpty {
                    modals[modals.count - 1].stack.append(Destination(id: step.id))
                }
            }
            return (tab, end > 0 && modals.isEmpty, modals)
        }
    }

    private func isOf(_ flow: String, _ screen: Destination) -> Bool {
        engine.flow(flow)?.screens.contains { $0.id == screen.id } ?? false
    }

    private func isOfFlow(_ screen: Destination, _ owners: ArraySlice<String>) -> Bool {
        owners.contains { isOf($0, screen) }
    }

    /// Whether the screen has these parameters, in canonical form.
    private func isAllowed(_ screen: Destination, _ owners: ArraySlice<String>) -> Bool {
        if engine.destination(screen.id) != nil {
            guard let right = try? engine.request(for: screen, source: .external).destination else { return false }
            return isOnScreen || right == screen
        }
        return owners.contains { owner in
            guard let own = engine.flow(owner)?.screens.first(where: { $0.id == screen.id }) else { return false }
            if own.parameters.isEmpty { return screen.parameters.isEmpty }
            let right = try? engine.screen(screen.id, of: owner, screen.parameters, context: RoutingContext())
            return isOnScreen ? right != nil : right == screen
        }
    }
}
