internal import CommandConsole
internal import SceneRouting
internal import StrictJSON

/// A script as a scenario for `scenectl race` (`protocol/scenario.schema.json`): what led there is its setup, what raced are its actors.
///
/// Steps overlap if the later one is not `quiet`. The last ones that do are actors, each of its own; what comes after them is done by the
/// actor of its window, or by the last. If none overlap, the last two events are two actors, each with what follows it. What the script
/// expects of windows and the session after its last call, and of events, becomes `expect`: it holds in the script's order.
struct ScenarioScript {
    /// The scenario, in YAML.
    let text: String

    /// - Parameters:
    ///   - steps: The steps.
    ///   - secrets: The values of their placeholders; none is missing.
    ///   - name: The script's name, for the scenario's and for messages.
    ///   - app: The manifest's file, from the scenario's folder, or example; `nil` for the shop.
    ///   - keepsTime: Whether the intervals between the steps of the setup are kept.
    /// - Throws: What cannot be written, and in which step.
    init(
        _ steps: [ScriptStep],
        secrets: ScriptSecrets,
        in name: String,
        app: String? = nil,
        keepsTime: Bool = true
    ) throws(CommandError) {
        try ScriptWindows.check(steps, in: name, beginning: "a scenario")
        let timings = TestTiming.of(steps, keepsTime: keepsTime)
        var parts: [ScenarioPart] = []
        for (index, step) in steps.enumerated() {
            parts.append(
                try ScenarioPart(
                    step,
                    secrets.filled(step.parameters),
                    timings[index],
                    number: index + 1,
                    at: "\(name), step \(index + 1)"
                )
            )
        }
        // What is opened first of all was there before anything happened.
        let windows = parts.prefix { $0.opens != nil }.count
        let doing = parts.indices.filter { $0 >= windows && parts[$0].isDoing }
        guard let race = Self.race(parts, doing) else {
            throw .usage(
                "\(name): a race needs two steps that change something, found \(doing.count == 1 ? "one" : "none")."
            )
        }
        let first = race.first
        var document = ScenarioDocument()
        document.addHeading(steps, name, app)
        document.addWindows(parts[..<windows])
        let waited = parts[..<windows].reduce(0) { $0 + $1.timing.advance }
        document.addSetup(parts[windows..<first], after: waited)
        document.addActors(parts[first...], race)
        try document.addExpectations(parts, in: name)
        text = document.text
    }

    /// What races.
    struct Race {
        /// The place of the first step that is an actor's.
        let first: Int
        /// The numbers of the steps with each of which an actor begins.
        let racers: Set<Int>
        /// Whether they overlapped.
        let overlapped: Bool
    }

    /// - Parameter doing: The places of the steps that change something.
    /// - Returns: `nil` if there are not two.
    private static func race(_ parts: [ScenarioPart], _ doing: [Int]) -> Race? {
        guard doing.count > 1 else { return nil }
        // The places in `doing` of steps that began before the one before them was done.
        let overlapping = doing.indices.dropFirst().filter { place in
            !parts[(doing[place - 1] + 1)...doing[place]].contains(where: \.timing.isQuiet)
        }
        guard var place = overlapping.last else {
            let events = doing.filter { parts[$0].step.isEvent }
            let two = (events.count > 1 ? events : doing).suffix(2)
            return Race(first: two.first ?? 0, racers: Set(two.map { parts[$0].number }), overlapped: false)
        }
        var racers: Set<Int> = [parts[doing[place]].number]
        while overlapping.contains(place) {
            place -= 1
            racers.insert(parts[doing[place]].number)
        }
        return Race(first: doing[place], racers: racers, overlapped: true)
    }
}

/// The lines of a scenario.
struct ScenarioDocument {
    private var lines: [String] = []
    /// The names of steps, by the number of the script's.
    private var names: [Int: String] = [:]

    var text: String { lines.joined(separator: "\n") + "\n" }

    static func literal(_ text: String) -> String { SourceText.literal(text, .yaml) }

    /// A value in one line.
    static func value(_ json: JSONValue) -> String {
        switch json {
        case .string(let text): literal(text)
        case .array(let list): "[\(list.map(value).joined(separator: ", "))]"
        case .object(let object):
            object.isEmpty
                ? "{}" : "{ \(object.map { "\(literal($0.key)): \(value($0.value))" }.joined(separator: ", ")) }"
        case .null, .bool, .integer, .number: json.text()
        }
    }

    /// A comment, without what would be taken for an anchor even there.
    private static func comment(_ text: String) -> String {
        "# \(SourceText.line(text).replacing("&", with: " ").replacing("*", with: " "))"
    }

    private mutating func leaveOut(_ what: String, indent: String = "") {
        lines.append("\(indent)\(Self.comment("left out: \(what)"))")
    }

    // MARK: - Parts

    mutating func addHeading(_ steps: [ScriptStep], _ name: String, _ app: String?) {
        let words = SourceNames.words(ofFile: name)
        lines = [
            Self.comment("The script \(SourceNames.file(name)), as 'scenectl play --export scenario' has written it."),
            "# What is expected holds in the script's order. An order in which something else is right, too, is added to it as another of a list.",
            "name: \(Self.literal(words.isEmpty ? "script" : words.joined(separator: "-")))",
            "description: \(Self.literal("What happened in \(SourceNames.file(name)), in every order."))",
        ]
        if let app { lines.append("app: \(Self.literal(app))") }
        if let start = steps.first?.start {
            lines += ["settings:", "  start: \(Self.literal(start))"]
        }
        if let seed = steps.first?.seed { leaveOut("the seed \(seed), because a race has its own") }
        if let manifest = steps.first?.manifest {
            lines.append(Self.comment("Recorded with the manifest \(manifest)."))
        }
    }

    mutating func addWindows(_ parts: ArraySlice<ScenarioPart>) {
        lines.append(parts.isEmpty ? "windows: {}" : "windows:")
        for part in parts {
            guard let window = part.opens else { continue }
            let configuration = part.members["configuration"].map { "{ configuration: \(Self.value($0)) }" } ?? "{}"
            lines.append("  \(Self.literal(window)): \(configuration)")
        }
    }

    /// - Parameter milliseconds: How much time passed before.
    mutating func addSetup(_ parts: ArraySlice<ScenarioPart>, after milliseconds: Int) {
        guard !parts.isEmpty || milliseconds > 0 else { return }
        lines.append("setup:")
        let before = lines.count
        var waits = milliseconds
        for part in parts {
            waits += part.timing.advance
            if part.isDoing, waits > 0 {
                lines.append("  - { wait: \(waits) }")
                waits = 0
            }
            // So that none is called as another is by its place.
            add(part, to: "before", indent: "  ")
        }
        if waits > 0 { lines.append("  - { wait: \(waits) }") }
        if !lines[before...].contains(where: { $0.hasPrefix("  -") }) { lines.insert("  []", at: before) }
    }

    mutating func addActors(_ parts: ArraySlice<ScenarioPart>, _ race: ScenarioScript.Race) {
        var actors: [(name: String, scene: String?, parts: [ScenarioPart])] = []
        var names = SourceNames(.snake, reserved: ["before", "setup"])
        for part in parts {
            if race.racers.contains(part.number) {
                actors.append((names.name(part.actor), part.scene, [part]))
            } else if let last = actors.indices.last {
                let own = actors.lastIndex { $0.scene != nil && $0.scene == part.scene }
                actors[race.overlapped ? own ?? last : last].parts.append(part)
            }
        }
        lines.append("actors:")
        if parts.contains(where: { $0.timing.advance > 0 }) {
            leaveOut("the intervals from the first of these steps on, because a race tries every order", indent: "  ")
        }
        for actor in actors {
            lines.append("  \(actor.name):")
            for part in actor.parts { add(part, to: actor.name, indent: "    ") }
        }
    }

    private mutating func add(_ part: ScenarioPart, to actor: String, indent: String) {
        if let why = part.leftOut { leaveOut("step \(part.number), \(part.step.call): \(why)", indent: indent) }
        guard part.isDoing || part.isWait else { return }
        let name = "\(actor).\(part.number)"
        if part.isDoing { names[part.number] = name }
        let members = part.members.map { "\($0.key): \(Self.value($0.value))" }
        lines.append(
            "\(indent)- { \((members + (part.isDoing ? ["as: \(Self.literal(name))"] : [])).joined(separator: ", ")) }"
        )
    }

    // MARK: - What is expected

    mutating func addExpectations(_ parts: [ScenarioPart], in script: String) throws(CommandError) {
        var expected = ScenarioExpectation()
        let last = parts.last { $0.isDoing }?.number ?? 0
        let held = parts.first { $0.step.call == "Control.Hold" }?.number ?? .max
        if let part = parts.first(where: { $0.number > held && $0.isExpecting }) {
            leaveOut(
                "what the script expects from step \(part.number) on, because it came about under a hold, and a race has every order: add what is right in each"
            )
        }
        for part in parts where part.number < held && part.step.expect != nil {
            try expected.add(
                part,
                name: names[part.number],
                isAtEnd: part.number > last,
                events: Set(parts.compactMap { $0.step.parameters["event"]?.stringValue }),
                at: "\(script), step \(part.number)"
            )
        }
        for what in expected.leftOut { leaveOut(what) }
        guard !expected.isEmpty else { return }
        lines.append("expect:")
        for (name, members) in expected.parts where !members.isEmpty {
            lines.append("  \(name):")
            for (key, value) in members { lines.append("    \(Self.literal(key)): \(Self.value(value))") }
        }
    }
}
