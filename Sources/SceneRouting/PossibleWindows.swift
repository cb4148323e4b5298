internal import SceneVocabulary

/// What the windows of an app can show, by its manifest and by those that reloads put in its place.
package struct PossibleWindows: Sendable {
    private let engines: [RoutingEngine]
    private let (screens, flows, tabs): (KnownNames, KnownNames, KnownNames)
    /// The screens of each flow.
    private let screensOfFlows: [String: KnownNames]
    /// The screens at the bottom of a window: the roots of tabs, and the screens of root flows, of which each may be the first.
    private let bottoms: KnownNames
    /// By screen that only flows use: the first flow that does, and the names of its parameters.
    private let screensOfFlowsAlone: [String: (flow: String, parameters: [String])]

    /// Whether secrets are written with their values; else with the placeholders that windows show.
    private let saysSecrets: Bool

    /// - Parameter saysSecrets: Whether secrets are written with their values; else with the placeholders that windows show.
    package init(_ apps: [AppManifest], saysSecrets: Bool = false) {
        self.saysSecrets = saysSecrets
        engines = apps.compactMap { try? RoutingEngine(manifest: $0, secrets: .shared) }
        let flows = apps.flatMap(\.flows)
        let destinations = KnownNames(apps.flatMap(\.destinations).map(\.id))
        screens = KnownNames(destinations.list + flows.flatMap(\.screens).map(\.id))
        self.flows = KnownNames(flows.map(\.name))
        let screensOfFlows = Dictionary(grouping: flows, by: \.name)
            .mapValues { KnownNames($0.flatMap(\.screens).map(\.id)) }
        self.screensOfFlows = screensOfFlows
        let roots = apps.flatMap(\.roots).map(\.flow)
        bottoms = KnownNames(apps.flatMap(\.tabs).map(\.root) + roots.flatMap { screensOfFlows[$0]?.list ?? [] })
        tabs = KnownNames(apps.flatMap(\.tabs).map(\.id) + (roots.isEmpty ? [] : [WindowState.rootTab]))
        var screensOfFlowsAlone: [String: (flow: String, parameters: [String])] = [:]
        for flow in flows {
            for screen in flow.screens where !destinations.contains(screen.id) {
                let parameters = (screensOfFlowsAlone[screen.id]?.parameters ?? []) + screen.parameters.map(\.name)
                screensOfFlowsAlone[screen.id] = (screensOfFlowsAlone[screen.id]?.flow ?? flow.name, parameters)
            }
        }
        self.screensOfFlowsAlone = screensOfFlowsAlone
    }

    /// Why no window can show this; `nil` if one can.
    package func problem(with shown: WrittenWindow) -> Problem? {
        Problem.of { () throws(Problem) in try check(shown) }
    }

    /// Why no link can lead there, to a stack and what is presented over it; `nil` if one can.
    package func problem(withLink target: WrittenWindow) -> Problem? {
        Problem.of { () throws(Problem) in
            guard case .window(let text) = target else { return }
            for destination in text.destinations { try check(known: destination) }
        }
    }

    /// Why no window can show this screen; `nil` if one can.
    package func problem(with screen: Destination) -> Problem? {
        Problem.of { () throws(Problem) in try check(known: screen) }
    }

    /// Why no window can show a screen of this name; `nil` if one can.
    package func problem(withName screen: String) -> Problem? {
        screens.contains(screen) ? nil : Problem(no: "screen", screen, among: screens.list)
    }

    package typealias Problem = ImpossibleExpectation

    private func check(_ shown: WrittenWindow) throws(Problem) {
        guard case .window(let text) = shown else { return }
        for destination in text.destinations { try check(known: destination) }
        for tab in text.tabs {
            if let id = tab.id, !tabs.contains(id) { throw Problem(no: "tab", id, among: tabs.list) }
            if let first = tab.stack.first?.id, !bottoms.contains(first) {
                throw Problem("no window has '\(first)' at the bottom", oneOf: bottoms.list, for: first)
            }
        }
        for presentation in text.presentations {
            let first = presentation.stack.first?.id ?? ""
            guard let flow = presentation.flow else {
                guard let (flow, _) = screensOfFlowsAlone[first] else { continue }
                throw Problem("'\(first)' is presented only by its flow", expected: "'\(flow)[\(first)]'")
            }
            guard let own = screensOfFlows[flow] else { throw Problem(no: "flow", flow, among: flows.list) }
            if !own.contains(first) {
                throw Problem("the flow '\(flow)' has no screen '\(first)'", oneOf: own.list, for: first)
            }
        }
    }

    private func check(known screen: Destination) throws(Problem) {
        if let problem = problem(withName: screen.id) { throw problem }
        try check(screen)
    }

    /// Checks a screen's parameters: names, values, and that none is missing that windows say.
    private func check(_ destination: Destination) throws(Problem) {
        if let own = screensOfFlowsAlone[destination.id]?.parameters {
            return try Self.check(destination.parameters.keys.sorted(), among: own, of: destination.id)
        }
        var first: Problem?
        for engine in engines where engine.destination(destination.id) != nil {
            do throws(Problem) {
                return try check(destination, engine)
            } catch {
                first = first ?? error
            }
        }
        if let first { throw first }
    }

    private func check(_ destination: Destination, _ engine: RoutingEngine) throws(Problem) {
        let declared = engine.destination(destination.id)?.parameters ?? []
        try Self.check(destination.parameters.keys.sorted(), among: declared.map(\.name), of: destination.id)
        if !saysSecrets {
            // Whose placeholder it is only the daemon knows.
            if destination.parameters.values.contains(where: { !SecretPlaceholder.all(in: $0).isEmpty }) { return }
            if let secret = declared.first(where: { $0.isSecret && destination.parameters[$0.name] != nil }) {
                throw Problem(
                    "the parameter '\(secret.name)' of '\(destination.id)' is secret",
                    expected: "the placeholder that a window shows"
                )
            }
        }
        let shown = engine.shown(destination)
        let canonical: Destination
        do {
            canonical = try engine.request(for: destination, source: .internal).destination
        } catch {
            throw Problem("no window shows '\(shown)': \(error)")
        }
        if canonical != shown { throw Problem("no window shows '\(shown)' so", expected: "'\(canonical)'") }
    }

    private static func check(_ names: [String], among known: [String], of screen: String) throws(Problem) {
        for name in names where !known.contains(name) {
            if known.isEmpty { throw Problem("'\(screen)' has no parameter '\(name)'", expected: "'\(screen)'") }
            throw Problem("'\(screen)' has no parameter '\(name)'", oneOf: known, for: name)
        }
    }
}
