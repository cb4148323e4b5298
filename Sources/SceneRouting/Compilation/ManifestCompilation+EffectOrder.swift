/// Finds effects that can never come to anything because of others in the same list, and flows that start each other.
extension ManifestCompilation {
    /// The lists of effects that flows have, each with its key.
    private var effectsOfFlows: [(flow: FlowDeclaration, key: String, effects: [IntentEffect])] {
        manifest.flows.flatMap { flow in
            let key = "flows.\(flow.name)"
            return flow.intents.map { (flow, "\(key).intents.\($0.name).effects", $0.effects) }
                + flow.after.flatMap { sequel in
                    [
                        (flow, "\(key).after.\(sequel.flow).completed", sequel.completed),
                        (flow, "\(key).after.\(sequel.flow).cancelled", sequel.cancelled),
                    ]
                }
        }
    }

    /// Reports a flow that is started after another by the same effects: only what is in front can present.
    mutating func checkStartsInOrder() {
        for (_, key, effects) in effectsOfFlows {
            var first = Firsts()
            for (index, effect) in effects.enumerated() {
                first.noteChange(by: effect)
                guard case .start(let child, _, _) = effect.unconditional else { continue }
                if let before = first.before(effect) {
                    error(
                        "\(key)[\(index)].start",
                        "'\(child)' cannot start, because effect [\(before)] has started another flow, which is in front then",
                        expected: "one flow started, or each with a 'when' that excludes the other"
                    )
                }
                first.note(effect, index)
            }
        }
    }

    /// Finds moves of a flow that the same effects end, and ends that come after one that counts.
    mutating func findEffectsAfterTheEnd() {
        for (flow, key, effects) in effectsOfFlows {
            var first = Firsts()
            for (index, effect) in effects.enumerated() {
                first.noteChange(by: effect)
                let isEnd = effect.isEnd
                defer { if isEnd { first.note(effect, index) } }
                guard isEnd || effect.isMove, let end = first.before(effect) else { continue }
                warning(
                    "\(key)[\(index)]",
                    isEnd
                        ? "this end never counts, because effect [\(end)] ends '\(flow.name)'"
                        : "nobody sees this move, because effect [\(end)] ends '\(flow.name)'",
                    expected: isEnd
                        ? "one end, or each with its own 'when'" : "the end without it, or it without the end"
                )
            }
        }
    }

    /// Finds flows that start each other in a circle: the last of them finds the first on screen.
    mutating func findCirclesOfStarts() {
        var starts: [String: [(child: String, key: String)]] = [:]
        for (flow, key, effects) in effectsOfFlows {
            for (index, effect) in effects.enumerated() {
                guard case .start(let child, _, _) = effect.unconditional, child != flow.name else { continue }
                starts[flow.name, default: []].append((child, "\(key)[\(index)].start"))
            }
        }
        // Depth first, without recursion, each flow once.
        var done: Set<String> = []
        for flow in manifest.flows where !done.contains(flow.name) {
            var path: [(flow: String, next: Int)] = [(flow.name, 0)]
            var places = [flow.name: 0]
            while let (name, next) = path.last {
                let own = starts[name] ?? []
                guard next < own.count else {
                    done.insert(name)
                    places[name] = nil
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let (child, key) = own[next]
                if let place = places[child] {
                    let circle = path[place...].map(\.flow) + [child]
                    warning(
                        key,
                        "the flows start each other in a circle, \(circle.prefix(20).joined(separator: " → ")), "
                            + "and '\(child)' cannot start while it is on screen",
                        expected: "a flow that is not below this one"
                    )
                } else if !done.contains(child) {
                    places[child] = path.count
                    path.append((child, 0))
                }
            }
        }
    }
}

/// Which effects of a list come before another whenever that comes: those without a condition, and those with the same.
private struct Firsts {
    private var always: Int?
    private var byCondition: [FactPredicate: Int] = [:]

    /// The place of the first that is done whenever `effect` is; `nil` if there is none.
    func before(_ effect: IntentEffect) -> Int? { always ?? effect.condition.flatMap { byCondition[$0] } }

    /// Notes that conditions may have changed.
    mutating func noteChange(by effect: IntentEffect) {
        if effect.changesSession { byCondition = [:] }
    }

    mutating func note(_ effect: IntentEffect, _ place: Int) {
        guard let condition = effect.condition else { return always = always ?? place }
        byCondition[condition] = byCondition[condition] ?? place
    }
}

extension IntentEffect {
    /// What has to hold for it, as far as it is written at the effect itself; `nil` for nothing.
    fileprivate var condition: FactPredicate? {
        if case .when(let condition, _) = self, condition != .always { condition } else { nil }
    }

    /// Whether a condition after it may see another session.
    fileprivate var changesSession: Bool {
        switch unconditional {
        case .set, .append, .remove, .add, .reset, .signOut, .markStale: true
        default: false
        }
    }

    /// Whether it ends its flow.
    fileprivate var isEnd: Bool {
        switch unconditional {
        case .complete, .cancel: true
        default: false
        }
    }

    /// Whether it moves within its flow, or puts another over it.
    fileprivate var isMove: Bool {
        switch unconditional {
        case .push, .replace, .pop, .popTo, .popToRoot, .start: true
        default: false
        }
    }
}
