internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import SceneSoak
internal import StrictJSON

struct Play: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play a script of events and other calls, and show what differs from its expectations.",
        discussion: """
            A script is JSON with one step a line, as 'scenectl record' writes it, or a list in YAML:

              - { at: 0, call: Scenes.Connect, parameters: { scene: A } }
              - { at: 500, call: Events.OpenURL, parameters: { url: "qcommerce://cart", scene: A },
                  expect: { receipt: { outcome: applied } } }
              - { at: 2000, call: Session.SignIn, parameters: { user: anna }, quiet: true }

            at is in milliseconds. call is a method of io.scened. quiet waits until everything before the step is done, settled \
            until nothing goes on but what waits for a hold or for the clock; a recording says which it was. expect lists members \
            of the reply, or names an error; for an event it describes the receipt at the end of the script. What no reply can \
            have, no window of the app can show or no fact can be is refused before the first call. \
            protocol/script.schema.json describes the format for editors.

            A recording has placeholders for what the app's manifest calls secret. Give each value with --secret; a step is \
            played with it, and a placeholder that is expected stands for any other that always stands where it does:

              scenectl play bug.jsonl --secret secret:1f3a=hunter2

            On a daemon with --clock virtual the clock is advanced from step to step; otherwise the script's intervals are kept. A \
            recording of such a daemon says at which date its clock began, as start in the first step: --reset begins there. \
            Without it you are told if something differs and the daemon's date is another.

            What is random comes again with --reset, too: the seed is that of --seed, or else of the recording (seed in its first \
            step), or else what the daemon has already, as from 'with-daemon --seed'.

            --export plays nothing: it writes the script for somebody else, and needs no daemon. simctl is a shell script of what \
            'xcrun simctl' can do, with what it cannot as steps by hand; pytest a test for the package in protocol/python; swift \
            one for Swift Testing with SceneClientTesting; scenario a file for 'scenectl race', in which the steps that overlapped \
            last, or else the last two events, are actors, and all before is the setup:

              scenectl play bug.jsonl --export simctl --bundle com.example.shop > bug.sh
              scenectl play bug.jsonl --export pytest --app shop.yaml > test_bug.py
              scenectl play bug.jsonl --export swift --app shop.yaml > BugTests.swift
              scenectl play bug.jsonl --export scenario --app shop.yaml > bug.yaml

            In these tests nothing sleeps: the script's intervals are those of a virtual clock, or with --restful none. What is \
            secret they ask of the environment, unless --secret gives it. What cannot be written is an error, or a comment \
            'left out:' where the rest is right without it.

            Exit status: 0 everything came out as expected, 1 something did not.
            """
    )

    @Argument(help: "The script, or - for standard input.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("Divide the intervals by this.", valueName: "factor"))
    var speed = 1.0

    @Flag(
        help: """
            Ignore the intervals: begin each step when everything before it is done. A virtual clock is advanced as ever, and a step \
            begins when nothing before it goes on but with time.
            """
    )
    var restful = false

    @Option(
        name: .customLong("secret"),
        help: ArgumentHelp(
            "Play with this value where the script has a placeholder; its beginning is enough. May be repeated.",
            valueName: "placeholder=value"
        )
    )
    var secrets: [String] = []

    @Flag(help: "Reset the daemon first ('scenectl reset'), to the date of its clock and the seed that the script has.")
    var reset = false

    @Option(
        help: ArgumentHelp(
            "The seed of what is random, with --reset. Default: the script's, or else that of the daemon.",
            valueName: "number"
        )
    )
    var seed: Int?

    /// For whom a script can be written.
    enum Target: String, CaseIterable, ExpressibleByArgument {
        case simctl, pytest, swift, scenario
    }

    @Option(
        help: ArgumentHelp(
            "Write the script to standard output for a simulator, as a test or as a scenario, and play nothing.",
            valueName: "target"
        )
    )
    var export: Target?

    @Option(
        help: ArgumentHelp(
            "The app on the simulator, with --export simctl. Default: BUNDLE when the script is run.",
            valueName: "identifier"
        )
    )
    var bundle: String?

    @Option(
        help: ArgumentHelp(
            "The manifest's file or example that the test or the scenario names, with --export. Default: that of whoever runs it.",
            valueName: "file"
        ),
        completion: .apps
    )
    var app: String?

    @OptionGroup var results: CaseReportOptions

    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        guard export == nil || !results.areGiven else {
            throw ValidationError("--export plays nothing; give it no --junit and no --github-annotations.")
        }
        guard bundle == nil || export == .simctl else {
            throw ValidationError("--bundle: expected together with --export simctl.")
        }
        if let bundle, !SimctlScript.isBundle(bundle) {
            throw ValidationError(
                "--bundle '\(bundle)': expected a bundle identifier such as com.example.shop: letters, digits, '-' and '.'."
            )
        }
        guard app == nil || export != nil && export != .simctl else {
            throw ValidationError("--app: expected together with --export pytest, swift or scenario.")
        }
        if let app, app.isEmpty {
            throw ValidationError("--app: expected a manifest's file or one of shop, bank, club, found nothing.")
        }
        if let export, export != .simctl, speed != 1 {
            throw ValidationError(
                "--speed: no time passes by itself in what is written with --export \(export.rawValue); leave it out, or give --restful."
            )
        }
        guard export == nil || !reset else {
            throw ValidationError("--reset: no daemon plays what is written with --export; leave one out.")
        }
        guard seed == nil || reset else {
            throw ValidationError("--seed: expected together with --reset: a daemon gets its seed when it starts over.")
        }
        guard (0.001...1_000_000).contains(speed) else {
            throw ValidationError("--speed \(speed): expected 0.001 to 1000000.")
        }
    }

    func run() async throws {
        try await results.reporting("scenectl play", of: file, keeps: [file]) { try await run($0) }
    }

    /// - Parameter add: Takes how each step came out.
    private func run(_ add: (CaseReport.Case) -> Void) async throws {
        let steps = try ScriptFile.read(file)
        let name = file == "-" ? "standard input" : file
        let asksLater = export == .pytest || export == .swift
        let secrets = try ScriptSecrets(secrets, for: steps, in: name, mayMiss: asksLater)
        if let export { return try write(steps, for: export, secrets, in: name) }
        let client = try await daemon.connect()
        let otherManifest = try await Self.otherManifest(steps, client)
        // What another manifest has made possible is compared with what comes, not judged by this one.
        try await Self.check(steps, in: name, client, expectations: otherManifest == nil)
        try await ScriptWindows.check(steps, in: name, client, resets: reset)
        let isVirtual = try await ScriptPlayer.isVirtual(client)
        let start = steps.first?.start
        if reset {
            var seed = self.seed ?? steps.first?.seed
            if seed == nil { seed = try await client.seed() }
            _ = try await client.reset(seed: seed, start: isVirtual ? start : nil)
        }
        var begins = steps.first?.at ?? 0
        var otherDate: String?
        if let start {
            let clock = try await DaemonClock(client)
            if let clock, isVirtual, clock.began(at: start), clock.now <= begins {
                // The steps' times are the clock's.
                begins = clock.now
            } else {
                otherDate = Self.otherDate(start, clock)
            }
        }
        let json = daemon.json
        let player = ScriptPlayer(
            pace: isVirtual ? .virtual(settles: restful) : restful ? .restful : .real(speed: speed),
            secrets: secrets,
            connect: { try await daemon.connect() },
            show: { step, result in if !json { Self.show(step, result) } }
        )
        let differences = try await player.play(steps, from: begins)
        let ofStep = Dictionary(grouping: differences, by: \.step)
        for (index, step) in steps.enumerated() {
            let texts = ofStep[index + 1, default: []].map(\.text)
            add(
                CaseReport.Case(
                    "step \(index + 1), \(step.call)",
                    texts.isEmpty
                        ? .passed : .failed(CaseReport.message(texts), text: texts.joined(separator: "\n")),
                    file: file == "-" ? nil : file,
                    line: step.line
                )
            )
        }
        if json {
            let list = JSONValue.array(differences.map { .string("\($0)") })
            print(json: ["steps": .integer(steps.count), "differences": list])
        } else {
            for difference in differences { print("\(Terminal.styled("✗", .red)) \(difference)") }
            let played = Wording.counted(steps.count, "step")
            print(
                differences.isEmpty
                    ? "\(played) as expected" : "\(Wording.counted(differences.count, "difference")) in \(played)"
            )
        }
        guard differences.isEmpty else {
            if let otherDate { Terminal.complain(otherDate) }
            if let otherManifest { Terminal.complain(otherManifest) }
            throw ExitCode(1)
        }
    }

    /// Writes the script for somebody else.
    private func write(_ steps: [ScriptStep], for target: Target, _ secrets: ScriptSecrets, in name: String) throws {
        let text: String
        var counts: JSONObject = [:]
        switch target {
        case .simctl:
            let script = try SimctlScript(
                steps,
                secrets: secrets,
                in: name,
                bundle: bundle,
                speed: restful ? nil : speed
            )
            text = script.text
            counts = ["commands": .integer(script.commands), "byHand": .integer(script.byHand)]
        case .pytest:
            text = try PytestScript(steps, secrets: secrets, in: name, app: app, keepsTime: !restful).text
        case .swift:
            text = try SwiftScript(steps, secrets: secrets, in: name, app: app, keepsTime: !restful).text
        case .scenario:
            text = try ScenarioScript(steps, secrets: secrets, in: name, app: app, keepsTime: !restful).text
        }
        guard !daemon.json else {
            var json: JSONObject = ["script": .string(text)]
            for (key, value) in counts { json[key] = value }
            return print(json: .object(json))
        }
        print(text, as: .json, terminator: "")
    }

    /// Refuses a script with a call that the daemon does not have, or an expectation that it can never meet.
    static func check(
        _ steps: [ScriptStep],
        in name: String,
        _ client: SceneClient,
        expectations areJudged: Bool
    ) async throws {
        let interfaces = try await ScriptInterfaces(client)
        let expectations = areJudged ? try await ScriptExpectations(interfaces, client) : nil
        for (index, step) in steps.enumerated() {
            let place = "\(name), step \(index + 1)"
            try interfaces.check(step, at: place)
            try expectations?.check(step, at: place)
        }
    }

    /// What is why a script comes otherwise on a daemon that runs another app, or another version of it.
    private static func otherManifest(_ steps: [ScriptStep], _ client: SceneClient) async throws -> String? {
        guard let recorded = steps.first?.manifest,
            let running = try await client.call("io.scened.Manager.GetStatus")["manifest"]?.stringValue,
            running != recorded
        else { return nil }
        return "The script was recorded with the manifest \(recorded), and this daemon runs \(running)."
    }

    /// What may be why a script comes otherwise on a daemon whose clock is not where the script's was.
    private static func otherDate(_ start: String, _ clock: DaemonClock?) -> String {
        guard let clock else {
            return
                "The script's virtual clock began at \(start), and this daemon's clock is the real one; what depends on the date "
                + "comes otherwise. Play it on a daemon with --clock virtual and --start \(start)."
        }
        let daemon = clock.began(at: start) ? "so did this daemon's, but" : "and this daemon's at \(clock.start);"
        return
            "The script's clock began at \(start), \(daemon) it stands at \(clock.date) now, and what depends on the date comes "
            + "otherwise. Play it with --reset, which begins at the script's date."
    }

    private static func show(_ step: ScriptStep, _ result: Result<JSONObject, SceneClientError>) {
        let seconds = "\(step.at / 1_000).\(String(1_000 + step.at % 1_000).dropFirst())"
        let what =
            switch result {
            case .success(let reply):
                ([reply["receipt"]].compactMap(\.self) + (reply["receipts"]?.arrayValue ?? [])).compactMap { receipt in
                    receipt["ticket"]?.integerValue.map { "\(receipt["scene"]?.stringValue ?? "the app") #\($0)" }
                }.joined(separator: ", ")
            case .failure(let error): Advice.message(for: error)
            }
        print(
            "\(Terminal.styled(String(repeating: " ", count: max(0, 10 - seconds.count)) + seconds, .faint))  \(step.call)  \(what)"
        )
        Terminal.flush()
    }
}
