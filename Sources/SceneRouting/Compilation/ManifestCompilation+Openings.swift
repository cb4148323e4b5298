/// Finds gates, and roots, whose flow does something else than what they need. A flow without intents is the app's own code, which may
/// do anything.
extension ManifestCompilation {
    /// - Parameter possible: The effects that are possible in each flow.
    mutating func findGatesThatStayClosed(_ possible: [String: [IntentEffect]]) {
        var table = ChangeTable(manifest, possible)
        for precondition in manifest.preconditions {
            let completes = (possible[precondition.flow] ?? []).contains {
                if case .complete = $0 { true } else { false }
            }
            report(
                precondition,
                .precondition(precondition.name),
                &table,
                at: "preconditions.\(precondition.name).flow",
                completes
                    ? "so what waits for it ends rejected as gateUnsatisfied once the flow completes"
                    : "so what waits for it waits until it is given up"
            )
        }
        for (index, gate) in manifest.rootPreconditions.enumerated() {
            report(gate, .root, &table, at: "roots[\(index)].flow", "so '\(gate.flow)' stays the root")
        }
    }

    private mutating func report(
        _ gate: PreconditionDeclaration,
        _ kind: ChangeTable.Gate,
        _ table: inout ChangeTable,
        at key: String,
        _ consequence: String
    ) {
        guard !reading.isNever(gate.holds), !reading.isAlways(gate.holds),
            let changes = table.changes(by: gate.flow, at: kind), !changes.isEmpty,
            !gate.holds.mayBecome(true, by: changes, table.facts)
        else { return }
        let looksAt = gate.holds.looksAt
        warning(
            key,
            "nothing that '\(gate.flow)' does\(table.leadsElsewhere(gate.flow) ? ", or that it leads to," : "") makes '\(gate.name)' hold, \(consequence)",
            expected: looksAt.isEmpty
                ? "what a flow can bring about"
                : "an effect of '\(gate.flow)' by which it may hold, on \(looksAt.joined(separator: " or ")), unless the "
                    + "app's own code does so"
        )
    }
}

/// What may become of the session.
private struct SessionChanges {
    /// What may become of a fact.
    enum FactChange: Hashable {
        /// It may get any value.
        case anything
        case to(FactValue)
        case toDefault
        /// The list may get this element, or `nil` for any.
        case gains(String?)
        case losesSome
    }

    private(set) var signsIn = false
    private(set) var signsOut = false
    private(set) var goesStale = false
    private(set) var facts: [String: Set<FactChange>] = [:]
    /// Whether nothing completes a flow or changes the session, which is said of the flow itself.
    private(set) var isEmpty = true

    /// Adds what an effect does, without its conditions.
    mutating func add(_ effect: IntentEffect) {
        switch effect {
        case .complete(let user, _):
            if user != nil { signsIn = true }
        case .set(let fact, .literal(let value)): add(.to(value), to: fact)
        case .append(let fact, .literal(.string(let text))): add(.gains(text), to: fact)
        case .append(let fact, _): add(.gains(nil), to: fact)
        case .remove(let fact, _): add(.losesSome, to: fact)
        case .set(let fact, _), .add(let fact, _): add(.anything, to: fact)
        case .reset(let fact): add(.toDefault, to: fact)
        case .signOut: signsOut = true
        case .markStale: goesStale = true
        case .cancel, .closeWindow, .closeWindows, .refreshWindow, .refreshWindows, .route, .openWindow, .push,
            .replace, .pop, .popTo, .popToRoot, .start, .answer,
            .when:
            return
        }
        isEmpty = false
    }

    mutating func noteSignIn() { signsIn = true }

    private mutating func add(_ change: FactChange, to fact: String) { facts[fact, default: []].insert(change) }
}

/// What the flows of a manifest may do to the session.
private struct ChangeTable {
    /// A gate that is to open.
    enum Gate {
        case precondition(String)
        /// Every destination that has a place in the app needs it.
        case root
    }

    /// What a flow may do by itself, the flows that it starts, and the destinations that it leads to.
    private struct Own {
        var changes = SessionChanges()
        var started: Set<String> = []
        var destinations: Set<String> = []
    }

    /// The facts by name.
    let facts: [String: FactDeclaration]
    private let flows: [String: FlowDeclaration]
    private let destinations: [String: DestinationDeclaration]
    /// The flows of the preconditions by their names.
    private let gates: [String: String]
    private let tabs: [String]
    private let roots: [String]
    private let possible: [String: [IntentEffect]]
    /// The effects of the app's intents by the screens that may report them.
    private var reported: [String: [IntentEffect]] = [:]
    /// What any screen may report.
    private var anywhere = Own()
    private var known: [String: Own?] = [:]
    /// How many effects and places may still be looked at: more than anybody writes.
    private var budget = 100_000

    init(_ manifest: AppManifest, _ possible: [String: [IntentEffect]]) {
        facts = Dictionary(manifest.facts.map { ($0.name, $0) }) { first, _ in first }
        flows = Dictionary(manifest.flows.map { ($0.name, $0) }) { first, _ in first }
        destinations = Dictionary(manifest.destinations.map { ($0.id, $0) }) { first, _ in first }
        gates = Dictionary(manifest.preconditions.map { ($0.name, $0.flow) }) { first, _ in first }
        tabs = manifest.tabs.map(\.root)
        roots = manifest.roots.map(\.flow)
        self.possible = possible
        for intent in manifest.intents {
            if intent.screens.isEmpty { for effect in intent.effects { Self.add(effect.unconditional, to: &anywhere) } }
            for screen in intent.screens { reported[screen, default: []] += intent.effects }
        }
    }

    private static func add(_ effect: IntentEffect, to own: inout Own) {
        switch effect {
        case .route(let destination, _), .openWindow(let destination, _, _): own.destinations.insert(destination)
        case .start(let child, _, _): own.started.insert(child)
        default: own.changes.add(effect)
        }
    }

    /// Whether a flow leads to destinations, as far as the manifest says.
    mutating func leadsElsewhere(_ flow: String) -> Bool {
        guard let all = flowsStarted(by: flow) else { return false }
        return !anywhere.destinations.isEmpty || all.contains { !$0.destinations.isEmpty }
    }

    /// Whether a destination cannot be shown while a gate is closed.
    private func isClosed(_ destination: DestinationDeclaration, by gate: Gate) -> Bool {
        switch gate {
        case .root: !destination.isOverCurrent
        case .precondition(let name):
            destination.preconditions.contains(name)
                || destination.ancestry.contains { destinations[$0]?.preconditions.contains(name) ?? false }
        }
    }

    /// What a flow and those that it starts may do, and what may be done where they lead, as far as the manifest says; `nil` if other
    /// things may be done, too. Nothing if the flows themselves do nothing.
    mutating func changes(by flow: String, at gate: Gate) -> [SessionChanges]? {
        guard let all = flowsStarted(by: flow) else { return nil }
        guard all.contains(where: { !$0.changes.isEmpty }) else { return [] }
        // A screen of it may report what any can.
        let destinations = all.flatMap(\.destinations) + anywhere.destinations
        let elsewhere: [SessionChanges]
        if destinations.isEmpty {
            elsewhere = []
        } else if let found = changes(from: destinations, at: gate) {
            elsewhere = found
        } else {
            return nil
        }
        return all.map(\.changes) + [anywhere.changes] + elsewhere
    }

    /// What a flow and those that it starts may do; `nil` if one of them is the app's own code.
    private mutating func flowsStarted(by flow: String) -> [Own]? {
        var (seen, pending): (Set, Array) = ([flow], [flow])
        var all: [Own] = []
        while let name = pending.popLast() {
            guard let own = own(of: name) else { return nil }
            all.append(own)
            for child in own.started.sorted() where seen.insert(child).inserted { pending.append(child) }
            if seen.count > ManifestCompilation.maximumParts { return nil }
        }
        return all
    }

    /// What may be done by whoever has come to one of these destinations while a gate is closed, and goes on from there. From one with a place in the app that is
    /// to every tab, and to whatever else their screens lead to.
    private mutating func changes(from starting: [String], at gate: Gate) -> [SessionChanges]? {
        var changes: [SessionChanges] = []
        var seenFlows: Set<String> = []
        var seen = Set(starting + anywhere.destinations)
        var pending = Array(seen)
        var pendingFlows: [String] = []
        var isInTabs = false
        func show(_ more: some Sequence<String>) {
            for id in more where seen.insert(id).inserted { pending.append(id) }
        }
        func start(_ more: some Sequence<String>) {
            for flow in more where !flow.isEmpty && seenFlows.insert(flow).inserted { pendingFlows.append(flow) }
        }
        while !pending.isEmpty || !pendingFlows.isEmpty {
            budget -= 1
            guard budget > 0 else { return nil }
            if let flow = pendingFlows.popLast() {
                guard let own = own(of: flow) else { return nil }
                changes.append(own.changes)
                start(own.started)
                show(own.destinations)
            } else if let id = pending.popLast() {
                if let destination = destinations[id] {
                    start(destination.preconditions.compactMap { gates[$0] })
                    // What another gate shows first may be shown for it, and no more.
                    if isClosed(destination, by: gate) {
                        start(
                            destination.ancestry.flatMap { destinations[$0]?.preconditions ?? [] }.compactMap {
                                gates[$0]
                            }
                        )
                        continue
                    }
                    start([destination.flow].compactMap(\.self))
                    show(destination.ancestry + destination.variants.map(\.destination))
                }
                var own = Own()
                for effect in reported[id] ?? [] { Self.add(effect.unconditional, to: &own) }
                budget -= reported[id]?.count ?? 0
                changes.append(own.changes)
                show(own.destinations)
                guard let destination = destinations[id] else { continue }
                guard !destination.isOverCurrent, !isInTabs else { continue }
                isInTabs = true
                show(tabs)
                start(roots)
            }
        }
        return changes
    }

    private mutating func own(of name: String) -> Own? {
        if let known = known[name] { return known }
        let found = findOwn(of: name)
        known[name] = .some(found)
        return found
    }

    private mutating func findOwn(of name: String) -> Own? {
        guard let flow = flows[name], !flow.intents.isEmpty else { return nil }
        var own = Own()
        var completes = false
        for effect in (possible[name] ?? []) + flow.completion.map(\.unconditional) {
            if case .complete = effect { completes = true }
            Self.add(effect, to: &own)
            budget -= 1
        }
        // That a completion does not say who has signed in is said of the flow itself.
        if flow.completionNeedsUser, completes { own.changes.noteSignIn() }
        for screen in flow.screens {
            for effect in reported[screen.id] ?? [] {
                Self.add(effect.unconditional, to: &own)
                budget -= 1
            }
            guard budget > 0 else { return nil }
        }
        return budget > 0 ? own : nil
    }
}

extension FactPredicate {
    /// Whether it may come to hold, or not to hold, by one of these changes or because time passes. Where it depends on what comes from
    /// outside, it may.
    fileprivate func mayBecome(
        _ wanted: Bool,
        by changes: [SessionChanges],
        _ facts: [String: FactDeclaration]
    ) -> Bool {
        switch self {
        case .always, .appVersion: false
        case .period: true
        case .signedIn: changes.contains { wanted ? $0.signsIn : $0.signsOut }
        case .freshSignIn: changes.contains { wanted ? $0.signsIn : $0.signsOut || $0.goesStale }
        case .all(let parts), .any(let parts): parts.contains { $0.mayBecome(wanted, by: changes, facts) }
        case .not(let inner): inner.mayBecome(!wanted, by: changes, facts)
        case .present(let fact), .compare(let fact, _, _), .contains(let fact, _), .oneOf(let fact, _):
            changes.contains { changes in
                // Who signs in or out begins with the defaults of the user's facts.
                let isReset = (changes.signsIn || changes.signsOut) && facts[fact]?.scope == .user
                let defaultValue = facts[fact]?.defaultValue
                return isReset && mayBe(wanted, of: defaultValue)
                    || changes.facts[fact, default: []].contains { mayBecome(wanted, by: $0, defaultValue) }
            }
        }
    }

    private func mayBecome(_ wanted: Bool, by change: SessionChanges.FactChange, _ defaultValue: FactValue?) -> Bool {
        switch (change, self) {
        case (.anything, _): true
        case (.to(let value), _): mayBe(wanted, of: value)
        case (.toDefault, _): mayBe(wanted, of: defaultValue)
        case (.gains(let text?), .contains(_, .value(let element))): wanted && element == .string(text)
        case (.gains, .contains), (.gains, .present): wanted
        case (.losesSome, .contains), (.losesSome, .present): !wanted
        case (.gains, _), (.losesSome, _): true
        }
    }

    private func mayBe(_ wanted: Bool, of value: FactValue?) -> Bool { holds(of: value).map { $0 == wanted } ?? true }

    /// What it looks at that a flow can change, for a message: at most four facts, and the sign-in.
    fileprivate var looksAt: [String] {
        var names = Set<String>().union(facts).sorted().prefix(4).map { "'\($0)'" }
        if usesUser([]) { names.append("who is signed in") }
        return names
    }
}
