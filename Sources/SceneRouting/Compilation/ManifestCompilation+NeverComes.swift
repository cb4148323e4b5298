internal import Basics

/// Finds what can never come about because of what else is declared: predicates that contradict
/// themselves or each other, what another always comes before, and flows that nothing shows.
extension ManifestCompilation {
    mutating func findWhatNeverComes() {
        for (key, predicate) in predicates { findForegoneParts(of: predicate, at: key) }
        findNeedsThatExcludeEachOther()
        findRootsAndStartsThatNeverCome()
        findAdaptersThatTakeNothing()
        findAdaptersBehindOthers()
        findFlowsThatNothingShows()
    }

    // MARK: - Predicates

    /// Reports the innermost parts of a predicate that never hold, or always do. One that says so itself is meant.
    /// - Returns: Whether there is such a part.
    @discardableResult
    private mutating func findForegoneParts(of predicate: FactPredicate, at key: String) -> Bool {
        var isFound = false
        switch predicate {
        case .all(let parts):
            for (index, part) in parts.enumerated() {
                isFound = findForegoneParts(of: part, at: "\(key).all[\(index)]") || isFound
            }
        case .any(let parts):
            for (index, part) in parts.enumerated() {
                isFound = findForegoneParts(of: part, at: "\(key).any[\(index)]") || isFound
            }
        case .not(let inner): isFound = findForegoneParts(of: inner, at: "\(key).not")
        case .always, .signedIn, .freshSignIn, .present, .compare, .contains, .oneOf, .appVersion, .period: break
        }
        if isFound { return true }
        if !predicate.saysNever, reading.isNever(predicate) {
            warnOfNever(predicate, at: key)
        } else if !predicate.saysAlways, reading.isAlways(predicate) {
            warnOfAlways(predicate, at: key)
        } else {
            return false
        }
        return true
    }

    private mutating func warnOfNever(_ predicate: FactPredicate, at key: String) {
        let meant = "or { not: always } if that is meant"
        switch predicate {
        case .any([]):
            warning("\(key).any", "this never holds: there is no part that could", expected: "a part, \(meant)")
        case .oneOf(let fact, []):
            warning(
                "\(key).oneOf",
                "this never holds: there is no value that '\(fact)' could be",
                expected: "a value, \(meant)"
            )
        case .compare(let fact, _, _), .contains(let fact, _), .oneOf(let fact, _), .present(let fact):
            warning(key, "this never holds, whatever '\(fact)' is", expected: "what can hold, \(meant)")
        case .all(let parts):
            guard let (first, second) = reading.contradiction(among: parts) else { fallthrough }
            warning(
                "\(key).all[\(second)]",
                "this never holds together with all[\(first)]",
                expected: "'any', or what can hold at the same time"
            )
        default: warning(key, "this never holds, because its parts contradict each other", expected: "what can hold")
        }
    }

    private mutating func warnOfAlways(_ predicate: FactPredicate, at key: String) {
        let meant = "or 'always' if that is meant"
        switch predicate {
        case .all([]):
            warning("\(key).all", "this always holds: there is no part that has to", expected: "a part, \(meant)")
        case .present(let fact):
            warning(
                key,
                "this always holds: '\(fact)' has a default, so it always has a value",
                expected: "{ fact: \(fact), equals: … }, \(meant)"
            )
        case .compare(let fact, _, _), .contains(let fact, _), .oneOf(let fact, _):
            warning(key, "this always holds, whatever '\(fact)' is", expected: "what may not hold, \(meant)")
        case .any(let parts):
            guard let (first, second) = reading.contradiction(among: parts.map(FactPredicate.not)) else { fallthrough }
            warning(
                "\(key).any[\(second)]",
                "this holds whenever any[\(first)] does not, so one of them always does",
                expected: "'all', or what may not hold either"
            )
        default: warning(key, "this always holds, whatever its parts look at", expected: "what may not hold, \(meant)")
        }
    }

    // MARK: - Needs

    /// Something that a destination needs.
    private struct KnownNeed {
        /// For a message.
        let text: String
        let holds: FactPredicate
        /// Where the destination itself says so; `nil` for what comes with its ancestry or a root.
        let key: String?
    }

    /// Finds destinations that are never shown, because what they need never holds all at once.
    private mutating func findNeedsThatExcludeEachOther() {
        let roots = manifest.rootPreconditions.prefix(Self.maximumParts).map {
            KnownNeed(text: "the root '\($0.name)' left", holds: $0.holds, key: nil)
        }
        let preconditions = Dictionary(manifest.preconditions.map { ($0.name, $0.holds) }) { first, _ in first }
        let conditions = Dictionary(manifest.conditions.map { ($0.name, $0.holds) }) { first, _ in first }
        // More than anybody writes.
        var budget = 200_000
        for destination in manifest.destinations {
            var needs = destination.isOverCurrent ? [] : roots
            for ancestor in destination.ancestry.prefix(Self.maximumParts).compactMap(declaration) {
                for (names, all) in [(ancestor.preconditions, preconditions), (ancestor.conditions, conditions)] {
                    // What an ancestor's parameters are need not be what the destination's are.
                    needs += names.compactMap { name in
                        all[name].flatMap { $0.usesParameter ? nil : $0 }
                            .map { KnownNeed(text: "'\(name)' of '\(ancestor.id)'", holds: $0, key: nil) }
                    }
                }
                guard needs.count <= Self.maximumParts else { break }
            }
            for (member, names, all) in [
                ("preconditions", destination.preconditions, preconditions),
                ("conditions", destination.conditions, conditions),
            ] {
                needs += names.enumerated().compactMap { place, name in
                    all[name].map {
                        KnownNeed(
                            text: "'\(name)'",
                            holds: $0,
                            key: "destinations.\(destination.id).\(member)[\(place)]"
                        )
                    }
                }
            }
            guard needs.last?.key != nil, needs.count > 1 else { continue }
            budget -= needs.reduce(0) { $0 + $1.holds.weight }
            guard budget > 0 else { return }
            // What never holds by itself has been said, and so has what an ancestor lacks.
            guard reading.isNever(.all(needs.map(\.holds))),
                let (first, second) = reading.contradiction(among: needs.map(\.holds)), let key = needs[second].key,
                !reading.isNever(needs[first].holds), !reading.isNever(needs[second].holds)
            else { continue }
            warning(
                key,
                "\(needs[second].text) never holds together with \(needs[first].text), so '\(destination.id)' is never shown",
                expected: "what can hold at the same time"
            )
        }
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
            guard let hiding = reading.hidden(predicate, by: predicates[..<index]) else { continue }
            let earlier = if case .one(let place) = hiding { "[\(place)]" } else { "one" }
            warning(
                "\(key)[\(index)].when",
                "\(earlier) before it holds whenever this does, so \(consequence(index))",
                expected: "a condition that may hold while no other before it does, or this one before the others"
            )
        }
    }

    // MARK: - Adapters

    /// Finds adapters whose conditions no event meets.
    private mutating func findAdaptersThatTakeNothing() {
        // More texts than anybody writes.
        var budget = 200_000
        for (index, adapter) in manifest.adapters.enumerated() {
            var texts: [String: TextDemands] = [:]
            for (place, condition) in adapter.conditions.prefix(Self.maximumParts).enumerated() {
                let path: String
                switch condition {
                case .present: continue
                case .equals(let looked, oneOf: let words):
                    path = looked
                    texts[path, default: TextDemands()].narrow(to: words, &budget)
                case .matches(let looked, let pattern):
                    path = looked
                    if let pattern = try? CapturePattern(pattern) {
                        texts[path, default: TextDemands()].narrow(to: pattern, &budget)
                    }
                }
                guard budget > 0 else { return }
                guard texts[path]?.areContradictory ?? false else { continue }
                warning(
                    "adapters[\(index)].when[\(place)]",
                    condition == .equals(path: path, oneOf: [])
                        ? "'\(adapter.name)' takes no event: there is no text that '\(path)' could be"
                        : "'\(adapter.name)' takes no event: no text at '\(path)' meets this and what comes before it",
                    expected: "'oneOf' with the texts that are meant"
                )
                break
            }
        }
    }

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

extension PredicateReading {
    /// What of these holds whenever the predicate does; `nil` if nothing, and for what never holds anyway.
    func hidden(_ predicate: FactPredicate, by earlier: ArraySlice<FactPredicate>) -> Hiding? {
        guard !earlier.isEmpty, !predicate.saysNever, implies(predicate, oneOf: earlier), !isNever(predicate) else {
            return nil
        }
        return earlier.firstIndex { implies(predicate, oneOf: CollectionOfOne($0)) }.map(Hiding.one) ?? .several
    }
}

/// What an adapter's conditions ask of one text.
private struct TextDemands {
    /// What it may be; `nil` for any.
    private var words: [String]?
    private var patterns: [CapturePattern] = []
    private(set) var areContradictory = false

    mutating func narrow(to others: [String], _ budget: inout Int) {
        budget -= others.count * (patterns.count + 1) + (words?.count ?? 0)
        guard budget > 0 else { return }
        let known = words.map { Set($0.map(ByteKey.init)) }
        let common = others.filter { word in
            known?.contains(ByteKey(word)) ?? true && patterns.allSatisfy { $0.match(word) != nil }
        }
        words = common
        areContradictory = common.isEmpty
    }

    mutating func narrow(to pattern: CapturePattern, _ budget: inout Int) {
        budget -= (words?.count ?? 0) + patterns.count
        guard budget > 0 else { return }
        words = words?.filter { pattern.match($0) != nil }
        areContradictory = words?.isEmpty ?? patterns.contains { $0.excludes(pattern) }
        patterns.append(pattern)
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
