internal import Basics

/// Finds what can never come about because of what else is declared: predicates that contradict themselves, what another always comes
/// before, and flows that nothing shows.
extension ManifestCompilation {
    mutating func findWhatNeverComes() {
        for (key, predicate) in predicates { findContradiction(in: predicate, at: key) }
        findRootsAndStartsThatNeverCome()
        findAdaptersBehindOthers()
        findFlowsThatNothingShows()
    }

    // MARK: - Predicates

    /// All predicates of the manifest, each with its key.
    var predicates: [(key: String, predicate: FactPredicate)] {
        var all = manifest.preconditions.map { ("preconditions.\($0.name).holds", $0.holds) }
        all += manifest.conditions.map { ("conditions.\($0.name).holds", $0.holds) }
        all += manifest.roots.enumerated().map { ("roots[\($0)].when", $1.when) }
        if let lock = manifest.lock { all.append(("lock.when", lock.when)) }
        for destination in manifest.destinations {
            all += destination.variants.enumerated().map {
                ("destinations.\(destination.id).variants[\($0)].when", $1.when)
            }
        }
        func add(_ effects: [IntentEffect], at key: String) {
            for (index, effect) in effects.enumerated() {
                var effect = effect
                while case .when(let condition, let inner) = effect {
                    all.append(("\(key)[\(index)].when", condition))
                    effect = inner
                }
            }
        }
        for intent in manifest.intents { add(intent.effects, at: "intents.\(intent.name).effects") }
        for flow in manifest.flows {
            let key = "flows.\(flow.name)"
            all += flow.start.enumerated().map { ("\(key).start[\($0)].when", $1.when) }
            for intent in flow.intents { add(intent.effects, at: "\(key).intents.\(intent.name).effects") }
            add(flow.completion, at: "\(key).completion")
            for sequel in flow.after {
                add(sequel.completed, at: "\(key).after.\(sequel.flow).completed")
                add(sequel.cancelled, at: "\(key).after.\(sequel.flow).cancelled")
            }
        }
        return all
    }

    /// Reports the innermost parts of a predicate that never hold. One that says so itself is meant.
    /// - Returns: Whether there is such a part.
    @discardableResult
    private mutating func findContradiction(in predicate: FactPredicate, at key: String) -> Bool {
        var isFound = false
        switch predicate {
        case .all(let parts):
            for (index, part) in parts.enumerated() {
                isFound = findContradiction(in: part, at: "\(key).all[\(index)]") || isFound
            }
        case .any(let parts):
            for (index, part) in parts.enumerated() {
                isFound = findContradiction(in: part, at: "\(key).any[\(index)]") || isFound
            }
        case .not(let inner): isFound = findContradiction(in: inner, at: "\(key).not")
        case .always, .signedIn, .freshSignIn, .present, .compare, .contains, .oneOf, .appVersion, .period: break
        }
        guard !isFound, !predicate.saysNever, predicate.isNever else { return isFound }
        if case .all(let parts) = predicate, let (first, second) = Self.contradiction(among: parts) {
            warning(
                "\(key).all[\(second)]",
                "this never holds together with all[\(first)]",
                expected: "'any', or what can hold at the same time"
            )
        } else {
            warning(key, "this never holds, because its parts contradict each other", expected: "what can hold")
        }
        return true
    }

    /// The places of the first two parts that cannot hold together.
    private static func contradiction(among parts: [FactPredicate]) -> (Int, Int)? {
        for (second, part) in parts.prefix(maximumParts).enumerated() {
            if let first = parts[..<second].firstIndex(where: { FactPredicate.all([$0, part]).isNever }) {
                return (first, second)
            }
        }
        return nil
    }

    // MARK: - The first that holds

    /// Finds roots, and screens with which flows start, before which another is chosen whenever they could be.
    private mutating func findRootsAndStartsThatNeverCome() {
        report(manifest.roots.map(\.when), at: "roots") { [manifest] in "'\(manifest.roots[$0].flow)' is never shown" }
        for flow in manifest.flows {
            report(flow.start.map(\.when), at: "flows.\(flow.name).start") {
                "'\(flow.name)' never starts with '\(flow.start[$0].screen)' by it"
            }
        }
    }

    private mutating func report(
        _ predicates: [FactPredicate],
        at key: String,
        _ consequence: (Int) -> String
    ) {
        for (index, predicate) in predicates.prefix(Self.maximumParts).enumerated() {
            guard let hiding = predicate.hidden(by: predicates[..<index]) else { continue }
            let earlier = if case .one(let place) = hiding { "[\(place)]" } else { "one" }
            warning(
                "\(key)[\(index)].when",
                "\(earlier) before it holds whenever this does, so \(consequence(index))",
                expected: "a condition that may hold while no other before it does, or this one before the others"
            )
        }
    }

    // MARK: - Adapters

    /// Finds adapters that are never asked because others, which are asked before, take every event that they could.
    private mutating func findAdaptersBehindOthers() {
        let order = manifest.adapters.indices.sorted {
            (manifest.adapters[$1].priority, $0) < (manifest.adapters[$0].priority, $1)
        }
        // A narrow one can only be behind one that takes as much or more, of which a list has few.
        var total: [Int] = []
        for index in order {
            let adapter = manifest.adapters[index]
            let before = total.filter { manifest.adapters[$0].takesWhatMeets(adapter.conditions) }
            let taken = Set(before.flatMap { manifest.adapters[$0].kinds })
            if !before.isEmpty, taken.isSuperset(of: adapter.kinds) {
                let names = before.filter { !Set(manifest.adapters[$0].kinds).isDisjoint(with: adapter.kinds) }
                    .map { "'\(manifest.adapters[$0].name)'" }
                warning(
                    "adapters[\(index)]",
                    "'\(adapter.name)' is never asked: \(names.joined(separator: " and ")) before it "
                        + "\(names.count == 1 ? "takes" : "take") every event that it could",
                    expected: "a higher priority, or conditions that the other has and this one does not"
                )
            } else if total.count < Self.maximumParts, adapter.takesAllThatMeetsItsConditions {
                total.append(index)
            }
        }
    }

    // MARK: - Flows

    /// Finds flows that nothing shows. A flow without intents is the app's own code, which can start any.
    private mutating func findFlowsThatNothingShows() {
        if manifest.flows.contains(where: \.intents.isEmpty) { return }
        var shown = Set(manifest.preconditions.map(\.flow) + manifest.roots.map(\.flow))
        shown.formUnion(manifest.destinations.compactMap(\.flow))
        if let lock = manifest.lock { shown.insert(lock.flow) }
        let flows = Dictionary(manifest.flows.map { ($0.name, $0) }) { first, _ in first }
        var pending = Array(shown)
        while let name = pending.popLast() {
            for effect in flows[name]?.effects ?? [] {
                guard case .start(let child, _, _) = effect.unconditional, shown.insert(child).inserted else {
                    continue
                }
                pending.append(child)
            }
        }
        for flow in manifest.flows where !shown.contains(flow.name) {
            warning(
                "flows.\(flow.name)",
                "nothing shows '\(flow.name)'",
                expected:
                    "'flow: \(flow.name)' in a precondition, a root or a destination, or 'start: \(flow.name)' in an "
                    + "effect of a flow that is shown"
            )
        }
    }
}

/// What comes before a condition and holds whenever it does.
enum Hiding {
    /// The one at this place, by itself.
    case one(Int)
    /// No one by itself: now this, now that.
    case several
}

extension FactPredicate {
    /// What of these holds whenever this does; `nil` if nothing, and for what never holds anyway.
    func hidden(by earlier: ArraySlice<FactPredicate>) -> Hiding? {
        guard !earlier.isEmpty, !saysNever, implies(oneOf: earlier), !isNever else { return nil }
        return earlier.firstIndex { implies(oneOf: CollectionOfOne($0)) }.map(Hiding.one) ?? .several
    }
}

extension AdapterDeclaration {
    /// Whether it takes every event of its kinds that meets its conditions: nothing else that it looks at can be absent or no text.
    fileprivate var takesAllThatMeetsItsConditions: Bool {
        guard user == nil else { return false }
        var captured: Set<String> = []
        for case .matches(_, let pattern) in conditions {
            guard let names = (try? CapturePattern(pattern))?.names else { return false }
            // A name that is captured twice has to be captured as the same text.
            guard captured.isDisjoint(with: names) else { return false }
            captured.formUnion(names)
        }
        func isKnown(_ template: String) -> Bool {
            guard let pieces = try? BracedText.pieces(template) else { return false }
            return pieces.allSatisfy { if case .braced(let name) = $0 { captured.contains(name) } else { true } }
        }
        return switch mapping {
        case .handled: true
        case .url(let template): isKnown(template)
        case .destination(let id, let parameters, let source):
            source == nil && isKnown(id) && parameters.values.allSatisfy(isKnown)
        }
    }

    /// Whether an event that meets these conditions meets its own.
    fileprivate func takesWhatMeets(_ others: [FieldCondition]) -> Bool {
        conditions.allSatisfy { own in
            others.contains { other in
                switch (own, other) {
                case (.present(let path), .present(let same)), (.present(let path), .equals(let same, _)),
                    (.present(let path), .matches(let same, _)):
                    path == same
                case (.equals(let path, let words), .equals(let same, let fewer)):
                    path == same && fewer.allSatisfy { word in words.contains { $0.hasSameBytes(as: word) } }
                case (.matches(let path, let pattern), .matches(let same, let other)):
                    path == same && pattern.hasSameBytes(as: other)
                default: false
                }
            }
        }
    }
}
