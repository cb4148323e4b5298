/// Finds gates, and roots, whose flow does something else than what they need. A flow without intents is the app's own code, which may
/// do anything.
extension ManifestCompilation {
    /// - Parameter possible: The effects that are possible in each flow.
    mutating func findGatesThatStayClosed(_ possible: [String: [IntentEffect]]) {
        var table = ChangeTable(manifest, possible)
        for precondition in manifest.preconditions {
            report(
                precondition,
                &table,
                at: "preconditions.\(precondition.name).flow",
                "so what waits for it ends rejected as gateUnsatisfied once the flow completes"
            )
        }
        for (index, gate) in manifest.rootPreconditions.enumerated() {
            report(gate, &table, at: "roots[\(index)].flow", "so '\(gate.flow)' stays the root")
        }
    }

    private mutating func report(
        _ gate: PreconditionDeclaration,
        _ table: inout ChangeTable,
        at key: String,
        _ consequence: String
    ) {
        guard !gate.holds.isNever, let changes = table.changes(by: gate.flow), !changes.isEmpty,
            !gate.holds.mayBecome(true, by: changes, table.facts)
        else { return }
        let looksAt = gate.holds.looksAt
        warning(
            key,
            "nothing that '\(gate.flow)' does makes '\(gate.name)' hold, \(consequence)",
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
    /// The facts by name.
    let facts: [String: FactDeclaration]
    private let flows: [String: FlowDeclaration]
    private let possible: [String: [IntentEffect]]
    /// The effects of the app's intents by the screens that may report them.
    private var reported: [String: [IntentEffect]] = [:]
    /// What any screen may report.
    private var anywhere = SessionChanges()
    private var known: [String: (changes: SessionChanges, started: [String])?] = [:]
    /// How many effects may still be looked at: more than anybody writes.
    private var budget = 100_000

    init(_ manifest: AppManifest, _ possible: [String: [IntentEffect]]) {
        facts = Dictionary(manifest.facts.map { ($0.name, $0) }) { first, _ in first }
        flows = Dictionary(manifest.flows.map { ($0.name, $0) }) { first, _ in first }
        self.possible = possible
        for intent in manifest.intents {
            if intent.screens.isEmpty { for effect in intent.effects { anywhere.add(effect.unconditional) } }
            for screen in intent.screens { reported[screen, default: []] += intent.effects }
        }
    }

    /// What a flow and those that it starts may do, as far as the manifest says; `nil` if other things may be done, too.
    mutating func changes(by flow: String) -> [SessionChanges]? {
        var (seen, pending): (Set, Array) = ([flow], [flow])
        var all: [SessionChanges] = []
        while let name = pending.popLast() {
            guard let own = ownChanges(of: name) else { return nil }
            all.append(own.changes)
            for child in own.started where seen.insert(child).inserted { pending.append(child) }
            if seen.count > ManifestCompilation.maximumParts { return nil }
        }
        guard all.contains(where: { !$0.isEmpty }) else { return [] }
        return all + [anywhere]
    }

    private mutating func ownChanges(of name: String) -> (changes: SessionChanges, started: [String])? {
        if let known = known[name] { return known }
        let found = findChanges(of: name)
        known[name] = .some(found)
        return found
    }

    private mutating func findChanges(of name: String) -> (changes: SessionChanges, started: [String])? {
        guard let flow = flows[name], !flow.intents.isEmpty else { return nil }
        var changes = SessionChanges()
        var started: Set<String> = []
        for effect in (possible[name] ?? []) + flow.completion.map(\.unconditional) {
            switch effect {
            // What is done there is not the flow's.
            case .route, .openWindow: return nil
            case .start(let child, _, _): started.insert(child)
            default: changes.add(effect)
            }
            budget -= 1
        }
        if flow.completionNeedsUser { changes.noteSignIn() }
        for screen in flow.screens {
            for effect in reported[screen.id] ?? [] {
                changes.add(effect.unconditional)
                budget -= 1
            }
            guard budget > 0 else { return nil }
        }
        return budget > 0 ? (changes, started.sorted()) : nil
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
