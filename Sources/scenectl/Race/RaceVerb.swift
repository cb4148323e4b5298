internal import ArgumentParser
internal import Interleaving
internal import SceneRaces
internal import SceneRouting
internal import SceneSoak
internal import StrictJSON

struct RaceVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "race",
        abstract: "Searches the orders in which things can happen at once for one that goes wrong; needs no daemon.",
        discussion: """
            A scenario says which windows there are, who does what at the same time, and what must hold in the end. The real \
            runtime runs it again and again, each time in another order, in virtual time; the invariants of a history \
            must hold besides. 'scenectl race --list' names the scenarios that ship, '--print' shows one to copy, and \
            protocol/scenario.schema.json describes the file for editors.

            A race that is found prints a word with which '--replay' runs it again; '--save' keeps it in a file, '--report' \
            writes a page about it, and '--export' a script of holds that does the same to a live daemon.

            Examples:
              scenectl race sign-out-against-push --iterations 10000
              scenectl race mine.yaml --report race.html --save race.json --export race.sh
              scenectl race --all --iterations 100000

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

    @Flag(help: "Search every scenario that ships, and print a line for each.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "Which jobs of one window or of the session may overtake others: none (fifo), those of a higher priority (priority), any (anyOrder).",
            valueName: "policy"
        )
    )
    var mailbox: String?

    @Option(
        help: ArgumentHelp("How many processes search; 0 is this one. What is found is the same.", valueName: "number")
    )
    var jobs = 0

    @Option(
        help: ArgumentHelp(
            "Run one order again, by the word that was printed for it or its file.",
            valueName: "code|file"
        )
    )
    var replay: String?

    @Option(help: ArgumentHelp("Save a race in a file, for --replay.", valueName: "file"))
    var save: String?

    @Option(
        help: ArgumentHelp(
            "Write a report of a race, as the file's name ends: .html, .json or .txt.",
            valueName: "file"
        )
    )
    var report: String?

    @Option(
        help: ArgumentHelp(
            "Write a race as a shell script of holds that does the same to a live daemon.",
            valueName: "file"
        )
    )
    var export: String?

    @Flag(help: "Make a race that is found as small as it can be made.")
    var shrink = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if iterations < 1 { throw ValidationError("--iterations \(iterations): 1 or more would be right.") }
        guard (0...ExplorationOptions.maxWorkers).contains(jobs) else {
            throw ValidationError("--jobs \(jobs): 0 to \(ExplorationOptions.maxWorkers) would be right.")
        }
        if let mailbox, MailboxPolicy(rawValue: mailbox) == nil {
            let policies = MailboxPolicy.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--mailbox \(mailbox): one of \(policies) would be right.")
        }
        if let report, RaceFiles.Format(file: report) == nil {
            throw ValidationError("--report \(report): a name that ends with .html, .json or .txt would be right.")
        }
        if all {
            if scenario != nil { throw ValidationError("--all takes every scenario that ships; name none beside it.") }
            if replay != nil || save != nil || report != nil || export != nil {
                throw ValidationError("--replay, --save, --report and --export are for one scenario, not for --all.")
            }
        } else if scenario == nil, !list {
            throw ValidationError("Name a scenario; 'scenectl race --list' lists those that ship.")
        }
    }

    func run() async throws {
        if list { return try Self.list(json: json) }
        if all { return try await searchAll() }
        guard let name = scenario else { return }
        if self.print { return Swift.print(try RaceScenario.text(name), terminator: "") }
        let file = try replay.flatMap { try RaceFiles.replayed($0) }
        let race = try race(name, mailbox: file?.mailbox)
        let outcome: RaceText
        do {
            outcome = try await self.outcome(race, name, file)
        } catch let error as ExplorationError {
            throw CommandError.failed("\(error)")
        }
        Swift.print(json ? outcome.json.text(.indented) : outcome.text, terminator: json ? "\n" : "")
        if outcome.hasNothingToChoose {
            throw CommandError.usage(
                "\(name): nothing happens at once, so there is nothing to choose; two actors or more would be right."
            )
        }
        guard let found = outcome.found else { return }
        // What was found is printed already, whatever becomes of the files.
        let files = RaceFiles(scenario: name, replayLine: outcome.replayLine(found), search: outcome.report)
        var problems: [String] = []
        func attempt(_ write: () throws(CommandError) -> Void) {
            do throws(CommandError) { try write() } catch { problems.append("\(error)") }
        }
        if let save { attempt { () throws(CommandError) in try files.save(found, to: save) } }
        if let report { attempt { () throws(CommandError) in try files.report(found, to: report) } }
        if let export { attempt { () throws(CommandError) in try files.export(found, of: race.scenario, to: export) } }
        guard problems.isEmpty else { throw CommandError.failed(problems.joined(separator: "\n")) }
        throw ExitCode(1)
    }

    private func race(_ name: String, mailbox saved: MailboxPolicy? = nil) throws -> Race {
        do {
            let policy = mailbox.flatMap(MailboxPolicy.init) ?? saved ?? .fifo
            return try Race(try RaceScenario.read(name), mailbox: policy)
        } catch let problems as ManifestProblems {
            throw CommandError.usage(problems.description)
        }
    }

    private func outcome(_ race: Race, _ name: String, _ file: ReplayFile?) async throws -> RaceText {
        let makesSmall = shrink || report != nil
        guard let replay else {
            return RaceText(scenario: name, mailbox: mailbox, report: try await race.search(try options(makesSmall)))
        }
        let code: ReplayCode
        do throws(ReplayCodeError) {
            if let file { code = file.code } else { code = try ReplayCode(parsing: replay) }
        } catch {
            throw CommandError.usage("--replay \(replay): \(error); nor is there such a file.")
        }
        for mismatch in file?.mismatches(test: name) ?? [] { Terminal.complain("\(replay): \(mismatch)") }
        let (run, found) = try await race.replay(code, shrinks: makesSmall, inWorker: true)
        for difference in file?.differences(from: run) ?? [] { Terminal.complain("\(replay): \(difference)") }
        return RaceText(scenario: name, mailbox: mailbox, replayed: run, found: found)
    }

    private func options(_ shrinks: Bool) throws -> Race.Options {
        var options = Race.Options(iterations: iterations, seed: seed, shrinks: shrinks, jobs: jobs)
        do throws(StrategyNameError) {
            options.strategy = try StrategyName(strategy)
        } catch {
            throw CommandError.usage("--strategy: \(error)")
        }
        if let time {
            guard let limit = Duration(words: time), limit > .zero else {
                throw CommandError.usage("--time \(time): a number above 0 and ms, s, m or h would be right.")
            }
            options.timeLimit = limit
        }
        return options
    }

    /// A line for each scenario that ships, as it is done.
    private func searchAll() async throws {
        var racing: [String] = []
        for name in ShippedScenarios.names {
            let text: RaceText
            do {
                text = RaceText(
                    scenario: name,
                    mailbox: mailbox,
                    report: try await race(name).search(try options(shrink))
                )
            } catch let error as ExplorationError {
                throw CommandError.failed("\(name): \(error)")
            }
            Swift.print(json ? text.json.text() : text.line)
            Terminal.flush()
            if text.isRace { racing.append(name) }
        }
        guard racing.isEmpty else { throw ExitCode(1) }
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
