internal import ArgumentParser
internal import Interleaving
internal import SceneRaces
internal import SceneRouting
internal import StrictJSON

struct RaceVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "race",
        abstract: "Searches the orders in which things can happen at once for one that goes wrong; needs no daemon.",
        discussion: """
            A scenario says which windows there are, who does what at the same time, and what must hold in the end. The real \
            runtime runs it again and again, each time in another order, in virtual time; the twelve invariants must hold \
            besides. 'scenectl race --list' names the scenarios that ship, '--print' shows one to copy, and \
            protocol/scenario.schema.json describes the file for editors.

            Example: scenectl race sign-out-against-push --iterations 10000

            Exit status: 0 nothing was found, 1 a race was, 2 usage.
            """
    )

    @Argument(help: "A scenario that ships, by its name, or a file in YAML or JSON.")
    var scenario: String?

    @Flag(help: "List the scenarios that ship.")
    var list = false

    @Flag(help: "Print the scenario's file.")
    var print = false

    @Option(help: ArgumentHelp("How many orders to try.", valueName: "number"))
    var iterations = 1_000

    @Option(help: ArgumentHelp("Stop after this time, such as 500ms, 30s or 5m.", valueName: "time"))
    var time: String?

    @Option(
        help: ArgumentHelp("What all randomness comes from. Default: a new one, which is printed.", valueName: "number")
    )
    var seed: UInt64?

    @Option(help: ArgumentHelp("Who chooses: \(StrategyName.known.joined(separator: ", ")).", valueName: "name"))
    var strategy = "portfolio"

    @Option(help: ArgumentHelp("Run one order again, by the word that was printed for it.", valueName: "code"))
    var replay: String?

    @Flag(help: "Make a race that is found as small as it can be made.")
    var shrink = false

    @Flag(help: "Print JSON.")
    var json = false

    #if DEBUG
        @Option(help: ArgumentHelp("A mistake that the runtime is to make.", visibility: .hidden))
        var fault: String?
    #endif

    func validate() throws {
        if iterations < 1 { throw ValidationError("--iterations \(iterations): 1 or more would be right.") }
        if scenario == nil, !list {
            throw ValidationError("Name a scenario; 'scenectl race --list' lists those that ship.")
        }
    }

    func run() async throws {
        if list { return try Self.list(json: json) }
        guard let name = scenario else { return }
        if self.print { return Swift.print(try RaceScenario.text(name), terminator: "") }
        let race: Race
        do {
            race = try Race(try RaceScenario.read(name))
        } catch let problems as ManifestProblems {
            throw CommandError.usage(problems.description)
        }
        let outcome: RaceText
        do {
            outcome = try await search(race, name)
        } catch let error as ExplorationError {
            throw CommandError.failed("\(error)")
        }
        Swift.print(json ? outcome.json.text(.indented) : outcome.text, terminator: json ? "\n" : "")
        if outcome.hasNothingToChoose {
            throw CommandError.usage(
                "\(name): nothing happens at once, so there is nothing to choose; two actors or more would be right."
            )
        }
        if outcome.isRace { throw ExitCode(1) }
    }

    private func search(_ race: Race, _ name: String) async throws -> RaceText {
        if let replay {
            let code: ReplayCode
            do throws(ReplayCodeError) {
                code = try ReplayCode(parsing: replay)
            } catch {
                throw CommandError.usage("--replay \(replay): \(error)")
            }
            let (run, found) = try await race.replay(code)
            return RaceText(scenario: name, replayed: run, found: found)
        }
        var options = Race.Options(iterations: iterations, seed: seed, shrinks: shrink)
        do throws(StrategyNameError) {
            options.strategy = try StrategyName(strategy)
        } catch {
            throw CommandError.usage("--strategy: \(error)")
        }
        #if DEBUG
            options.fault = fault
        #endif
        if let time {
            guard let limit = Duration(words: time) else {
                throw CommandError.usage("--time \(time): a number above 0 and ms, s, m or h would be right.")
            }
            options.timeLimit = limit
        }
        return RaceText(scenario: name, report: try await race.search(options))
    }

    private static func list(json: Bool) throws {
        let all = try ShippedScenarios.names.compactMap { try ShippedScenarios.scenario($0) }
        if json {
            let list = all.map { JSONValue.object(["name": .string($0.name), "description": .string($0.summary)]) }
            return Swift.print(JSONValue.array(list).text(.indented))
        }
        for scenario in all {
            Swift.print(Terminal.styled(scenario.name, .bold))
            Swift.print("    \(scenario.summary)")
        }
    }
}

extension Duration {
    /// A number and a unit: `500ms`, `30s`, `5m`, `1h`.
    fileprivate init?(words text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), (1...1_000_000_000).contains(number) else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": self = .milliseconds(number)
        case "s", "": self = .seconds(number)
        case "m": self = .seconds(number * 60)
        case "h": self = .seconds(number * 3_600)
        default: return nil
        }
    }
}

/// Where a scenario comes from.
enum RaceScenario {
    /// The file's text: of a scenario that ships, or of the file at this path.
    static func text(_ name: String) throws(CommandError) -> String {
        if let text = ShippedScenarios.text(of: name) { return text }
        guard name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".json") || name == "-" else {
            let meant = Spelling.nearest(to: name, among: ShippedScenarios.names).map { " Did you mean '\($0)'?" } ?? ""
            throw .usage("There is no scenario '\(name)'.\(meant) 'scenectl race --list' lists those that ship.")
        }
        return try Input.text(file: name)
    }

    static func read(_ name: String) throws -> Scenario {
        let directory = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
        return try Scenario.read(
            try text(name),
            file: name,
            readFile: { try Input.text(file: $0.hasPrefix("/") ? $0 : directory + $0) }
        )
    }
}
