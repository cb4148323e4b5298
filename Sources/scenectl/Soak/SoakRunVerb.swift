internal import ArgumentParser
internal import SceneClient
internal import SceneSoak
internal import StrictJSON

struct SoakRunVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Sends what users would send, at a rate, whatever the daemon does with it.",
        discussion: """
            Events are due by the plan, not when the one before was answered; latency is counted from the time an event was \
            due, so that a daemon that stalls is seen to stall. Users come by a Markov chain that depends on the seed alone: \
            links, pushes, widgets, Handoff, gestures, flows, sign-ins and sign-outs, windows that go and come back. The \
            daemon's records are followed and judged by the invariants while it runs.

            Examples:
              scenectl soak --private --duration 10s
              scenectl soak --rate 500 --clients 20 --scenes 16 --duration 2h --slo 'p99<20ms,lost=0' --out friday
              scenectl soak --mix 'links=40,pushes=20,gestures=40' --seed 7

            Ctrl-C ends the load and reports what there is; a second one ends the program.

            Exit status: 0 all is well, 1 something was lost or an invariant or an objective was not kept, 2 usage, \
            3 no daemon, 4 it cannot be known.
            """
    )

    @OptionGroup var daemon: DaemonOptions
    @OptionGroup var load: SoakLoadOptions
    @OptionGroup var watching: SoakWatchOptions

    func run() async throws {
        let plan = try load.plan(watching)
        guard watching.isPrivate else {
            return try await soak(plan, socket: try daemon.path())
        }
        if daemon.socket != nil {
            throw CommandError.usage(
                "--private starts a daemon of its own; --socket names another. Leave one of them out."
            )
        }
        do {
            try await KeptDaemon.run(
                executable: watching.scened,
                arguments: ["--log", "text", "--log-level", "warning"] + (watching.app.map { ["--app", $0] } ?? [])
            ) { socket in
                try await soak(plan, socket: socket)
            }
        } catch let error as SceneClientError {
            throw error
        } catch let error as CommandError {
            throw error
        } catch let code as ExitCode {
            throw code
        } catch {
            throw CommandError(message: "The private daemon cannot be used: \(error)", status: 3)
        }
    }

    private func soak(_ plan: SoakPlan, socket: String) async throws {
        var settings = try watching.settings(plan, socket: socket)
        if let events = load.events {
            settings.script = try ScriptFile.read(events).map { SoakCall(scripted: $0.method, $0.parameters) }
        }
        let screen = SoakScreen()
        let stop = SoakStop()
        let run: SoakRun
        do {
            run = try await SoakSignals.during(stop) {
                [settings] in try await Soak(settings, stop: stop, progress: screen.show, warn: screen.warn).run()
            }
        } catch SceneClientError.noDaemon(let path, let reason) {
            throw CommandError(
                message:
                    "No daemon at \(path) (\(reason)). Start one with 'scened', name its socket with --socket or SCENED_SOCKET, or have the soak start one of its own with --private.",
                status: 3
            )
        } catch let failure as SoakFailure {
            throw CommandError(message: "\(failure).", status: failure.isUsage ? 2 : 1)
        } catch let failure as SoakFolder.Failure {
            throw CommandError.usage("--out \(settings.directory ?? ""): \(failure).")
        }
        screen.clear()
        try SoakOutput(folder: watching.out, isJSON: daemon.json, showsDistribution: watching.hdr).show(run)
    }
}

/// What is sent, how often and for how long.
struct SoakLoadOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Events a second, over all clients.", valueName: "number"))
    var rate = 100.0

    @Option(
        help: ArgumentHelp(
            "When they are due: in equal distances (uniform) or as people come (poisson).",
            valueName: "how"
        )
    )
    var arrival = SoakPlan.Arrival.poisson

    @Flag(help: "Do not send what is late by more than one interval; it is counted as not sent.")
    var nocatchup = false

    @Option(help: ArgumentHelp("How long: 500ms, 30s, 5m, 2h, 1d.", valueName: "time"))
    var duration = "60s"

    @Option(help: ArgumentHelp("What comes before and is not counted.", valueName: "time"))
    var warmUp = "5s"

    @Option(help: ArgumentHelp("Connections that send.", valueName: "number"))
    var clients = 8

    @Option(help: ArgumentHelp("Windows that they send to.", valueName: "number"))
    var scenes = 8

    @Option(
        help: ArgumentHelp(
            "How often each kind comes, such as links=40,pushes=20. Default: the users' own habits.",
            valueName: "name=weight,…"
        )
    )
    var mix: String?

    @Option(
        help: ArgumentHelp("What all randomness comes from. Default: a new one, which is printed.", valueName: "number")
    )
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "A script as 'scenectl record' writes it: its calls are sent, in random order, each to a window of its sender. Default: what suits the built-in shop, else links made of the app's routes.",
            valueName: "file"
        )
    )
    var events: String?

    @Option(help: ArgumentHelp("How many calls a client may have unanswered; more wait.", valueName: "number"))
    var inFlight = 64

    @Option(help: ArgumentHelp("Percentiles to show.", valueName: "list"))
    var percentiles = "50,90,99,99.9"

    @Option(
        help: ArgumentHelp(
            "What must be kept, such as 'p99<20ms,lost=0,errors<1%,p99[push]<50ms,rss<200MiB'. May be repeated.",
            valueName: "objective,…"
        )
    )
    var slo: [String] = []

    func plan(_ watching: SoakWatchOptions) throws -> SoakPlan {
        guard rate.isFinite, (0.001...1_000_000).contains(rate) else {
            throw CommandError.usage("--rate \(rate): 0.001 to 1000000 events a second would be right.")
        }
        let duration = try Self.time(self.duration, "duration", atLeast: .milliseconds(1))
        let warmUp = try Self.time(self.warmUp, "warm-up", atLeast: .zero)
        let every = try Self.time(watching.every, "every", atLeast: .milliseconds(100))
        for (name, number, most) in [
            ("clients", clients, 4_096), ("scenes", scenes, 100_000), ("in-flight", inFlight, 100_000),
        ]
        where !(1...most).contains(number) {
            throw CommandError.usage("--\(name) \(number): 1 to \(most) would be right.")
        }
        let objectives = try objectives()
        do throws(SoakPlanProblem) {
            return SoakPlan(
                rate: rate,
                arrival: arrival,
                duration: duration,
                warmUp: warmUp,
                clients: clients,
                scenes: scenes,
                mix: try mix.map { text throws(SoakPlanProblem) in try SoakPlan.mix(parsing: text) } ?? [:],
                seed: seed ?? UInt64.random(in: 0...UInt64(UInt32.max)),
                percentiles: try SoakPlan.percentiles(parsing: percentiles),
                objectives: objectives,
                every: every,
                catchesUp: !nocatchup,
                faults: watching.faults.map { [$0] } ?? [],
                inFlight: inFlight,
                script: events,
                isPrivate: watching.isPrivate,
                app: watching.app,
                resets: watching.reset,
                followsRecords: watching.records
            )
        } catch {
            throw CommandError.usage("\(error)")
        }
    }

    /// Each objective as it was written, once all are known to be readable.
    private func objectives() throws(CommandError) -> [String] {
        do throws(SoakObjectiveError) {
            var objectives: [String] = []
            for text in slo { objectives += try SoakObjective.parse(text).map(\.text) }
            return objectives
        } catch {
            throw .usage("--slo: \(error)")
        }
    }

    private static func time(_ text: String, _ option: String, atLeast least: Duration) throws(CommandError) -> Duration
    {
        guard let duration = Duration(words: text), duration >= least else {
            throw .usage(
                "--\(option) \(text): a time such as 500ms, 30s, 5m or 2h, at least \(least.words), would be right."
            )
        }
        return duration
    }
}

extension SoakPlan.Arrival: ExpressibleByArgument {}

/// On which daemon, what is watched, and where it is written.
struct SoakWatchOptions: ParsableArguments {
    @Flag(name: .customLong("private"), help: "Start a daemon for this soak, and stop it afterwards.")
    var isPrivate = false

    @Option(help: ArgumentHelp("The app of a private daemon. Default: the built-in shop.", valueName: "file"))
    var app: String?

    @Option(
        help: ArgumentHelp(
            "The scened program of a private daemon. Default: the one beside scenectl, else the one in PATH.",
            valueName: "path"
        )
    )
    var scened: String?

    @Flag(help: "Have the daemon begin anew before: no windows, nobody signed in, all its records read.")
    var reset = false

    @Flag(
        inversion: .prefixedNo,
        help: "Follow and judge the daemon's records. Without, it has less to do and its invariants are not known."
    )
    var records = true

    @Option(
        help: ArgumentHelp("How long an interval is: a line of progress, a sample of the daemon.", valueName: "time")
    )
    var every = "10s"

    @Option(
        help: ArgumentHelp(
            "A folder for what is written down: intervals as they end, what shows violations, report.html, soak.json, latency.hgrm.",
            valueName: "folder"
        )
    )
    var out: String?

    @Flag(help: "Print the whole distribution of latencies, as HdrHistogram's tools read it.")
    var hdr = false

    @Option(
        help: ArgumentHelp(
            "What is broken on purpose and when, such as client@2m,stall@5m+30s,slow@7m+10s,reload@8m,kill@every 10m; times are those of the soak's clock.",
            valueName: "fault@time,…"
        )
    )
    var faults: String?

    @Option(help: ArgumentHelp("How long the daemon may be gone before the soak gives up.", valueName: "time"))
    var patience = "60s"

    func settings(_ plan: SoakPlan, socket: String) throws(CommandError) -> SoakSettings {
        guard let patience = Duration(words: patience) else {
            throw .usage("--patience \(patience): a time such as 500ms, 30s or 5m would be right.")
        }
        var settings = SoakSettings(plan: plan, socket: socket)
        settings.patience = patience
        settings.directory = out
        do throws(SoakPlanProblem) {
            settings.faults = try faults.map { text throws(SoakPlanProblem) in try FaultPlan.list(parsing: text) } ?? []
        } catch {
            throw .usage("\(error)")
        }
        return settings
    }
}
