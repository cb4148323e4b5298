internal import SceneManifest
internal import SceneRouting
internal import SceneRuntime

extension ScenarioDecoder {
    /// Reports steps that fail in every order: links that lead nowhere, and windows that are not open before the step. Steps that the
    /// scenario expects to be refused are exempt.
    mutating func checkPossible(_ scenario: Scenario) {
        let refusals = Set(
            scenario.expectations.flatMap(\.results).filter { $0.result.contains { $0.outcome == "refused" } }.map(
                \.name
            )
        )
        func mayBeRefused(_ step: ScenarioStep) -> Bool {
            refusals.contains(step.name) || refusals.contains(step.event)
        }
        let doors = Self.doors(of: scenario)
        for step in scenario.steps where !mayBeRefused(step) {
            guard case .submit(let event, let scene, _) = step.action else { continue }
            let submission =
                switch event {
                case .entry(let entry): Submission(entry, scene: scene)
                case .action(let action): Submission(action, scene: scene)
                }
            // An app that is loaded later may accept what the first one refuses.
            let refusals = doors.compactMap { door in
                Result { () throws(AdmissionError) in try door.checkDoor(submission) }.failure
            }
            guard refusals.count == doors.count, let refusal = refusals.first else { continue }
            reader.report(
                "is refused in every order: \(refusal)",
                at: step.key,
                step.place,
                expected: "an event that the app accepts, or 'results: { \(step.name): refused \(refusal.name) }'"
            )
        }
        let connected = scenario.windows.map(\.id) + scenario.setup.compactMap(\.opened)
        checkWindows(scenario.setup, open: scenario.windows.map(\.id), opening: [], mayBeRefused)
        for (index, actor) in scenario.actors.enumerated() {
            let others = scenario.actors.enumerated().filter { $0.offset != index }.flatMap(\.element.steps)
            checkWindows(actor.steps, open: connected, opening: others.compactMap(\.opened), mayBeRefused)
        }
    }

    /// - Parameters:
    ///   - open: The windows that are open before the first of these steps.
    ///   - opening: The windows that other actors open at some time.
    private mutating func checkWindows(
        _ steps: [ScenarioStep],
        open: [String],
        opening: [String],
        _ mayBeRefused: (ScenarioStep) -> Bool
    ) {
        var open = Set(open + opening)
        for step in steps {
            if let opened = step.opened { open.insert(opened) }
            guard let needed = step.needed, !open.contains(needed), !mayBeRefused(step) else { continue }
            reader.report(
                "the window '\(needed)' cannot be open yet",
                at: step.key,
                step.place,
                expected:
                    "a step 'connect: \(needed)' before it, or the window in 'windows'"
            )
        }
    }

    /// Hosts of the scenario's apps, which are used only to ask what they would refuse.
    private static func doors(of scenario: Scenario) -> [SceneHost] {
        let reloaded = scenario.steps.compactMap { step -> AppManifest? in
            if case .reload(let app) = step.action { app } else { nil }
        }
        return ([scenario.app] + reloaded).compactMap { app in
            (try? LoadedApp(manifest: app, adapters: [])).map {
                SceneHost(id: "door", app: $0, settings: scenario.settings)
            }
        }
    }
}

extension ScenarioStep {
    fileprivate var place: ManifestNode.Place { ManifestNode.Place(line: line, column: column) }

    /// The window that the step opens.
    fileprivate var opened: String? {
        if case .connect(let scene, _) = action { scene } else { nil }
    }

    /// The window that has to be open.
    fileprivate var needed: String? {
        switch action {
        case .submit(_, let scene, _): scene
        case .activate(let scene, _), .disconnect(let scene), .discard(let scene): scene
        default: nil
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
