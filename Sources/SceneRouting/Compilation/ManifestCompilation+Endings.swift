/// Finds flows of the manifest that cannot end as somebody waits for. A flow without intents is the app's own code.
extension ManifestCompilation {
    /// The destinations with which flows may begin, besides their own screens, by flow.
    var entrances: [String: [String]] {
        Dictionary(grouping: manifest.destinations.filter { $0.flow != nil }) { $0.flow ?? "" }.mapValues {
            $0.map(\.id)
        }
    }

    /// - Parameter reached: What each flow can get to.
    mutating func findFlowsThatNeverEnd(_ reached: [FlowReach]) {
        let possible = reached.map(\.effects)
        let endings = Dictionary(zip(manifest.flows.map(\.name), possible.map(Endings.init))) { first, _ in first }
        // Whether they end as is needed is judged with what they are to open.
        let opening = Set(manifest.preconditions.map(\.flow) + manifest.roots.map(\.flow))
        for flow in manifest.flows where !flow.intents.isEmpty {
            guard let ending = endings[flow.name] else { continue }
            let key = "flows.\(flow.name)"
            if ending.completes, flow.completionNeedsUser, !ending.namesUser {
                warning(
                    "\(key).completionNeedsUser",
                    "no 'complete' of '\(flow.name)' says who has signed in, so each is refused",
                    expected: "'complete: { user: PARAMETER }' in an effect"
                )
            }
            if opening.contains(flow.name) || ending.completes || ending.cancels || ending.changesSession { continue }
            warning(
                key,
                "no screen that '\(flow.name)' shows has an intent that completes or cancels it",
                expected: "'complete' or 'cancel' in an effect, unless the app's own code ends it"
            )
        }
        findSequelsOfFlowsThatNeverComplete(endings)
        findGatesThatStayClosed(Dictionary(zip(manifest.flows.map(\.name), possible)) { first, _ in first })
    }

    private mutating func findSequelsOfFlowsThatNeverComplete(_ endings: [String: Endings]) {
        let code = Set(manifest.flows.filter(\.intents.isEmpty).map(\.name))
        for flow in manifest.flows {
            for sequel in flow.after where !sequel.completed.isEmpty && !code.contains(sequel.flow) {
                guard let ending = endings[sequel.flow], !ending.completes else { continue }
                warning(
                    "flows.\(flow.name).after.\(sequel.flow).completed",
                    "no screen that '\(sequel.flow)' shows has an intent that completes it",
                    expected: "'complete' in an effect of '\(sequel.flow)', unless the app's own code completes it"
                )
            }
        }
    }
}

/// How a flow may end, by the effects that are possible in it.
private struct Endings {
    private(set) var completes = false
    /// Whether one of the completions says who has signed in.
    private(set) var namesUser = false
    private(set) var cancels = false
    /// Whether something changes the session, or may elsewhere: a gate opens by it while its flow goes on.
    private(set) var changesSession = false

    init(_ effects: [IntentEffect]) {
        for effect in effects {
            switch effect {
            case .complete(let user, _):
                completes = true
                if user != nil { namesUser = true }
            case .cancel, .closeWindow: cancels = true
            case .set, .append, .remove, .add, .reset, .signOut, .markStale, .start: changesSession = true
            case .route, .openWindow, .closeWindows, .refreshWindow, .refreshWindows, .push, .replace, .pop, .popTo,
                .popToRoot, .answer, .when:
                break
            }
        }
    }
}

/// What a flow can get to: the screens that it may show, and what may be done from there. Nothing of it is the app's own code.
struct FlowReach {
    /// The effects, without their conditions, of all that the screens may report, and of what follows the flows that it starts from there.
    private(set) var effects: [IntentEffect] = []
    private(set) var screens: Set<String> = []

    /// - Parameters:
    ///   - entrances: Destinations with which it may begin, too.
    ///   - given: What holds whenever one of its effects is judged.
    init(
        _ flow: FlowDeclaration,
        enteredAt entrances: [String],
        _ reading: PredicateReading,
        while given: FactPredicate = .always
    ) {
        var pending = flow.intents.filter(\.screens.isEmpty).flatMap(\.effects)
        var sequels = Dictionary(grouping: flow.after, by: \.flow)
        var reports: [String: [Int]] = [:]
        for (index, intent) in flow.intents.enumerated() {
            for screen in intent.screens { reports[screen, default: []].append(index) }
        }
        var taken: Set<Int> = []
        func show(_ screen: String) {
            screens.insert(screen)
            for index in reports.removeValue(forKey: screen) ?? [] where taken.insert(index).inserted {
                pending += flow.intents[index].effects
            }
        }
        for screen in flow.startingScreens + entrances { show(screen) }
        while let effect = pending.popLast() {
            guard effect.isPossible(reading, while: given) else { continue }
            effects.append(effect.unconditional)
            switch effect.unconditional {
            case .push(let screen, _, _), .replace(let screen, _, _): show(screen)
            case .start(let child, _, _):
                pending += (sequels.removeValue(forKey: child) ?? []).flatMap { $0.completed + $0.cancelled }
            default: break
            }
        }
    }
}

extension IntentEffect {
    /// Whether its conditions can hold, as far as they and what is given decide it themselves.
    func isPossible(_ reading: PredicateReading, while given: FactPredicate = .always) -> Bool {
        guard case .when = self else { return true }
        return !reading.isNever(.all([given] + conditions))
    }
}
