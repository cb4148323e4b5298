internal import SceneManifest
internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON

extension ScenarioDecoder {
    /// Reads one mapping, or a list of mappings of which one must hold.
    mutating func expectations(_ node: ManifestNode?) -> [Expectation] {
        guard let node, !node.isNull else { return [] }
        guard case .list = node.value else { return [expectation(node, at: "expect")] }
        return reader.list(node, at: "expect").enumerated().map { index, node in
            let key = "expect[\(index)]"
            if Self.saysNothing(node) {
                reader.report(
                    "nothing is expected, so that every end is right",
                    at: key,
                    node.place,
                    expected: "windows, a session, results or another part of an end"
                )
            }
            return expectation(node, at: key)
        }
    }

    private static func saysNothing(_ node: ManifestNode) -> Bool {
        guard case .map(let members) = node.value else { return false }
        return members.allSatisfy { saysNothing($0.value) }
    }

    private mutating func expectation(_ node: ManifestNode, at key: String) -> Expectation {
        let members = reader.members(node, at: key, allowed: ScenarioWords.expectation)
        var expectation = Expectation()
        for (scene, node, place) in byWindow(members["windows"], at: "\(key).windows") {
            let shown = alternatives(node, at: place).compactMap { self.shown($0, $1, at: place) }
            expectation.windows.append((scene, shown))
        }
        for (scene, node, place) in byWindow(members["activation"], at: "\(key).activation") {
            let states = alternatives(node, at: place).compactMap { reader.choice($1, at: place, of: Activation.self) }
            expectation.activations.append((scene, states))
        }
        if let session = members["session"] { expect(session, at: "\(key).session", &expectation) }
        for (name, node, place) in byStep(members["results"], at: "\(key).results") {
            expectation.results.append(
                (name, alternatives(node, at: place).compactMap { result($0, $1, of: name, at: place) })
            )
        }
        for (name, node, place) in byStep(members["answers"], at: "\(key).answers") {
            expectation.answers.append((name, node.isNull ? nil : answer(node, of: name, at: place)))
        }
        return expectation
    }

    /// The members of a mapping whose keys name windows; each with its place.
    private mutating func byWindow(_ node: ManifestNode?, at key: String) -> [(String, ManifestNode, String)] {
        reader.named(node, at: key).compactMap { member in
            let place = "\(key).\(member.key)"
            if scenes.contains(member.key) || isMade(member.key) { return (member.key, member.value, place) }
            reportUnknown(member.key, at: place, member.place, among: scenes, "window")
            return nil
        }
    }

    /// The members of a mapping whose keys name steps or events; each with its place.
    private mutating func byStep(_ node: ManifestNode?, at key: String) -> [(String, ManifestNode, String)] {
        // Names of steps contain dots, which `named` refuses.
        (node.map { reader.map($0, at: key) } ?? []).compactMap { member in
            let place = "\(key).\(member.key)"
            if results.contains(member.key) { return (member.key, member.value, place) }
            reportUnknown(member.key, at: place, member.place, among: Set(results).sorted(), "step or event")
            return nil
        }
    }

    private mutating func answer(_ node: ManifestNode, of event: String, at key: String) -> [String: FactValue] {
        var answer: [String: FactValue] = [:]
        for member in reader.named(node, at: key) {
            answer[member.key] = reader.factValue(member.value, nil, at: "\(key).\(member.key)")
        }
        if let step = submitters[event]?.step {
            report(ends.problem(withAnswer: answer.keys.sorted(), of: step), at: key, node)
        }
        return answer
    }

    /// Reads a text, or a list of texts any of which is allowed.
    private mutating func alternatives(_ node: ManifestNode, at key: String) -> [(String, ManifestNode)] {
        guard case .list(let list) = node.value else { return reader.text(node, at: key).map { [($0, node)] } ?? [] }
        if list.isEmpty {
            reader.report(
                "the list is empty, so that nothing is allowed",
                at: key,
                node.place,
                expected: "one text or more"
            )
        }
        return list.enumerated().compactMap { index, element in
            reader.text(element, at: "\(key)[\(index)]").map { ($0, element) }
        }
    }

    private mutating func shown(_ text: String, _ node: ManifestNode, at key: String) -> WrittenWindow? {
        let shown: WrittenWindow
        do throws(WindowNotationError) {
            let (window, isOlderForm) = try WrittenWindow.read(text)
            shown = window
            if isOlderForm {
                reader.report(
                    "'\(text)' has an older form",
                    .warning,
                    at: key,
                    node.place,
                    expected: "'\(window)'"
                )
            }
        } catch {
            reader.report(
                "\(text.quotedForMessage) is not a window: \(error)",
                at: key,
                node.place,
                expected: "a window such as 'home › cart › auth[login]', 'disconnected' or 'gone'"
            )
            return nil
        }
        return report(ends.windows.problem(with: shown), at: key, node) ? shown : nil
    }

    /// Reports what is wrong, if anything is.
    /// - Returns: Whether nothing is.
    @discardableResult
    private mutating func report(_ problem: ImpossibleExpectation?, at key: String, _ node: ManifestNode) -> Bool {
        guard let problem else { return true }
        reader.report(
            problem.message,
            at: key,
            node.place,
            expected: problem.expected,
            suggestion: problem.meant.flatMap { Spelling.nearest(to: $0.name, among: $0.known) }
        )
        return false
    }

    /// Whether the name is one that the host gives to windows that it creates.
    private func isMade(_ scene: String) -> Bool {
        scene.hasPrefix("scene-") && Int(scene.dropFirst("scene-".count)) != nil
    }

    private mutating func expect(_ node: ManifestNode, at key: String, _ expectation: inout Expectation) {
        let members = reader.members(node, at: key, allowed: ScenarioWords.expectedSession)
        if let node = members["user"] {
            expectation.user = node.isNull ? .nobody : user(node, at: "\(key).user").map { .somebody($0) }
        }
        expectation.isStale = reader.boolean(members["stale"], at: "\(key).stale")
        for member in reader.named(members["facts"], at: "\(key).facts") {
            guard let declared = declaration(of: member.key, at: "\(key).facts", member.place) else { continue }
            let place = "\(key).facts.\(member.key)"
            if member.value.isNull, declared.defaultValue != nil {
                reader.report(
                    "'\(member.key)' always has a value; the app declares a default",
                    at: place,
                    member.value.place
                )
            }
            expectation.facts[member.key] =
                member.value.isNull ? .some(nil) : reader.factValue(member.value, declared.type, at: place)
        }
        expectation.revision = natural(members["revision"], at: "\(key).revision")
    }

    private mutating func result(
        _ text: String,
        _ node: ManifestNode,
        of name: String,
        at key: String
    ) -> ExpectedResult? {
        let result = ExpectedResult(text)
        guard ExpectedResult.outcomes.contains(result.outcome) else {
            reportUnknown(result.outcome, at: key, node.place, among: ExpectedResult.outcomes, "outcome")
            return nil
        }
        if let detail = result.detail, ExpectedResult.plain.contains(result.outcome) {
            reader.report(
                "'\(result.outcome)' has no reason, such as '\(detail)'",
                at: key,
                node.place,
                expected: "'\(result.outcome)', or '\(result.outcome) in A' where a window takes it"
            )
            return nil
        }
        if let scene = result.scene, !scenes.contains(scene), !isMade(scene) {
            reportUnknown(scene, at: key, node.place, among: scenes, "window")
            return nil
        }
        guard let (step, isStep) = submitters[name] else { return result }
        let problem = ends.problem(with: result, of: step, isStep: isStep)
        return report(problem, at: key, node) ? result : nil
    }
}
