/// Finds gates and roots that stay closed: nothing that their flow does or leads to opens them, and no event, value from outside or
/// passing of time does. A flow without intents is the app's own code, which may do anything.
extension ManifestCompilation {
    /// - Parameter possible: The effects that are possible in each flow.
    mutating func findGatesThatStayClosed(_ possible: [String: [IntentEffect]]) {
        var table = ChangeTable(manifest, possible)
        var whileClosed = EffectsWhileClosed(manifest, entrances, reading)
        let waiting = checksOfWhatWaits
        for precondition in manifest.preconditions {
            report(
                precondition,
                .precondition(precondition.name),
                &table,
                &whileClosed,
                waiting[precondition.name] ?? [:],
                at: "preconditions.\(precondition.name).flow"
            )
        }
        for (index, gate) in manifest.rootPreconditions.enumerated() {
            report(gate, .root, &table, &whileClosed, [:], at: "roots[\(index)].flow")
        }
    }

    private mutating func report(
        _ gate: PreconditionDeclaration,
        _ kind: ChangeTable.Gate,
        _ table: inout ChangeTable,
        _ whileClosed: inout EffectsWhileClosed,
        _ checks: [String: [ParameterCheck]],
        at key: String
    ) {
        guard !reading.isNever(gate.holds), !reading.isAlways(gate.holds),
            let changes = table.changes(by: gate.flow, at: kind)
        else { return }
        let known = table.knowledge(checks)
        guard gate.holds.mayBecome(true, by: changes, known) else {
            return warning(
                key,
                "nothing that '\(gate.flow)' does\(table.leadsElsewhere(gate.flow) ? ", or that it leads to," : "") \(kind.opening(gate)), "
                    + kind.consequence(of: gate, table.possible(in: gate.flow)),
                expected:
                    "an effect of '\(gate.flow)' by which it may hold, on \(gate.holds.looksAt.joined(separator: " or ")), unless "
                    + "the app's own code does so"
            )
        }
        // Until something opens it, nothing is done whose condition needs it to be open.
        guard let effects = whileClosed.effects(of: gate),
            let fewer = table.changes(by: gate.flow, doing: effects, at: kind),
            !gate.holds.mayBecome(true, by: fewer, known)
        else { return }
        let consequence = kind.consequence(of: gate, effects)
        switch kind {
        case .root:
            warning(
                key,
                "what '\(gate.flow)' does could end it as the root only by a 'when' that never holds while it is the root, \(consequence)",
                expected: "a 'when' that may hold together with that of the root"
            )
        case .precondition:
            warning(
                key,
                "what '\(gate.flow)' does could make '\(gate.name)' hold only by a 'when' that never holds before, \(consequence)",
                expected: "a 'when' that may hold while '\(gate.name)' does not"
            )
        }
    }
}

extension ManifestCompilation {
    /// What the parameters at which preconditions look may be, by the names of both; nothing of a precondition for which too much may wait.
    private var checksOfWhatWaits: [String: [String: [ParameterCheck]]] {
        // More destinations with a gate of this kind than anybody writes.
        let most = 1_000
        let lookedAt = parametersOfGates
        let waiting = users { $0.preconditions.filter { lookedAt[$0]?.isEmpty == false } }
        return waiting.filter { $0.value.count <= most }.mapValues { users in
            Dictionary(grouping: users.flatMap { parameters[$0] }, by: \.declaration.name).mapValues { $0.map(\.check) }
        }
    }
}

/// What is possible in flows while the gates are closed for which they are shown.
private struct EffectsWhileClosed {
    /// The flows with conditions at their effects, by name.
    private let conditional: [String: (flow: FlowDeclaration, effects: Int)]
    private let entrances: [String: [String]]
    private let reading: PredicateReading
    /// How many effects may still be judged: more than anybody writes.
    private var budget = 20_000

    init(_ manifest: AppManifest, _ entrances: [String: [String]], _ reading: PredicateReading) {
        var conditional: [String: (flow: FlowDeclaration, effects: Int)] = [:]
        for flow in manifest.flows where conditional[flow.name] == nil {
            let effects = flow.effects
            guard effects.contains(where: { if case .when = $0 { true } else { false } }) else { continue }
            conditional[flow.name] = (flow, effects.count)
        }
        (self.conditional, self.entrances, self.reading) = (conditional, entrances, reading)
    }

    /// The effects, without their conditions, that are possible in the flow of a gate before that is open; `nil` if they are not known to
    /// be fewer. What a gate's parameters are is not what those of an intent are.
    mutating func effects(of gate: PreconditionDeclaration) -> [IntentEffect]? {
        guard let (flow, count) = conditional[gate.flow], !gate.holds.usesParameter else { return nil }
        budget -= count * gate.holds.weight
        guard budget > 0 else { return nil }
        return FlowReach(flow, enteredAt: entrances[flow.name, default: []], reading, while: .not(gate.holds)).effects
    }
}

/// What the flows of a manifest may do to the session.
private struct ChangeTable {
    /// A gate that is to open.
    enum Gate {
        case precondition(String)
        /// Every destination that has a place in the app needs it.
        case root

        /// What something does that opens the gate, as a part of a sentence.
        func opening(_ gate: PreconditionDeclaration) -> String {
            if case .root = self { "ends it as the root" } else { "makes '\(gate.name)' hold" }
        }

        /// What comes of a gate that these effects of its flow do not open, as the end of a sentence.
        func consequence(of gate: PreconditionDeclaration, _ effects: [IntentEffect]) -> String {
            if case .root = self { return "so '\(gate.flow)' stays the root" }
            let completes = effects.contains { if case .complete = $0 { true } else { false } }
            return completes
                ? "so what waits for it ends rejected as gateUnsatisfied once the flow completes"
                : "so what waits for it waits until it is given up"
        }
    }

    /// What a flow may do by itself, the flows that it starts, and the destinations that it leads to.
    private struct Own {
        var changes = SessionChanges()
        var started: Set<String> = []
        var destinations: Set<String> = []
    }

    /// The facts by name.
    private let facts: [String: FactDeclaration]
    /// The facts that some effect of the manifest changes.
    private let changed: Set<String>
    private let flows: [String: FlowDeclaration]
    private let destinations: [String: DestinationDeclaration]
    /// The flows of the preconditions by their names.
    private let gates: [String: String]
    private let tabs: [String]
    private let roots: [RootDeclaration]
    /// The preconditions of what is shown over a root, too.
    private let overRoots: Set<String>
    /// The destinations that an event from outside shows over whatever is there.
    private let overAnything: [String]
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
        roots = manifest.roots
        overRoots = Set(manifest.destinations.lazy.filter(\.isOverCurrent).flatMap(\.preconditions))
        let arrivals =
            manifest.routes.map(\.destination)
            + manifest.adapters.compactMap { if case .destination(let id, _, _) = $0.mapping { id } else { nil } }
        let arriving = Set(arrivals)
        // One with its destination in the event leads to every destination.
        let mayBeAny = arriving.contains { $0.contains("{") }
        overAnything = manifest.destinations.filter { $0.isOverCurrent && (mayBeAny || arriving.contains($0.id)) }.map(
            \.id
        )
        var all = SessionChanges()
        for effect in manifest.intents.flatMap(\.effects) + manifest.flows.flatMap(\.effects) {
            all.add(effect.unconditional)
        }
        changed = Set(all.facts.keys)
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

    /// - Parameter checks: What the parameters of that are which may wait, by name.
    func knowledge(_ checks: [String: [ParameterCheck]]) -> GateKnowledge {
        GateKnowledge(facts: facts, changed: changed, checks: checks)
    }

    /// The effects that are possible in a flow.
    func possible(in flow: String) -> [IntentEffect] { possible[flow] ?? [] }

    /// Whether a flow leads to destinations, as far as the manifest says.
    mutating func leadsElsewhere(_ flow: String) -> Bool {
        guard let all = flowsStarted(by: flow) else { return false }
        return !anywhere.destinations.isEmpty || all.values.contains { !$0.destinations.isEmpty }
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
    /// things may be done, too.
    /// - Parameter effects: Those that are possible in the flow itself; `nil` for all.
    mutating func changes(
        by flow: String,
        doing effects: [IntentEffect]? = nil,
        at gate: Gate
    ) -> [SessionChanges]? {
        guard let all = flowsStarted(by: flow, doing: effects) else { return nil }
        return changes(from: all, at: gate)
    }

    /// What a flow and those that it starts may do, by their names; `nil` if one of them is the app's own code.
    private mutating func flowsStarted(by flow: String, doing effects: [IntentEffect]? = nil) -> [String: Own]? {
        var pending = [flow]
        var all: [String: Own] = [:]
        while let name = pending.popLast() {
            guard all[name] == nil else { continue }
            let found = if name == flow, let effects { findOwn(of: name, effects) } else { own(of: name) }
            guard let found else { return nil }
            all[name] = found
            pending += found.started.sorted()
            if all.count > ManifestCompilation.maximumParts { return nil }
        }
        return all
    }

    /// What may be done in these flows while a gate is closed, and by whoever has come to one of the destinations to which they lead and goes on
    /// from there, or to what an event shows over them. From one with a place in the app that is to every tab, and to whatever else their
    /// screens lead to; from anywhere to a root once it may be shown.
    private mutating func changes(from flows: [String: Own], at gate: Gate) -> [SessionChanges]? {
        // A root looks at no parameter.
        let known = knowledge([:])
        var changes = flows.values.map(\.changes) + [anywhere.changes]
        var seenFlows = Set(flows.keys)
        // A screen of them may report what any can.
        var seen = flows.values.reduce(into: anywhere.destinations.union(overAnything)) {
            $0.formUnion($1.destinations)
        }
        var pending = Array(seen)
        var pendingFlows: [String] = []
        var isInTabs = false
        // Another root comes when something makes it so.
        var hiddenRoots = roots
        var judged = 0
        func show(_ more: some Sequence<String>) {
            for id in more where seen.insert(id).inserted { pending.append(id) }
        }
        func start(_ more: some Sequence<String>) {
            for flow in more where !flow.isEmpty && seenFlows.insert(flow).inserted { pendingFlows.append(flow) }
        }
        while true {
            if pending.isEmpty, pendingFlows.isEmpty {
                let new = Array(changes[judged...])
                judged = changes.count
                budget -= new.count * hiddenRoots.count
                start(hiddenRoots.filter { $0.when.mayBecome(true, by: new, known) }.map(\.flow))
                hiddenRoots.removeAll { seenFlows.contains($0.flow) }
            }
            if pending.isEmpty, pendingFlows.isEmpty { return changes }
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
                // A gate of what is over a root may be closed while that is shown.
                if case .precondition(let name) = gate, overRoots.contains(name) { start(roots.map(\.flow)) }
            }
        }
    }

    private mutating func own(of name: String) -> Own? {
        if let known = known[name] { return known }
        let found = findOwn(of: name, possible(in: name))
        known[name] = .some(found)
        return found
    }

    /// - Parameter possible: The effects that are possible in the flow.
    private mutating func findOwn(of name: String, _ possible: [IntentEffect]) -> Own? {
        guard let flow = flows[name], !flow.intents.isEmpty else { return nil }
        var own = Own()
        var completes = false
        for effect in possible + flow.completion.map(\.unconditional) {
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
