internal import SceneHistory
internal import SceneManifest
internal import SceneNavigation
package import SceneRouting
internal import SceneRuntime

/// What windows can show and events can end with, by a scenario's app and those that reloads put in its place.
package struct PossibleEnds {
    private let engines: [RoutingEngine]
    private let (destinations, screens, flows): (Names, Names, Names)
    /// The screens of each flow.
    private let screensOfFlows: [String: Names]
    /// The screens at the bottom of a window: the roots of tabs, and the screens of root flows, of which each may be the first.
    private let bottoms: Names
    private let tabs: Names
    private let (facts, gates, events): (Names, Names, Names)
    /// Why an event can be rejected, but for reasons that go on.
    private let rejections: Names
    /// By screen that only flows use: the first flow that does, and the names of its parameters.
    private let screensOfFlowsAlone: [String: (flow: String, parameters: [String])]
    /// The names of all values with which an intent may be answered.
    private let answers: [String: Names]

    /// Names in their order, found without looking at all of them.
    private struct Names {
        private(set) var list: [String] = []
        private var known: Set<String> = []

        init(_ names: some Sequence<String> = []) { for name in names { insert(name) } }

        mutating func insert(_ name: String) {
            if known.insert(name).inserted { list.append(name) }
        }

        func contains(_ name: String) -> Bool { known.contains(name) }
    }

    /// - Parameter events: The IDs of all events.
    package init(_ apps: [AppManifest] = [], events: [String] = []) {
        self.events = Names(events)
        engines = apps.compactMap { try? RoutingEngine(manifest: $0, secrets: .shared) }
        let flows = apps.flatMap(\.flows)
        destinations = Names(apps.flatMap(\.destinations).map(\.id))
        screens = Names(destinations.list + flows.flatMap(\.screens).map(\.id))
        self.flows = Names(flows.map(\.name))
        screensOfFlows = Dictionary(grouping: flows, by: \.name).mapValues { Names($0.flatMap(\.screens).map(\.id)) }
        let roots = apps.flatMap(\.roots).map(\.flow)
        let screensOfFlows = screensOfFlows
        bottoms = Names(apps.flatMap(\.tabs).map(\.root) + roots.flatMap { screensOfFlows[$0]?.list ?? [] })
        tabs = Names(apps.flatMap(\.tabs).map(\.id) + (roots.isEmpty ? [] : [WindowState.rootTab]))
        facts = Names(apps.flatMap(\.facts).map(\.name))
        gates = Names(apps.compactMap(\.lock?.flow) + roots + apps.flatMap(\.preconditions).map(\.name))
        rejections = Names(
            apps.flatMap { $0.conditions.map(\.name) + $0.preconditions.map(\.name) } + Reasons.rejected.sorted()
        )
        var screensOfFlowsAlone: [String: (flow: String, parameters: [String])] = [:]
        for flow in flows {
            for screen in flow.screens where !destinations.contains(screen.id) {
                let parameters = (screensOfFlowsAlone[screen.id]?.parameters ?? []) + screen.parameters.map(\.name)
                screensOfFlowsAlone[screen.id] = (screensOfFlowsAlone[screen.id]?.flow ?? flow.name, parameters)
            }
        }
        self.screensOfFlowsAlone = screensOfFlowsAlone
        var answers: [String: Names] = [:]
        for intent in apps.flatMap(\.intents) + flows.flatMap(\.intents) {
            for case .answer(let values) in intent.effects.map(\.unconditional) {
                for name in values.keys.sorted() { answers[intent.name, default: Names()].insert(name) }
            }
        }
        self.answers = answers
    }

    /// What is wrong with a part of an expectation.
    package struct Problem: Error {
        /// What is wrong, as a sentence without its end.
        package let message: String
        /// What would be right.
        package var expected: String?
        /// The name that is wrong, and those among which the right one may be.
        package var meant: (name: String, known: [String])?

        init(_ message: String, expected: String? = nil, meant: (name: String, known: [String])? = nil) {
            self.message = message
            self.expected = expected
            self.meant = meant
        }

        /// A name that is none of `known`.
        init(no noun: String, _ name: String, among known: [String]) {
            self.init("there is no \(noun) '\(name)'", oneOf: known, for: name)
        }

        init(_ message: String, oneOf known: [String], for name: String) {
            self.init(
                message,
                expected: known.isEmpty ? nil : "one of \(known.prefix(20).joined(separator: ", "))",
                meant: (name, known)
            )
        }
    }

    /// Why no window can show this; `nil` if one can.
    package func problem(with shown: WrittenWindow) -> Problem? {
        Self.problem { () throws(Problem) in try check(shown) }
    }

    /// Why no link can lead there, to a stack and what is presented over it; `nil` if one can.
    package func problem(withLink target: WrittenWindow) -> Problem? {
        Self.problem { () throws(Problem) in
            guard case .window(let text) = target else { return }
            for destination in text.destinations { try check(known: destination) }
        }
    }

    /// Why no window can show this screen; `nil` if one can.
    package func problem(with screen: Destination) -> Problem? {
        Self.problem { () throws(Problem) in try check(known: screen) }
    }

    /// Why a step, or the event of this name, cannot have this result; `nil` if it can.
    ///
    /// - Parameters:
    ///   - step: The step, or the one that submits the event.
    ///   - isStep: Whether the result of the step itself is expected.
    func problem(with result: ExpectedResult, of step: ScenarioStep, isStep: Bool) -> Problem? {
        Self.problem { () throws(Problem) in try check(result, of: step, isStep: isStep) }
    }

    /// Why an event of a step cannot be answered with these names; `nil` if it can.
    func problem(withAnswer names: [String], of step: ScenarioStep) -> Problem? {
        Self.problem { () throws(Problem) in try check(answer: names, of: step) }
    }

    private static func problem(_ check: () throws(Problem) -> Void) -> Problem? {
        do throws(Problem) {
            try check()
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Windows

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
        guard screens.contains(screen.id) else { throw Problem(no: "screen", screen.id, among: screens.list) }
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
                return try Self.check(destination, engine)
            } catch {
                first = first ?? error
            }
        }
        if let first { throw first }
    }

    private static func check(_ destination: Destination, _ engine: RoutingEngine) throws(Problem) {
        let declared = engine.destination(destination.id)?.parameters.map(\.name) ?? []
        try check(destination.parameters.keys.sorted(), among: declared, of: destination.id)
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

    // MARK: - Results

    private func check(_ result: ExpectedResult, of step: ScenarioStep, isStep: Bool) throws(Problem) {
        let possible = Self.outcomes(of: step, isStep: isStep)
        guard possible.contains(result.outcome) else {
            let what = isStep ? step.name : "an event of \(step.name)"
            throw Problem(
                "\(what) cannot be '\(result.outcome)'",
                expected: Self.isSet(step) && isStep
                    ? "\(possible.joined(separator: ", ")), or the results of its events, such as '\(step.events[0])'"
                    : "one of \(possible.joined(separator: ", "))"
            )
        }
        guard let detail = result.detail else { return }
        if case .read = step.action, result.outcome == "done" {
            // A step that reads says which revision it has read.
            guard detail.hasPrefix("revision "), let number = Int(detail.dropFirst("revision ".count)), number >= 0
            else {
                throw Problem("'\(detail)' is no revision", expected: "'done', or such as 'done revision 2'")
            }
            return
        }
        try check(detail, of: result.outcome)
    }

    private static func isSet(_ step: ScenarioStep) -> Bool {
        if case .submitSet = step.action { true } else { false }
    }

    /// What a step, or an event that it submits, can end with.
    private static func outcomes(of step: ScenarioStep, isStep: Bool) -> [String] {
        let isGesture = if case .submit(.action(.gesture), _, _) = step.action { true } else { false }
        switch step.action {
        case .submitSet where isStep: return ["done", "duplicate", "refused"]
        case .submit, .submitSet:
            return ExpectedResult.outcomes.filter { outcome in
                outcome != "done" && (isGesture || outcome != OutcomeName.ignored.rawValue)
            }
        default: return ["done", "refused"]
        }
    }

    private func check(_ detail: String, of outcome: String) throws(Problem) {
        switch outcome {
        case OutcomeName.gated.rawValue:
            if !gates.contains(detail) { throw Problem(no: "precondition", detail, among: gates.list) }
        case OutcomeName.rejected.rawValue: try checkRejection(detail)
        case OutcomeName.ignored.rawValue: try check(detail, among: Reasons.ignored.sorted())
        case OutcomeName.abandoned.rawValue: try check(detail, among: Reasons.abandoned.sorted())
        case OutcomeName.superseded.rawValue: try checkSuperseding(detail)
        case "refused":
            let errors = RefusalName.allCases.map(\.rawValue)
            if !errors.contains(detail) { throw Problem(no: "error", detail, among: errors) }
        default: throw Problem("'\(outcome)' has no reason, such as '\(detail)'", expected: "'\(outcome)'")
        }
    }

    /// The reason of what is superseded is `by` and the newer event's ID.
    private func checkSuperseding(_ detail: String) throws(Problem) {
        guard detail.hasPrefix("by ") else {
            let example = events.list.first.map { "such as 'superseded by \($0)'" }
            throw Problem("'\(detail)' does not say by what", expected: example)
        }
        let event = String(detail.dropFirst("by ".count))
        if !events.contains(event) { throw Problem(no: "event", event, among: events.list) }
    }

    private func checkRejection(_ detail: String) throws(Problem) {
        if rejections.contains(detail) { return }
        if detail.hasPrefix("invalidFact: ") {
            let fact = String(detail.dropFirst("invalidFact: ".count))
            if !facts.contains(fact) { throw Problem(no: "fact", fact, among: facts.list) }
            return
        }
        if Reasons.rejectedInWords.contains(where: { detail.hasPrefix($0) && detail.count > $0.count }) { return }
        try check(detail, among: rejections.list)
    }

    private func check(_ reason: String, among known: [String]) throws(Problem) {
        if !known.contains(reason) { throw Problem(no: "reason", reason, among: known) }
    }

    // MARK: - Answers

    private func check(answer names: [String], of step: ScenarioStep) throws(Problem) {
        guard case .submit(.action(.intent(let intent, _)), _, _) = step.action else {
            throw Problem("\(step.name) is no intent, and only an intent is answered", expected: "null")
        }
        guard let known = answers[intent.name] else {
            throw Problem("the intent '\(intent.name)' answers nothing", expected: "null")
        }
        for name in names where !known.contains(name) { throw Problem(no: "answer", name, among: known.list) }
    }
}
