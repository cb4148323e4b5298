/// Finds moves of flows that never come to anything, because of the screens that may be on top then and below. A flow without intents is
/// the app's own code.
extension ManifestCompilation {
    mutating func findMovesThatComeToNothing() {
        let entrances = entrances
        // More than anybody writes.
        var budget = 200_000
        for flow in manifest.flows where !flow.intents.isEmpty && flow.screens.count <= Self.maximumParts {
            let names = entrances[flow.name, default: []]
            var entering = names.compactMap(declaration)
            // In a stack of the app's tabs other screens may be anywhere.
            guard entering.allSatisfy({ if case .modal = $0.presentation { true } else { false } }) else { continue }
            if !names.isEmpty {
                budget -= manifest.destinations.reduce(0) { $0 + $1.ancestry.count + 1 }
                guard budget > 0 else { return }
                let own = Set(names)
                entering += manifest.destinations.filter { !own.contains($0.id) && !own.isDisjoint(with: $0.ancestry) }
            }
            guard entering.count <= Self.maximumParts else { continue }
            var stacks = FlowStacks(flow, entering, repeating: { [self] in declaration($0)?.repeats ?? false }, reading)
            guard stacks.grow(&budget) else { return }
            for move in stacks.moves { check(move, of: flow, stacks) }
        }
    }

    private mutating func check(_ move: FlowStacks.Move, of flow: FlowDeclaration, _ stacks: FlowStacks) {
        let tops = move.tops
        let below = tops.reduce(into: Set<String>()) { $0.formUnion(stacks.below[$1] ?? []) }
        switch move.effect {
        case .push(let screen, _, _):
            if tops == [screen], !stacks.repeats(screen) {
                warning(
                    move.key,
                    "'\(screen)' is always on top already when it is pushed, so the event is rejected as pushedTwice",
                    expected: "another screen"
                        + (declaration(screen) == nil ? "" : ", or 'repeats: true' in '\(screen)'")
                )
                return
            }
            let depth = tops.compactMap { stacks.leastDepth[$0] }.min() ?? 1
            guard depth >= manifest.policies.maximumStackDepth else { return }
            warning(
                move.key,
                "a stack has as many screens as it may, \(depth), when '\(screen)' is pushed, so the event is rejected as stackFull",
                expected: "'replace', or a greater 'maximumStackDepth' among the policies"
            )
        case .popTo(let screen, _):
            guard !below.contains(screen) else { return }
            warning(
                move.key,
                "'\(screen)' is never below the screen on top, so it is never gone back to",
                expected: below.isEmpty ? "no move back" : "one of \(below.sorted().prefix(20).joined(separator: ", "))"
            )
        case .pop, .popToRoot:
            // What follows another flow need not know whether it has to tidy up.
            guard below.isEmpty, !move.isSequel else { return }
            warning(
                move.key,
                "there is never a screen of '\(flow.name)' to go back to",
                expected: "'cancel' to leave the flow, or nothing"
            )
        default: break
        }
    }
}

/// Which screens of a flow may be on top when something is reported, and which may be below them: at least all that can.
private struct FlowStacks {
    /// A move, and the screens of which one is on top when it is made.
    struct Move {
        let effect: IntentEffect
        let key: String
        let tops: Set<String>
        /// Whether it follows the end of another flow.
        let isSequel: Bool
    }

    /// Effects that are done one after the other, and the screens that may report them; `nil` for any.
    private struct Step {
        let key: String
        let effects: [IntentEffect]
        let screens: [String]?
        let isSequel: Bool
    }

    let repeats: (String) -> Bool
    private(set) var below: [String: Set<String>] = [:]
    /// The least number of screens that a stack has with one of these on top.
    private(set) var leastDepth: [String: Int] = [:]
    private let steps: [Step]
    private let reading: PredicateReading

    init(
        _ flow: FlowDeclaration,
        _ entering: [DestinationDeclaration],
        repeating: @escaping (String) -> Bool,
        _ reading: PredicateReading
    ) {
        repeats = repeating
        self.reading = reading
        let key = "flows.\(flow.name)"
        var steps = flow.intents.map { intent in
            Step(
                key: "\(key).intents.\(intent.name).effects",
                effects: intent.effects,
                screens: intent.screens.isEmpty ? nil : intent.screens,
                isSequel: false
            )
        }
        for sequel in flow.after {
            let key = "\(key).after.\(sequel.flow)"
            steps.append(Step(key: "\(key).completed", effects: sequel.completed, screens: nil, isSequel: true))
            steps.append(Step(key: "\(key).cancelled", effects: sequel.cancelled, screens: nil, isSequel: true))
        }
        self.steps = steps
        for screen in flow.startingScreens { show(screen, depth: 1) }
        let own = Set(entering.map(\.id))
        for destination in entering {
            show(destination.id, depth: 1)
            below[destination.id, default: []].formUnion(destination.ancestry.filter(own.contains))
        }
    }

    private mutating func show(_ screen: String, depth: Int) {
        leastDepth[screen] = min(leastDepth[screen] ?? depth, depth)
        if below[screen] == nil { below[screen] = [] }
    }

    /// Adds what follows until nothing new does; returns whether that came to an end.
    mutating func grow(_ budget: inout Int) -> Bool {
        var known: [String: Set<String>]
        var depths: [String: Int]
        repeat {
            (known, depths) = (below, leastDepth)
            for step in steps {
                budget -= step.effects.count * (below.count + 1) + 1
                guard budget > 0 else { return false }
                var tops = tops(of: step)
                for effect in step.effects { make(effect, &tops) }
            }
        } while known != below || depths != leastDepth
        return true
    }

    /// The moves that may be made.
    var moves: [Move] {
        var stacks = self
        var moves: [Move] = []
        for step in steps {
            var tops = tops(of: step)
            for (place, effect) in step.effects.enumerated() where !tops.isEmpty && effect.isPossible(reading) {
                let key = "\(step.key)[\(place)]"
                moves.append(Move(effect: effect.unconditional, key: key, tops: tops, isSequel: step.isSequel))
                stacks.make(effect, &tops)
            }
        }
        return moves
    }

    /// The screens that may be on top when something is reported: by the one on top, or by one below.
    private func tops(of step: Step) -> Set<String> {
        guard let screens = step.screens else { return Set(below.keys) }
        let reporting = Set(screens)
        return Set(below.lazy.filter { reporting.contains($0.key) || !reporting.isDisjoint(with: $0.value) }.map(\.key))
    }

    /// Makes a move on top of any of these screens.
    private mutating func make(_ effect: IntentEffect, _ tops: inout Set<String>) {
        guard !tops.isEmpty, effect.isPossible(reading) else { return }
        let after: Set<String>
        switch effect.unconditional {
        case .push(let screen, _, _):
            // What may not stand on itself is refused there.
            for top in tops where top != screen || repeats(screen) {
                show(screen, depth: (leastDepth[top] ?? 1) + 1)
                below[screen, default: []].formUnion(below[top] ?? [])
                below[screen, default: []].insert(top)
            }
            after = [screen]
        case .replace(let screen, _, _):
            for top in tops {
                show(screen, depth: leastDepth[top] ?? 1)
                below[screen, default: []].formUnion(below[top] ?? [])
            }
            after = [screen]
        case .pop, .popTo, .popToRoot: after = tops.reduce(into: tops) { $0.formUnion(below[$1] ?? []) }
        default: return
        }
        if case .when = effect { tops.formUnion(after) } else { tops = after }
    }
}
