internal import Basics
internal import CommandConsole
internal import Interleaving
internal import SceneClient
internal import SceneRaces
internal import StrictJSON

/// The result of a search for a race, or of a replay, as text and as JSON.
struct RaceText {
    /// The name of the program, which a line to repeat the race begins with.
    private let program: String
    let scenario: String
    /// The app given by `--app`; a replay needs the same.
    private let app: String?
    /// The mailbox policy given by `--mailbox`; a replay needs the same.
    private let mailbox: String?
    /// Whether ends are listed.
    private let showsEnds: Bool
    let report: RaceReport?
    private let run: ExploredRun?
    let found: FoundRace?
    /// The run of a replay that passed.
    let passed: PassedRun?
    /// Whether the order that was asked for is none of the scenario's, so that another one was run.
    let isMisfit: Bool
    /// The shards of which the report is.
    private let merged: MergedShards?

    init(
        program: String,
        scenario: String,
        app: String?,
        mailbox: String?,
        showsEnds: Bool = false,
        report: RaceReport,
        merged: MergedShards? = nil
    ) {
        self.merged = merged
        isMisfit = false
        self.program = program
        self.scenario = scenario
        self.app = app
        self.mailbox = mailbox
        self.showsEnds = showsEnds
        self.report = report
        run = nil
        found = report.found
        passed = nil
    }

    init(
        program: String,
        scenario: String,
        app: String?,
        mailbox: String?,
        replayed run: ExploredRun,
        found: FoundRace?,
        passed: PassedRun?,
        isMisfit: Bool
    ) {
        self.isMisfit = isMisfit
        self.program = program
        self.scenario = scenario
        self.app = app
        self.mailbox = mailbox
        showsEnds = false
        report = nil
        self.run = run
        self.found = found
        self.passed = passed
        merged = nil
    }

    var isRace: Bool { found != nil }

    /// Whether somebody ended the search early.
    var wasEnded: Bool {
        guard let report else { return false }
        return report.exploration.wasEnded || report.survey?.wasEnded ?? false
    }

    /// How far a search came whose time was over before all orders were run; `nil` for one that ran all, and for a proof, which says it itself.
    var cut: String? {
        guard let report, report.isCutByTime, let planned = report.planned else { return nil }
        return "\(report.exploration.runs) of \(planned) orders in the time given"
    }

    /// Whether the scenario has only one order.
    var hasNothingToChoose: Bool { report.map { !$0.exploration.hadChoices && !$0.exploration.wasEnded } ?? false }

    var text: String {
        var lines: [String] = []
        if let report {
            lines.append("\(Terminal.styled(scenario, .bold)): \(report.summary)")
            lines += explored(report)
            lines += lacks
            lines += ends(report)
        }
        if let run {
            lines.append(
                "\(scenario): one order of \(run.steps.count) steps, \(run.steps.count { $0.position > 0 }) of them out of turn"
            )
        }
        if let passed {
            lines.append("It ends:")
            lines += passed.end.split(separator: "\n").map { "    \($0)" }
        }
        guard let found else {
            lines.append(
                wasEnded
                    ? Terminal.styled("Interrupted; no race found so far.", .yellow)
                    : Terminal.styled(
                        isProved
                            ? proved
                            : "No race found\(cut.map { " so far: \($0)" } ?? (lacks.isEmpty ? "" : " so far")).",
                        isUnproved || !lacks.isEmpty || cut != nil ? .yellow : .green
                    )
            )
            lines += basis + further
            return lines.joined(separator: "\n") + "\n"
        }
        lines.append("")
        lines.append(Terminal.styled("Race found (\(found.kind)):", .red))
        lines += found.findings.map { "  \($0)" }
        if let all = found.failure?.end?.comparisons, found.failure?.kind == .end, all.count > 1 {
            lines.append("\(all.count) ends are expected; so it differs from the nearest.")
        }
        if found.isDoubtful(in: report) {
            lines.append(FoundRace.doubt)
        }
        if let records = found.failure?.records, !records.isEmpty {
            lines.append("")
            lines.append("What happened, in this order:")
            lines += records.map { line in
                let record = try? JSONValue(parsing: line).objectValue.map { try ClientRecord($0) }
                return record.map(RecordLine.text) ?? line
            }
        }
        if let shrunk = found.shrunk {
            lines.append("")
            // One thing that is held back is one deviation, however many steps that puts out of turn.
            let (held, steps) = (shrunk.schedule.deviations.count, shrunk.steps.count { $0.position > 0 })
            lines.append(
                "Shrunk in \(shrunk.trials) runs to \(held) \(held == 1 ? "thing" : "things") held back, \(steps) \(steps == 1 ? "step" : "steps") out of turn"
                    + (shrunk.isMinimal ? "; no order with fewer held back fails." : ".")
            )
        }
        lines.append("")
        lines.append("To run it again: \(replayLine(found))")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Whether every order was run, and passed.
    var isProved: Bool { report?.proof != nil && report?.exploration.isComplete == true && found == nil }

    /// Whether a proof was asked for, and neither it nor a race was found.
    var isUnproved: Bool { report?.proof != nil && !isProved && found == nil }

    private var proved: String {
        report?.expectedEnds == 0
            ? "Proved: no order breaks an invariant. The scenario expects nothing else."
            : "Proved: no order goes wrong."
    }

    /// Whether shards have searched, each in its own time.
    var isMerged: Bool { merged != nil }

    /// What is not in a merged search.
    var lacks: [String] {
        guard let merged else { return [] }
        func shards(_ numbers: [Int]) -> String {
            let names = numbers.prefix(20).map { "\($0)" }.joined(separator: ", ") + (numbers.count > 20 ? ", …" : "")
            return "\(numbers.count == 1 ? "shard" : "shards") \(names) of \(merged.search.count)"
        }
        return (merged.missing.isEmpty ? [] : ["Missing: \(shards(merged.missing))."])
            + (merged.unfinished.isEmpty ? [] : ["Not made to the end: \(shards(merged.unfinished))."])
    }

    /// What a proof rests on.
    private var basis: [String] {
        guard isProved, let proof = report?.proof else { return [] }
        return (proof.assumptions.isEmpty ? [] : ["It assumes:"] + proof.assumptions.map { "  \($0)" })
            + ["It does not search:"] + proof.notSearched.map { "  \($0)" }
    }

    /// What a search that found nothing left out, and how to search there.
    private var further: [String] {
        guard let report, report.proof == nil, !wasEnded, SimulationSettings.reasonNotToStop == nil else { return [] }
        let locks = "--granularity locks also tries them before each access to what jobs share."
        return switch report.granularity {
        case .jobs: ["Other steps came in between whole jobs only; \(locks)"]
        case .stops: ["Other steps came in where a job ends or wakes another; \(locks)"]
        case .locks: []
        }
    }

    /// The command that runs a race again.
    func replayLine(_ found: FoundRace) -> String { replayLine(found.code) }

    /// The command that runs an order again.
    func replayLine(_ code: ReplayCode) -> String {
        "\(program) race \(scenario.shellWord)" + (app.map { " --app \($0.shellWord)" } ?? "")
            + " --replay \(code)"
            + (mailbox.map { " --mailbox \($0)" } ?? "")
    }

    /// How the orders end, if that is asked for.
    private func ends(_ report: RaceReport) -> [String] {
        guard showsEnds, let survey = report.survey else { return [] }
        let early = survey.wasEnded ? ", interrupted" : ""
        var lines = ["", "How \(survey.runs == 1 ? "one order ends" : "\(survey.runs) orders end")\(early):"]
        for end in survey.ends.all {
            let word = end.isFailure ? Terminal.styled("✘ fails", .red) : Terminal.styled("✔ passes", .green)
            // The orders of a proof in pieces have no numbers.
            let example = isMerged && report.proof != nil ? "such as" : "such as order \(end.example + 1):"
            lines.append("  \(end.runs) × \(word), \(example) --replay \(end.code)")
            lines += end.text.split(separator: "\n").map { "      \($0)" }
        }
        let others = survey.ends.others
        if others > 0 { lines.append("  \(others) × in other ways.") }
        lines += report.endsThatNeverCame.map { "  The end that is expected as number \($0) never came." }
        return lines
    }

    /// The result of a search in one line.
    var line: String {
        guard let report else { return scenario }
        let exploration = report.exploration
        let seen =
            exploration.summary.map(Self.inOptions)
            ?? "\(exploration.runs) orders, \(report.coverage.classes) different"
        let result =
            found.map { "\(Terminal.styled("race", .red)) (\($0.kind)): \(replayLine($0))" }
            ?? (wasEnded
                ? Terminal.styled("interrupted; no race found so far", .yellow)
                : isProved
                    ? Terminal.styled("proved", .green)
                    : Terminal.styled(
                        "no race found\(cut.map { " so far: \($0)" } ?? "")",
                        isUnproved || cut != nil ? .yellow : .green
                    ))
        return "\(scenario): \(seen), \(exploration.duration.formatted), \(result)"
    }

    private func explored(_ report: RaceReport) -> [String] {
        let exploration = report.exploration
        let time =
            merged.map { "in \($0.search.count) \($0.search.count == 1 ? "shard" : "shards")" }
            ?? "in \(exploration.duration.formatted)"
        var lines = [
            "\(exploration.runs) \(exploration.runs == 1 ? "order" : "orders") of at most \(exploration.longest) steps \(time), "
                + "\(report.strategy == .exhaustiveReported && report.proof != nil ? "each class at least once" : "chosen by \(report.strategy)"), seed \(exploration.seed)"
        ]
        // An exhaustive search also says what its proof rests on.
        if let summary = exploration.summary { lines.append("\(Self.inOptions(summary)).") }
        if report.strategy != .exhaustiveReported { lines.append("\(report.coverage).") }
        return lines
    }

    /// What the explorer says, with this command's options.
    private static func inOptions(_ summary: String) -> String {
        summary.replacing("set granularity: .locks", with: "give --granularity locks")
    }

    private static func lines(_ text: String) -> JSONValue {
        .array(text.split(separator: "\n").map { .string(String($0)) })
    }

    var json: JSONValue {
        var object: JSONObject = ["scenario": .string(scenario)]
        // Nobody knows of a search that was interrupted.
        if isRace || !wasEnded { object["race"] = .bool(isRace) }
        if let report {
            let exploration = report.exploration
            object["endedEarly"] = .bool(wasEnded || report.isCutByTime)
            if let planned = report.planned { object["planned"] = .integer(planned) }
            object["strategy"] = .string("\(report.strategy)")
            object["seed"] = .string(String(exploration.seed))
            object["runs"] = .integer(exploration.runs)
            object["classes"] = .integer(report.coverage.classes)
            object["complete"] = .bool(exploration.isComplete)
            if let summary = exploration.summary { object["extent"] = .string(Self.inOptions(summary)) }
            object["granularity"] = .string(report.granularity.rawValue)
            object["longest"] = .integer(exploration.longest)
            object["tracesHash"] = .string(String(exploration.traceHash, radix: 16))
            if let proof = report.proof {
                object["proved"] = .bool(isProved)
                object["combinationsOfTimes"] = .integer(proof.times)
                object["assumes"] = .array(proof.assumptions.map { .string($0) })
                object["notSearched"] = .array(proof.notSearched.map { .string($0) })
            }
            if let merged {
                object["shards"] = .integer(merged.search.count)
                object["missing"] = .array(merged.missing.map { .integer($0) })
                object["unfinished"] = .array(merged.unfinished.map { .integer($0) })
                object["failures"] = .integer(exploration.failures)
            } else {
                object["milliseconds"] = .integer(Int(exploration.duration / .milliseconds(1)))
            }
        }
        if showsEnds, let survey = report?.survey {
            object["ends"] = .array(
                survey.ends.all.map { end in
                    [
                        "runs": .integer(end.runs), "passes": .bool(!end.isFailure),
                        "end": Self.lines(end.text),
                        "replay": .string("\(end.code)"),
                    ]
                }
            )
            object["surveyed"] = .integer(survey.runs)
            object["neverCame"] = .array((report?.endsThatNeverCame ?? []).map { .integer($0) })
        }
        if let run { object["traceHash"] = .string(String(run.traceHash, radix: 16)) }
        if let passed {
            object["end"] = Self.lines(passed.end)
            object["records"] = .array(passed.records.compactMap { try? JSONValue(parsing: $0) })
        }
        if let found {
            object["kind"] = .string(found.kind)
            object["findings"] = .array(found.findings.map(JSONValue.string))
            object["replay"] = .string("\(found.code)")
            object["traceHash"] = .string(String(found.run.traceHash, radix: 16))
            object["records"] = .array((found.failure?.records ?? []).compactMap { try? JSONValue(parsing: $0) })
        }
        return .object(object)
    }
}

extension Duration {
    /// Seconds with two decimals.
    fileprivate var formatted: String {
        let hundredths = Int(self / .milliseconds(10))
        return "\(hundredths / 100).\(String(100 + hundredths % 100).dropFirst()) s"
    }
}
