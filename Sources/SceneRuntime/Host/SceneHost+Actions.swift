internal import SceneNavigation
internal import SceneRouting

extension SceneHost {
    /// What the manifest alone decides of an action.
    func decide(_ action: SceneAction) throws(AdmissionError) -> EventWork {
        let engine = app.current.engine
        switch action {
        case .intent(let intent):
            guard (1...128).contains(intent.name.utf8.count) else {
                throw .invalid("name", "has \(intent.name.utf8.count) bytes; 1 to 128 would be right")
            }
            do {
                try engine.checkIntent(intent.name, parameters: intent.parameters)
            } catch {
                throw .route(error)
            }
            return .bubble(intent)
        case .gesture(let gesture):
            if case .selectTab(let tab) = gesture {
                try Self.check(tab, isOneOf: engine.manifest.tabs.map(\.id), "tab")
            }
            return .gesture(gesture)
        case .finishFlow(let flow, let result):
            try Self.check(flow, isOneOf: engine.manifest.flows.map(\.name), "flow")
            guard case .completed(var completion) = result else { return .finish(flow: flow, .cancelled) }
            if let user = completion.user {
                guard (1...256).contains(user.utf8.count) else {
                    throw .invalid("user", "has \(user.utf8.count) bytes; 1 to 256 would be right")
                }
            } else if engine.flow(flow)?.completionNeedsUser ?? false {
                throw .invalid("user", "is missing; the flow '\(flow)' is complete when somebody has signed in")
            }
            do {
                completion.facts = try app.current.facts.checked(completion.facts)
            } catch {
                guard case .invalidFact(let fact, let reason) = error else { throw .draining }
                throw .invalidFact(fact: fact, reason: reason)
            }
            return .finish(flow: flow, .completed(completion))
        }
    }

    /// Ends a gesture that was judged when the finger touched; it has its ticket and no turn.
    func ignore(_ event: AdmittedEvent, in scene: Scene, _ reason: Gesture.NoEffect) -> AdmittedEvent {
        let outcome = Outcome.ignored(reason: reason.rawValue)
        let subject = Record.Subject(
            scene: scene.id,
            ticket: event.ticket,
            attempt: 1,
            event: event.id,
            connection: event.connection
        )
        records.append(.dispatchEnded(outcome: outcome), subject)
        scene.published.countSettled()
        ledger.update(event, outcome: outcome, window: scene.published.current.window)
        return event
    }

    private static func check(_ name: String, isOneOf names: [String], _ what: String) throws(AdmissionError) {
        guard !names.contains(name) else { return }
        let known = names.isEmpty ? "the app has none" : "the app has \(names.joined(separator: ", "))"
        throw .invalid(what, "there is no \(what) '\(name.prefix(64))'; \(known)")
    }
}
