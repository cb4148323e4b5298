package import ArgumentParser
internal import Basics
internal import CommandMistakes
internal import CommandConsole
internal import Interleaving
internal import SceneManifest
internal import SceneRaces
internal import SceneRouting
internal import StrictJSON

/// The command `race` of a program.
package struct RaceVerb<Program: RaceProgram>: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "race",
            abstract:
                "Search the orders in which concurrent events can happen for one that goes wrong; needs no daemon.",
            discussion: """
                \(subject)A scenario says which windows there are, what happens at the same time, and what must hold in the end. The real \
                runtime runs it again and again, each time in another order, in virtual time, and every history is checked \
                against the invariants. --list lists \(Program.scenarios.all), --print shows one to copy, and \
                protocol/scenario.schema.json describes the file for editors.

                Under 'results' a scenario says what may become of an event (applied, gated signedIn, rejected inStock, duplicate, …) and \
                of any other step (done, or refused with the name of the error, such as refused IllegalActivation). A step that is \
                refused, also an 'activate' that comes too late, counts as a race unless one of the expected ends says something of its result.

                A race is printed with a code with which --replay runs it again. --save keeps it in a file, --report writes a \
                page about it, and --export writes a script of holds that provokes it on a live daemon. --ends gives a code for each \
                end, --replay says how its order ends, and --report writes a page of it also if it passes.

                Examples:
                  \(Program.name) race \(Program.scenarios.example) --iterations 10000
                  \(Program.name) race mine.yaml --report race.html --save race.json --export race.sh
                  \(Program.name) race --all --iterations 100000
                  \(Program.name) race \(Program.scenarios.example) --prove
                  \(Program.name) race \(Program.scenarios.example) --shard 2/7 --seed 1 --iterations 100000
                  \(Program.name) race merge \(Program.scenarios.example).shard-*.json --report race.html
                  \(Program.name) race \(Program.scenarios.example) --prove --shard 40 --print-for slurm

                Several machines share a search by --shard 1/7, 2/7 and so on, with the same --seed and --iterations, or a proof, with --prove. Each leaves a file, also if it is \
                ended early, and goes on with it if it is started again; '\(Program.name) race merge' adds them up. With --shard 7 the number is what the engine \
                says that starts it, by the first of these variables that is set: \(ShardNumber.words).

                Ctrl-C and SIGTERM end the search with what was found so far; a second one ends it at once.

                Exit status: 0 no race found, also if --time ended the search before all orders were run, 1 a race found, 2 usage, 4 it cannot tell, as when --prove did not see every order, --replay names no order of the scenario, a shard is missing, a process that searches is killed or the code depends on \
                more than the seed, 128 and the number of the signal that interrupted it before it found one.
                """
        )
    }

    /// Whose code runs, for the help of a program that has an app.
    private static var subject: String {
        Program.app == nil
            ? "" : "Every order is run in the app of this program, with its code in Swift, made anew for each. "
    }

    @Argument(
        help: "The name of \(Program.scenarios.one), or a file in YAML or JSON.",
        completion: .naming(Program.scenarios.offered, orFilesIn: ["yaml", "yml", "json"])
    )
    var scenario: String?

    @Argument(
        help: "With 'merge' in place of a scenario: the files that the shards of a search left.",
        completion: .file(extensions: ["json"])
    )
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "Run it in this app, a manifest or an example by its name, instead of the one that the scenario names\(Program.app == nil ? "" : ", with the same code").",
            valueName: "file"
        ),
        completion: .apps
    )
    var app: String?

    @Flag(help: "List \(Program.scenarios.all).")
    var list = false

    @Flag(help: "Print the scenario's file.")
    var print = false

    @Flag(
        help:
            "Prove that no order of the actors' events goes wrong: run each class of orders once. Without --time for at most 10 minutes, but with --shard as long as it takes."
    )
    var prove = false

    @Option(help: ArgumentHelp("How many orders to try. Default: \(defaultIterations).", valueName: "number"))
    var iterations: Int?

    @Option(help: ArgumentHelp("Stop after this time, such as 500ms, 30s or 5m.", valueName: "time"))
    var time: String?

    @Option(
        help: ArgumentHelp("The seed of all random choices. Default: a new one, which is printed.", valueName: "number")
    )
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "How to choose the orders: \(StrategyName.known.joined(separator: ", ")). Default: portfolio.",
            valueName: "name"
        ),
        completion: .list(StrategyName.known)
    )
    var strategy: String?

    @Option(
        help: ArgumentHelp(
            "Where another step may come in: between whole jobs of a window or of the session (jobs), also where a job wakes another (stops), also before each access to what they share (locks). Default: jobs. --replay takes it from the code.",
            valueName: "where"
        ),
        completion: .list(SimulationSettings.Granularity.allCases.map(\.rawValue))
    )
    var granularity: String?

    @Flag(help: "Search \(Program.scenarios.all), and print a line for each.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "Which jobs of a window or of the session may overtake others: none (fifo), those of higher priority (priority), any (anyOrder). Default: fifo.",
            valueName: "policy"
        ),
        completion: .list(MailboxPolicy.allCases.map(\.rawValue))
    )
    var mailbox: String?

    @Option(
        help: ArgumentHelp(
            "How many processes search; 0 for this one only\(Program.app == nil ? "" : ", which code that traps ends"). A race that is found is the same, unless --time ends the search before; how many orders were tried by then is not.",
            valueName: "number"
        )
    )
    var jobs = defaultJobs

    @Option(
        help: ArgumentHelp(
            "Make only the orders of this shard, such as 2/7, and leave them in a file for 'race merge'; also after one goes wrong. With --prove, search only its pieces of the proof.",
            valueName: "number/count"
        )
    )
    var shard: String?

    @Option(
        help: ArgumentHelp(
            "The file of the shard. Default: the scenario's name and the shard's, such as NAME.shard-2-of-7.json.",
            valueName: "file"
        ),
        completion: .file()
    )
    var shardFile: String?

    @Option(
        help: ArgumentHelp(
            "Print the script with which this engine starts all shards, instead of searching: \(ShardEngine.allCases.map(\.rawValue).joined(separator: ", ")). Needs --shard with their number alone, such as 40.",
            valueName: "engine"
        ),
        completion: .list(ShardEngine.allCases.map(\.rawValue))
    )
    var printFor: String?

    @Option(
        help: ArgumentHelp(
            "Run one order again, by the code that was printed or by the file that --save wrote.",
            valueName: "code|file"
        ),
        completion: .file()
    )
    var replay: String?

    @Option(help: ArgumentHelp("Save the race to a file, for --replay.", valueName: "file"), completion: .file())
    var save: String?

    @Option(
        help: ArgumentHelp(
            "Write a report of the race; the file's name ends in .html, .json or .txt.",
            valueName: "file"
        ),
        completion: .file()
    )
    var report: String?

    @Option(
        help: ArgumentHelp(
            "Write a shell script of holds that provokes the race on a live daemon.",
            valueName: "file"
        ),
        completion: .file()
    )
    var export: String?

    @Flag(
        help:
            "Count how the orders end, and go on for that after a race, to at most \(Race.Options.maxSurveyed) orders. A report of a race does."
    )
    var ends = false

    @Flag(help: "Reduce the race to the fewest steps out of turn.")
    var shrink = false

    @Option(
        help: ArgumentHelp(
            "If a race is found, leave a folder named after the scenario in this one: the report as a page and as text, the records, the scenario, the order for --replay, and the script of --export.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var artifacts: String?

    @OptionGroup var results: CaseReportOptions

    @Flag(help: "Print JSON.")
    var json = false

    package init() {}

    package func run() async throws {
        if list { return try listScenarios() }
        let others = [scenario, app, replay, save, report, export] + files
        try await results.reporting("\(Program.name) race", of: scenario, keeps: others) { add in
            if all { return try await Interruption.during { try await searchAll(add) } }
            guard scenario == Self.merge else { return try await run(nil, add) }
            let merged = try ShardFile.merged(files)
            try Self.requireFiles(of: merged.search)
            try await asSearched(merged.search).run(merged, add)
        }
    }

    /// - Parameters:
    ///   - merged: What shards found, in place of a search.
    ///   - add: Takes how it came out.
    private func run(_ merged: MergedShards?, _ add: (CaseReport.Case) -> Void) async throws {
        guard let name = scenario else { return }
        if self.print { return Terminal.print(try Program.scenarios.read(name).text, as: .page, terminator: "") }
        for (option, output) in [("--save", save), ("--report", report), ("--export", export)] {
            try Files.check(option, output, keeps: [name, app])
        }
        if shard != nil { try requireRereadable() }
        let file = try replay.flatMap { try RaceFiles.replayed($0) }
        let (race, text, path) = try race(name, mailbox: file?.mailbox)
        try Files.check("--junit", results.junit, keeps: [race.scenario.appSource])
        let contents = "\(race.scenario.app.digest)\n\(text)".utf8.digest
        if let printFor, let shard {
            return Terminal.print(try script(for: printFor, name, shard), as: .page, terminator: "")
        }
        if let shard { return try await search(race, name, contents, shard) }
        if let merged, merged.search.contents != contents {
            throw CommandError.usage(
                "merge: '\(name)' or its app does not say any more what it said when the shards were made; make them again."
            )
        }
        if let replay, let file, file.test != race.scenario.name {
            throw CommandError.usage(
                "--replay \(replay): it is a run of '\(file.test)', not of '\(race.scenario.name)'; expected a file that 'race \(name.shellWord) --save' wrote."
            )
        }
        let folder = try raceFolder(name)
        let outcome: RaceText
        do {
            outcome = try await Interruption.during { try await self.outcome(race, name, file, merged) }
        } catch let error as ExplorationError {
            throw CommandError(message: "\(error).", status: .unknown)
        }
        add(outcome.judged(file: path, about: race.scenario.summary))
        show(json ? outcome.json.text(.indented) + "\n" : outcome.text)
        if outcome.hasNothingToChoose {
            throw CommandError.usage(
                "\(name): nothing happens at the same time, so there is nothing to choose; give it at least two actors."
            )
        }
        if let passed = outcome.passed, let report, RaceFiles.Format(file: report) == .html {
            try Files.write(RacePage.text(of: race.scenario, passed), to: report, replacing: true)
        }
        guard let found = outcome.found else {
            let isWritten = outcome.passed != nil && report.flatMap { RaceFiles.Format(file: $0) } == .html
            let files = [save, isWritten ? nil : report, export].compactMap(\.self)
            if !files.isEmpty {
                Terminal.complain("No race was found, so nothing was written to \(files.joined(separator: ", ")).")
            }
            if outcome.wasEnded, let status = Interruption.status { throw ExitCode(status) }
            if outcome.isUnproved || outcome.isMisfit || merged?.isWhole == false {
                throw ExitCode(ExitStatus.unknown.rawValue)
            }
            return
        }
        // The race is already printed, whether or not the files can be written.
        let files = files(of: outcome, name)
        var problems: [String] = []
        func attempt(_ write: () throws(CommandError) -> Void) {
            do throws(CommandError) { try write() } catch { problems.append("\(error)") }
        }
        if let save { attempt { () throws(CommandError) in try files.save(found, of: race.scenario, to: save) } }
        if let report { attempt { () throws(CommandError) in try files.report(found, to: report) } }
        if let export { attempt { () throws(CommandError) in try files.export(found, of: race.scenario, to: export) } }
        if let folder {
            attempt { () throws(CommandError) in try keep(found, files, of: race.scenario, text, in: folder) }
        }
        // Not the status of a race alone: who looks for the files should not have to guess.
        guard problems.isEmpty else { throw CommandError.usage(problems.joined(separator: "\n"), as: .page) }
        throw ExitCode(1)
    }

    /// The race of a scenario, what its file says, and where that is.
    func race(_ name: String, mailbox saved: MailboxPolicy? = nil) throws -> (race: Race, text: String, file: String?) {
        do {
            let policy = mailbox.flatMap(MailboxPolicy.init) ?? saved ?? .fifo
            let (text, path) = try Program.scenarios.read(name)
            let given = try app.map { Scenario.GivenApp(name: $0, manifest: try ManifestFile.read($0)) }
            let race = try (Program.app ?? .named).race(
                text,
                file: path,
                app: given,
                mailbox: policy,
                readFile: { try Input.text(file: $0) }
            )
            for warning in race.scenario.warnings { Terminal.complain("\(warning)") }
            return (race, text, Files.isRegular(path) ? path : nil)
        } catch let problems as ManifestProblems {
            throw CommandError.usage(problems.description, as: .page)
        }
    }

    private func outcome(
        _ race: Race,
        _ name: String,
        _ file: ReplayFile?,
        _ merged: MergedShards?
    ) async throws -> RaceText {
        guard let replay else {
            return RaceText(
                program: Program.name,
                scenario: name,
                app: app,
                mailbox: mailbox,
                showsEnds: ends,
                report: try await search(race, try options(shrinks), merged),
                merged: merged
            )
        }
        return try await replayed(replay, race, name, file)
    }

    /// Whether a race is made small.
    var shrinks: Bool { shrink || report != nil || artifacts != nil }

    private static var defaultIterations: Int { 1_000 }

    static var defaultJobs: Int { Program.app == nil ? 0 : 1 }

    private func search(
        _ race: Race,
        _ options: Race.Options,
        _ merged: MergedShards? = nil
    ) async throws -> RaceReport {
        if let merged { return try await race.report(options, merged) }
        guard prove else { return try await race.search(options) }
        do {
            return try await race.prove(options)
        } catch let error as Race.TooManyTimes {
            throw CommandError.usage("--prove: \(error).")
        }
    }

    func options(_ shrinks: Bool) throws -> Race.Options {
        var options = Race.Options(
            iterations: iterations ?? Self.defaultIterations,
            timeLimit: prove && shard == nil ? .seconds(600) : nil,
            seed: seed,
            shrinks: shrinks,
            jobs: jobs
        )
        options.countsEnds = ends || report != nil || artifacts != nil
        options.granularity = granularity.flatMap(SimulationSettings.Granularity.init) ?? .jobs
        if options.granularity != .jobs, let reason = SimulationSettings.reasonNotToStop {
            throw CommandError.usage(
                "--granularity \(options.granularity): here no job can be stopped in the middle: \(reason). Give --granularity jobs, or build the program with the Swift runtime linked dynamically."
            )
        }
        options.isAskedToEnd = { Interruption.wasAsked }
        do throws(StrategyNameError) {
            if let strategy { options.strategy = try StrategyName(strategy) }
        } catch {
            throw CommandError.usage("--strategy: \(error)")
        }
        if let time {
            guard let limit = Duration.reading(time), limit > .zero else {
                throw CommandError.usage("--time \(time): expected \(CommandMistake.expectedTime).")
            }
            options.timeLimit = limit
        }
        return options
    }

    /// Searches each scenario of the program, and prints a line for each.
    /// - Parameter add: Takes how each came out.
    private func searchAll(_ add: (CaseReport.Case) -> Void) async throws {
        var racing: [String] = []
        var isUnproved = false
        let names = try Program.scenarios.names()
        for (index, name) in names.enumerated() {
            let folder = try raceFolder(name)
            let (race, text, path) = try race(name)
            let outcome: RaceText
            do {
                outcome = RaceText(
                    program: Program.name,
                    scenario: name,
                    app: nil,
                    mailbox: mailbox,
                    report: try await search(race, try options(shrinks))
                )
            } catch let error as ExplorationError {
                throw CommandError(message: "\(name): \(error).", status: .unknown)
            }
            add(outcome.judged(file: path, about: race.scenario.summary))
            show((json ? outcome.json.text() : outcome.line) + "\n")
            Terminal.flush()
            if let folder, let found = outcome.found {
                try keep(found, files(of: outcome, name), of: race.scenario, text, in: folder)
            }
            if outcome.isRace { racing.append(name) }
            if outcome.isUnproved { isUnproved = true }
            if Interruption.wasAsked {
                for other in names[(index + 1)...] {
                    add(CaseReport.Case(other, .unjudged("interrupted before it was run")))
                }
                break
            }
        }
        guard racing.isEmpty else { throw ExitCode(1) }
        if let status = Interruption.status { throw ExitCode(status) }
        if isUnproved { throw ExitCode(ExitStatus.unknown.rawValue) }
    }

    /// Prints a text that ends with a line feed, JSON or a page.
    private func show(_ text: String) { Terminal.print(text, as: json ? .json : .page, terminator: "") }

    private func listScenarios() throws {
        var all: [(String, Scenario)] = []
        for name in try Program.scenarios.names() { all.append((name, try race(name).race.scenario)) }
        if json {
            let list = all.map { name, scenario in
                JSONValue.object([
                    "name": .string(name), "app": .string(scenario.app.name), "description": .string(scenario.summary),
                ])
            }
            return show(JSONValue.array(list).text(.indented) + "\n")
        }
        for (name, scenario) in all {
            show("\(Terminal.styled(name, .bold))  \(scenario.app.name)\n    \(scenario.summary)\n")
        }
    }
}
