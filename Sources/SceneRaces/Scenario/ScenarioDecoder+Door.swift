internal import SceneEntryPoints
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
            refusals.contains(step.name) || step.events.contains(where: refusals.contains)
        }
        let doors = Self.doors(of: scenario)
        for step in scenario.steps where !mayBeRefused(step) {
            // An app that is loaded later may accept what the first one refuses.
            let refusals = doors.compactMap { door in
                Result { () throws(AdmissionError) in
                    for submission in step.submissions { try door.checkDoor(submission) }
                }.failure
            }
            guard refusals.count == doors.count, let refusal = refusals.first else { continue }
            reader.report(
                "is refused in every order: \(refusal)",
                at: step.key,
                step.place,
                expected: "an event that the app accepts, or 'results: { \(step.name): refused \(refusal.name) }'"
            )
        }
        let atFirst = Set(scenario.windows.map(\.id))
        checkWindows(scenario.setup, open: atFirst, mayBeRefused)
        let connected = atFirst.union(scenario.setup.compactMap(\.opened))
        let opened = scenario.actors.map { actor in Set(actor.steps.compactMap(\.opened)) }
        var openers: [String: Int] = [:]
        for window in opened.joined() { openers[window, default: 0] += 1 }
        for (actor, own) in zip(scenario.actors, opened) {
            checkWindows(
                actor.steps,
                open: connected,
                opensElsewhere: { window in openers[window, default: 0] > (own.contains(window) ? 1 : 0) },
                mayBeRefused
            )
        }
    }

    /// - Parameters:
    ///   - open: The windows that are open before the first of these steps.
    ///   - opensElsewhere: Whether another actor opens a window at some time.
    private mutating func checkWindows(
        _ steps: [ScenarioStep],
        open: Set<String>,
        opensElsewhere: (String) -> Bool = { _ in false },
        _ mayBeRefused: (ScenarioStep) -> Bool
    ) {
        var opened: Set<String> = []
        for step in steps {
            if let window = step.opened { opened.insert(window) }
            guard let needed = step.needed, !open.contains(needed), !opened.contains(needed), !opensElsewhere(needed),
                !mayBeRefused(step)
            else { continue }
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
        if case .connect(let scene, _, _) = action { scene } else { nil }
    }

    /// Its events by themselves, as the door is asked about them.
    fileprivate var submissions: [Submission] {
        switch action {
        case .submit(.entry(let event), let scene, _): [Submission(event, scene: scene)]
        case .submit(.action(let action), let scene, _): [Submission(action, scene: scene)]
        case .submitSet(let urls, let scene, _): urls.events.map { Submission($0, scene: scene) }
        default: []
        }
    }

    /// The window that has to be open.
    fileprivate var needed: String? {
        switch action {
        case .submit, .submitSet: target
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
