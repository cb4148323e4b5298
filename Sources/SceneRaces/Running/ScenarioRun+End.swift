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
    func objections(to end: EndOfRun) -> [String] {
        let asked = Set(scenario.expectations.flatMap { $0.results.map(\.name) })
        let refused = scenario.steps.filter { step in
            results[step.name]?.outcome == "refused" && !asked.contains(step.name)
                && !step.events.contains(where: asked.contains)
        }
        if let step = refused.first {
            return ["\(step.name) (\(step.text)) was \(result(of: step.name)), and the scenario does not allow that"]
        }
        let all = end.comparisons.map { $0.filter { !$0.isRight }.map(\.description) }
        if all.contains([]) { return [] }
        return all.min { $0.count < $1.count } ?? []
    }

    /// The end of the run as it is now.
    func end() -> EndOfRun {
        let begun = scenario.windows.map(\.id)
        let opened = host.scenes.map(\.id).filter { !begun.contains($0) }.sorted()
        let windows = (begun + opened).map { scene in
            (scene, "\(secrets.concealed(WrittenWindow(try? host.scene(scene))).front)")
        }
        let user = host.session.snapshot.user.map(Expectation.User.somebody) ?? .nobody
        let comparisons = scenario.expectations.map(comparison)
        var lines = windows.map { "window \($0.0): \($0.1)" } + ["the user: \(user)"]
        var named = Set(windows.map { "window \($0.0)" } + ["the user"])
        for part in comparisons.joined() where named.insert(part.what).inserted {
            lines.append("\(part.what): \(part.actual)")
        }
        return EndOfRun(windows: windows, lines: lines, comparisons: comparisons)
    }

    /// What an expectation says of the end, and what came instead.
    private func comparison(with expectation: Expectation) -> [ComparedEnd] {
        var parts: [ComparedEnd] = []
        func expect(_ isRight: Bool, _ what: String, _ actual: String, _ expected: [String]) {
            parts.append(ComparedEnd(what: what, actual: actual, expected: expected, isRight: isRight))
        }
        for (scene, allowed) in expectation.windows {
            let shown = secrets.concealed(WrittenWindow(try? host.scene(scene)))
            let allowed = allowed.map(secrets.concealed)
            let actual = allowed.contains(where: \.isInFull) ? shown : shown.front
            expect(
                allowed.contains { $0.describes(shown) },
                "window \(scene)",
                "'\(actual)'",
                allowed.map { "'\($0)'" }
            )
        }
        for (scene, allowed) in expectation.activations {
            let actual = (try? host.scene(scene))?.activation
            expect(
                actual.map(allowed.contains) ?? false,
                "the activation of window \(scene)",
                actual?.rawValue ?? "none, because it is gone",
                allowed.map(\.rawValue)
            )
        }
        let session = host.session.snapshot
        if let user = expectation.user {
            let actual = session.user.map(Expectation.User.somebody) ?? .nobody
            expect(actual == user, "the user", "\(actual)", ["\(user)"])
        }
        for (fact, value) in expectation.facts.sorted(by: { $0.key < $1.key }) {
            func text(_ value: FactValue?) -> String { value?.json.text() ?? "no value" }
            let value = value.map { secrets.concealed($0, of: fact) }
            let actual = session.facts[fact].map { secrets.concealed($0, of: fact) }
            expect(actual == value, "the fact \(fact)", text(actual), [text(value)])
        }
        if let isStale = expectation.isStale {
            func text(_ isStale: Bool) -> String { isStale ? "stale" : "not stale" }
            expect(session.isStale == isStale, "the sign-in", text(session.isStale), [text(isStale)])
        }
        if let revision = expectation.revision {
            expect(session.revision == revision, "the revision", "\(session.revision)", ["\(revision)"])
        }
        for (name, allowed) in expectation.results {
            let actual = result(of: name)
            expect(allowed.contains { $0.matches(actual) }, "\(name)", "\(actual)", allowed.map(\.description))
        }
        for (name, expected) in expectation.answers {
            let actual = receipt(of: name)?.answer
            func text(_ answer: [String: FactValue]?) -> String {
                answer.map { JSONValue.object($0.json).text() } ?? "none"
            }
            expect(actual == expected, "the answer of \(name)", text(actual), [text(expected)])
        }
        return parts
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
