internal import SceneManifest
package import SceneRouting
internal import SceneRuntime
internal import StrictJSON

/// Builds a scenario from a file's values, part by part. It reports whatever is wrong and leaves that part out.
struct ScenarioDecoder {
    var reader = ManifestReader()
    /// Reads a manifest that the file names.
    let readFile: (@Sendable (String) throws -> String)?
    /// The app in which it happens, in place of the one that the file names.
    var givenApp: Scenario.GivenApp?
    /// The app in which it happens if the file names none; `nil` for the shop.
    var ownApp: Scenario.GivenApp?
    /// Whether code in Swift may decide what follows from what somebody does.
    var hasCode = false
    /// The name of the file, relative to which it names others.
    var file: String?
    var app = AppManifest(name: "")
    /// The windows that are open or that a step opens.
    var scenes: [String] = []
    /// The names of steps and events, for which results can be expected.
    var results: [String] = []
    /// What can be expected of the apps.
    var ends = PossibleEnds()
    /// By name of a step or an event: the step, and whether the name is its own.
    var submitters: [String: (step: ScenarioStep, isStep: Bool)] = [:]
    /// How many steps 'reload' have been read.
    var reloads = 0
    /// Each step is checked against every app that a reload brings.
    static let mostReloads = 16

    mutating func scenario(_ node: ManifestNode) -> Scenario? {
        guard node.members != nil else {
            reader.report(
                "the file is \(node.kind)",
                at: "",
                node.place,
                expected: "a mapping with 'name', 'actors', 'expect' …"
            )
            return nil
        }
        let members = reader.members(node, at: "", allowed: ScenarioWords.file)
        for key in ScenarioWords.required where members[key] == nil {
            reader.reportMissing(key, at: "", node.place)
        }
        let given = givenApp ?? (members["app"] == nil ? ownApp : nil)
        guard var app = given?.manifest ?? manifest(members["app"], at: "app") else { return nil }
        let policy = reader.choice(members["policy"], at: "policy", of: Policies.WhileGated.self)
        if let policy { app.policies.whileGated = policy }
        self.app = app
        let name = reader.text(members["name"], at: "name") ?? ""
        if !name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) {
            reader.report(
                "'\(name)' is not a valid name",
                at: "name",
                members["name"]?.place,
                expected: "letters, digits and '-'"
            )
        }
        let settings = settings(members["settings"])
        let windows = windows(members["windows"])
        let session = session(members["session"])
        var known = Set(windows.map(\.id))
        scenes = windows.map(\.id) + scenesOpened(by: members).filter { known.insert($0).inserted }
        let setup = steps(members["setup"], at: "setup", of: "setup")
        let actors = actors(members["actors"])
        var scenario = Scenario(
            name: name,
            summary: reader.text(members["description"], at: "description") ?? "",
            app: app,
            appSource: given?.name ?? source(of: members["app"]),
            policy: policy,
            settings: settings.host,
            start: settings.start,
            windows: windows,
            user: session.user,
            facts: session.facts,
            setup: setup,
            actors: actors,
            expectations: []
        )
        checkNames(scenario)
        results = scenario.steps.flatMap { [$0.name] + $0.events }
        let named = scenario.steps.map { ($0.name, (step: $0, isStep: true)) }
        let events = scenario.steps.flatMap { step in step.events.map { ($0, (step: step, isStep: false)) } }
        submitters = Dictionary(named + events) { first, _ in first }
        ends = PossibleEnds(
            [app] + scenario.steps.compactMap { if case .reload(let app) = $0.action { app } else { nil } },
            events: events.map(\.0),
            hasCode: hasCode
        )
        scenario.expectations = expectations(members["expect"])
        checkPossible(scenario)
        return scenario
    }

    // MARK: - Parts

    /// What `app` names, as whoever runs the scenario would name it.
    private func source(of node: ManifestNode?) -> String {
        guard case .scalar(let name, _) = node?.value else { return ExampleApp.shop.rawValue }
        return ExampleApp(rawValue: name) == nil ? NamedManifest.path(name, namedIn: file ?? "") : name
    }

    /// The built-in shop, an example by its name, or the manifest of a file.
    mutating func manifest(_ node: ManifestNode?, at key: String) -> AppManifest? {
        let name = node.flatMap { reader.text($0, at: key) }
        if node != nil, name == nil { return nil }
        let source = name ?? ExampleApp.shop.rawValue
        let examples = ExampleApp.allCases.map(\.rawValue)
        guard readFile != nil || ExampleApp(rawValue: source) != nil else {
            reader.report(
                "no file can be read here",
                at: key,
                node?.place,
                expected: "one of \(examples.joined(separator: ", "))",
                suggestion: Spelling.nearest(to: source, among: examples)
            )
            return nil
        }
        do {
            return try NamedManifest(source, readFile: readFile ?? { _ in "" }).read().manifest
        } catch let error as ManifestProblems {
            for problem in error.problems where problem.severity == .error {
                reader.report("the manifest is wrong: \(problem)", at: key, node?.place)
            }
        } catch {
            reader.report(
                "the file '\(source)' cannot be read: \(error)",
                at: key,
                node?.place,
                expected: "\(examples.joined(separator: ", ")), or the path of a manifest",
                suggestion: ExampleApp.isName(source) ? Spelling.nearest(to: source, among: examples) : nil
            )
        }
        return nil
    }

    /// The settings of the host, and the date when the scenario begins.
    private mutating func settings(_ node: ManifestNode?) -> (host: HostSettings, start: Double?) {
        var settings = HostSettings()
        guard let node else { return (settings, nil) }
        let members = reader.members(node, at: "settings", allowed: ScenarioWords.settings)
        if let duration = natural(members["transitionMilliseconds"], at: "settings.transitionMilliseconds") {
            settings.transitionDuration = .milliseconds(duration)
        }
        if let capacity = natural(members["mailboxCapacity"], at: "settings.mailboxCapacity", from: 1) {
            settings.mailboxCapacity = capacity
        }
        settings.appVersion = checked(
            members["appVersion"],
            at: "settings.appVersion",
            "no version of an app",
            expected: "1 to 8 numbers between dots, such as 2.10.1"
        ) { AppVersion($0) == nil ? nil : $0 }
        let start = checked(
            members["start"],
            at: "settings.start",
            "no date",
            expected: Instant.expectation,
            read: Instant.seconds
        )
        return (settings, start)
    }

    /// A text that `read` understands.
    private mutating func checked<Value>(
        _ node: ManifestNode?,
        at key: String,
        _ problem: String,
        expected: String,
        read: (String) -> Value?
    ) -> Value? {
        guard let node, let text = reader.text(node, at: key) else { return nil }
        guard let value = read(text) else {
            reader.report("'\(text)' is \(problem)", at: key, node.place, expected: expected)
            return nil
        }
        return value
    }

    private mutating func windows(_ node: ManifestNode?) -> [Scenario.Window] {
        var windows: [Scenario.Window] = []
        for member in reader.named(node, at: "windows") {
            let key = "windows.\(member.key)"
            guard canOpen(member.key, at: key, member.place) else { continue }
            let members = reader.members(member.value, at: key, allowed: ScenarioWords.window)
            let configuration = name(
                members["configuration"],
                at: "\(key).configuration",
                among: app.configurations.map(\.name),
                "configuration"
            )
            windows.append(Scenario.Window(id: member.key, configuration: configuration))
        }
        if windows.count > app.policies.maximumScenes {
            reader.report(
                "\(windows.count) windows are more than the app allows",
                at: "windows",
                node?.place,
                expected: "at most \(app.policies.maximumScenes)"
            )
        }
        return windows
    }

    private mutating func session(_ node: ManifestNode?) -> (user: String?, facts: [String: FactValue]) {
        guard let node else { return (nil, [:]) }
        let members = reader.members(node, at: "session", allowed: ScenarioWords.session)
        return (user(members["user"], at: "session.user"), facts(members["facts"], at: "session.facts"))
    }

    private mutating func actors(_ node: ManifestNode?) -> [Scenario.Actor] {
        var actors: [Scenario.Actor] = []
        let known = reader.problems.count
        for member in reader.named(node, at: "actors") {
            let key = "actors.\(member.key)"
            let before = reader.problems.count
            let steps = steps(member.value, at: key, of: member.key)
            if steps.isEmpty, reader.problems.count == before {
                reader.report("'\(member.key)' does nothing", at: key, member.place, expected: "a list of steps")
            }
            actors.append(Scenario.Actor(name: member.key, steps: steps))
        }
        // A step that changes nothing conflicts with nothing.
        let doing = actors.flatMap(\.steps).filter { step in
            switch step.action {
            case .read, .wait: false
            default: true
            }
        }
        // What is wrong may have been what happens.
        if let node, reader.problems.count == known, doing.isEmpty || doing.count == 1 && doing[0].events.count == 1 {
            reader.report(
                doing.isEmpty
                    ? "no actor does anything, so there is nothing to choose"
                    : "only one thing happens, so there is nothing to choose",
                at: "actors",
                node.place,
                expected: "two actors or more, or one whose steps cause something to happen"
            )
        }
        return actors
    }

    /// Whether a window can have this name. If not, that is reported.
    mutating func canOpen(_ scene: String, at key: String, _ place: ManifestNode.Place?) -> Bool {
        if SceneHost.isSceneID(scene) { return true }
        reader.report(
            "\(scene.quotedForMessage) cannot be a window's name",
            at: key,
            place,
            expected: "1 to 64 ASCII letters, digits, '-', '_' or '.'"
        )
        return false
    }

    /// The windows that steps open. They are collected first, because earlier parts of the file may name them.
    private func scenesOpened(by members: [String: ManifestNode]) -> [String] {
        var lists: [ManifestNode] = members["setup"].map { [$0] } ?? []
        lists += members["actors"]?.members?.map(\.value) ?? []
        return lists.flatMap { list -> [String] in
            guard case .list(let steps) = list.value else { return [] }
            return steps.compactMap { step in
                guard let opened = step.members?.first(where: { $0.key == "connect" })?.value,
                    case .scalar(let name, _) = opened.value
                else { return nil }
                return name
            }
        }
    }

    /// Reports steps that share a name.
    private mutating func checkNames(_ scenario: Scenario) {
        var lines: [String: Int] = [:]
        for step in scenario.steps {
            if let line = lines[step.name] {
                reader.report(
                    "there are two steps '\(step.name)', the other in line \(line)",
                    at: step.key,
                    ManifestNode.Place(line: step.line, column: step.column),
                    expected: "'as' with a unique name"
                )
            }
            lines[step.name] = step.line
        }
    }

    // MARK: - Shared

    mutating func facts(_ node: ManifestNode?, at key: String) -> [String: FactValue] {
        var facts: [String: FactValue] = [:]
        for member in reader.named(node, at: key) {
            guard let declared = declaration(of: member.key, at: key, member.place) else { continue }
            if let value = reader.factValue(member.value, declared.type, at: "\(key).\(member.key)") {
                facts[member.key] = value
            }
        }
        return facts
    }

    mutating func declaration(of fact: String, at key: String, _ place: ManifestNode.Place?) -> FactDeclaration? {
        if let declared = app.facts.first(where: { $0.name == fact }) { return declared }
        reportUnknown(fact, at: "\(key).\(fact)", place, among: app.facts.map(\.name), "fact")
        return nil
    }

    /// Reads a text that must be one of `known`.
    mutating func name(_ node: ManifestNode?, at key: String, among known: [String], _ noun: String) -> String? {
        guard let node, let text = reader.text(node, at: key) else { return nil }
        guard known.contains(text) else {
            reportUnknown(text, at: key, node.place, among: known, noun)
            return nil
        }
        return text
    }

    mutating func reportUnknown(
        _ name: String,
        at key: String,
        _ place: ManifestNode.Place?,
        among known: [String],
        _ noun: String
    ) {
        reader.report(
            "there is no \(noun) '\(name)'",
            at: key,
            place,
            expected: known.isEmpty ? nil : "one of \(known.prefix(20).joined(separator: ", "))",
            suggestion: Spelling.nearest(to: name, among: known)
        )
    }

    mutating func user(_ node: ManifestNode?, at key: String) -> String? {
        guard let node, !node.isNull else { return nil }
        return reader.name(node, at: key)
    }

    /// Reads an integer of at least `from`.
    mutating func natural(_ node: ManifestNode?, at key: String, from least: Int = 0) -> Int? {
        guard let node, let value = reader.integer(node, at: key) else { return nil }
        guard value >= least, value <= Self.largest else {
            reader.report("is \(value)", at: key, node.place, expected: "\(least) to \(Self.largest)")
            return nil
        }
        return value
    }

    /// The largest number of milliseconds; a sum of many still fits a duration.
    private static let largest = 1_000_000_000
}

extension Scenario {
    /// Reads and checks a scenario file, YAML or JSON.
    ///
    /// - Parameters:
    ///   - text: The file's content, at most 4 MiB.
    ///   - file: The name of the file in problems.
    ///   - app: The app in which it happens, in place of the one that the file names.
    ///   - ownApp: The app in which it happens if the file names none; `nil` for the shop.
    ///   - hasCode: Whether code in Swift may decide what follows from what somebody does, and answer it.
    ///   - readFile: Reads the manifest that the scenario names, by its path as written there; `nil` if it may name none.
    /// - Throws: All problems at once, in the order of the file, if one of them is an error.
    package static func read(
        _ text: String,
        file: String? = nil,
        app: GivenApp? = nil,
        ownApp: GivenApp? = nil,
        hasCode: Bool = false,
        readFile: (@Sendable (String) throws -> String)? = nil
    ) throws(ManifestProblems) -> Scenario {
        let node: ManifestNode
        do {
            node = try ManifestText.parse(text)
        } catch {
            var problem = WrittenFile.scenario.problem(with: WrittenFile(text)) ?? error
            problem.file = file
            throw ManifestProblems([problem])
        }
        if let problem = WrittenFile.scenario.problem(with: WrittenFile(node), file: file) {
            throw ManifestProblems([problem])
        }
        var decoder = ScenarioDecoder(
            readFile: readFile,
            givenApp: app,
            ownApp: ownApp,
            hasCode: hasCode,
            file: file
        )
        let scenario = decoder.scenario(node)
        let problems = decoder.reader.problems(file: file)
        guard var scenario, !problems.contains(where: { $0.severity == .error }) else {
            throw ManifestProblems(problems)
        }
        scenario.warnings = problems
        return scenario
    }
}

/// The members that each part of a scenario file may have, for the reader and for `protocol/scenario.schema.json`.
package enum ScenarioWords {
    package static let file = [
        "name", "description", "app", "policy", "settings", "windows", "session", "setup", "actors", "expect",
    ]
    package static let required = ["name", "description", "windows", "actors"]
    package static let settings = ["transitionMilliseconds", "mailboxCapacity", "start", "appVersion"]
    package static let window = ["configuration"]
    package static let session = ["user", "facts"]
    package static let expectation = ["windows", "activation", "session", "results", "answers"]
    package static let expectedSession = ["user", "stale", "facts", "revision"]
    package static let reload = ["app", "without", "open"]
    /// The actions of steps, named like the subcommands of `scenectl`, each with its members; every step may also have `as`.
    package static let verbs: [(verb: String, members: [String])] = [
        ("openurl", ["sourceApplication", "scene", "event", "until"]),
        ("activity", ["scene", "event", "until"]), ("push", ["scene", "event", "until"]),
        ("widget", ["scene", "event", "until"]), ("shortcut", ["scene", "event", "until"]),
        ("intent", ["parameters", "from", "scene", "event", "until"]),
        ("tap", ["scene", "event", "until"]), ("back", ["event", "until"]),
        ("swipe", ["cancelled", "scene", "event", "until"]), ("dismiss", ["event", "until"]),
        ("finish", ["result", "user", "facts", "values", "scene", "event", "until"]),
        ("sign-in", ["facts", "expiresInMilliseconds", "staleInMilliseconds"]), ("sign-out", []), ("mark-stale", []),
        ("set", ["remove", "basedOnRead"]),
        ("read", []), ("connect", ["configuration", "background"]),
        ("activate", ["to"]), ("disconnect", []), ("discard", []),
        ("reload", []), ("wait", []),
    ]
    /// The steps that consist of one word.
    package static let bareVerbs = ["sign-out", "mark-stale", "read"]
    /// Actions by names that they had before, which are still read. A `gesture` is one of `tap`, `back`, `swipe` and `dismiss`.
    package static let olderVerbs = [
        "open": "openurl", "signIn": "sign-in", "signOut": "sign-out", "markStale": "mark-stale", "commit": "set",
    ]
    static let olderGesture = ["gesture", "tab", "cancelled", "scene", "event", "until", "as"]
}
