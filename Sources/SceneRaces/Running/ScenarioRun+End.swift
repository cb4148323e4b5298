internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON

/// Where a run has ended, and whether that was expected.
extension ScenarioRun {
    /// The result of a step or of an event, by its name.
    func result(of name: String) -> ExpectedResult {
        if let result = results[name] { return result }
        if let receipt = receipt(of: name) { return ExpectedResult(receipt) }
        // No step could submit the event.
        let steps = scenario.steps.filter { $0.events.contains(name) }
        return steps.lazy.compactMap { results[$0.name] }.first ?? ExpectedResult(outcome: "never")
    }

    /// The receipt of the event that a step submits, or that has this name.
    private func receipt(of name: String) -> Receipt? {
        host.receipt(event: scenario.steps.first { $0.name == name }?.event ?? name)
    }

    /// Why the end is not among those expected; empty if it is.
    func objections() -> [String] {
        let asked = Set(scenario.expectations.flatMap { $0.results.map(\.name) })
        let refused = scenario.steps.filter { step in
            results[step.name]?.outcome == "refused" && !asked.contains(step.name)
                && !step.events.contains(where: asked.contains)
        }
        if let step = refused.first {
            return ["\(step.name) (\(step.text)) was \(result(of: step.name)), and the scenario does not allow that"]
        }
        let all = scenario.expectations.map(objections)
        if all.contains([]) { return [] }
        return all.min { $0.count < $1.count } ?? []
    }

    private func objections(to expectation: Expectation) -> [String] {
        var found: [String] = []
        func expect(_ isRight: Bool, _ what: String, _ actual: String, _ expected: [String]) {
            if !isRight { found.append("\(what) \(actual), expected \(expected.joined(separator: " or "))") }
        }
        for (scene, allowed) in expectation.windows {
            let shown = secrets.concealed(WrittenWindow(try? host.scene(scene)))
            let allowed = allowed.map(secrets.concealed)
            let actual = allowed.contains(where: \.isInFull) ? shown : shown.front
            expect(
                allowed.contains { $0.describes(shown) },
                "window \(scene) is",
                "'\(actual)'",
                allowed.map { "'\($0)'" }
            )
        }
        for (scene, allowed) in expectation.activations {
            let actual = (try? host.scene(scene))?.activation
            expect(
                actual.map(allowed.contains) ?? false,
                "the activation of window \(scene) is",
                actual?.rawValue ?? "none, because it is gone",
                allowed.map(\.rawValue)
            )
        }
        let session = host.session.snapshot
        if let user = expectation.user {
            let actual = session.user.map(Expectation.User.somebody) ?? .nobody
            expect(actual == user, "the user is", "\(actual)", ["\(user)"])
        }
        for (fact, value) in expectation.facts.sorted(by: { $0.key < $1.key }) {
            func text(_ value: FactValue?) -> String { value?.json.text() ?? "no value" }
            let value = value.map { secrets.concealed($0, of: fact) }
            let actual = session.facts[fact].map { secrets.concealed($0, of: fact) }
            expect(actual == value, "the fact \(fact) is", text(actual), [text(value)])
        }
        if let isStale = expectation.isStale {
            func text(_ isStale: Bool) -> String { isStale ? "stale" : "not stale" }
            expect(session.isStale == isStale, "the sign-in is", text(session.isStale), [text(isStale)])
        }
        if let revision = expectation.revision {
            expect(session.revision == revision, "the revision is", "\(session.revision)", ["\(revision)"])
        }
        for (name, allowed) in expectation.results {
            let actual = result(of: name)
            expect(allowed.contains { $0.matches(actual) }, "\(name) is", "\(actual)", allowed.map(\.description))
        }
        for (name, expected) in expectation.answers {
            let actual = receipt(of: name)?.answer
            func text(_ answer: [String: FactValue]?) -> String {
                answer.map { JSONValue.object($0.json).text() } ?? "none"
            }
            expect(actual == expected, "the answer of \(name) is", text(actual), [text(expected)])
        }
        return found
    }
}

extension Expectation.User: CustomStringConvertible {
    package var description: String {
        switch self {
        case .nobody: "nobody"
        case .somebody(let user): user
        }
    }
}
