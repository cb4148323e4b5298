internal import Basics
internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import SceneManifest
internal import SceneModel
internal import SceneRouting
internal import SceneSoak
internal import StrictJSON

struct SoakVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Put a daemon under load for seconds or days, and report whether anything was lost, slow or wrong.",
        subcommands: [SoakRunVerb.self, SoakReportVerb.self, SoakCompareVerb.self, SoakMergeVerb.self],
        defaultSubcommand: SoakRunVerb.self
    )
}

struct SoakRunVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Send what users would send, at a rate that does not depend on the daemon.",
        discussion: """
            A schedule says when each event is due, whether or not earlier ones were answered, and latency counts from then, so \
            a daemon that stalls is seen to stall. Simulated users act at random, from the seed alone: links, pushes, widgets, \
            Handoff, gestures, flows, sign-ins and sign-outs, windows that disconnect and come back. Meanwhile the daemon's \
            records are checked against the invariants.

            Examples:
              scenectl soak --private --duration 10s
              scenectl soak --rate 500 --clients 20 --scenes 16 --duration 2h --slo 'p99<20ms,lost=0' --out friday
              scenectl soak --mix 'links=40,pushes=20,gestures=40' --seed 7
              scenectl soak --private --duration 2h --seed 7 --shard 2/7 --out friday

            With --shard 2/7 it is the second of seven soaks on as many machines, each of which loads a daemon of its own with other \
            events. It leaves the folder friday.shard-2-of-7, and 'scenectl soak merge' adds the seven up. With --shard 7 the number is \
            what the engine says that starts it, by the first of these variables that is set: \(ShardNumber.words).

            Ctrl-C ends the load and reports on what there is, which then is never called clean; a second Ctrl-C ends the program \
            at once.

            Exit status: 0 clean, 1 guilty (an event was lost, an invariant was violated, an objective was missed, …), 2 usage, \
            3 no daemon, 4 unknown (it was interrupted, records are missing, the limit of an objective such as \
            'rss.growth<1MiB/h' is within the interval that so short a time leaves open, nothing was applied, a fault could not \
            be caused, …).
            """
    )

    @OptionGroup var daemon: DaemonOptions
    @OptionGroup var load: SoakLoadOptions
    @OptionGroup var watching: SoakWatchOptions
    @OptionGroup var results: CaseReportOptions

    func run() async throws {
        try await results.reporting("scenectl soak", of: subject, keeps: [watching.app, load.events]) {
            try await run($0)
        }
    }

    /// The folder that is written, which says which of several shards it is; also if the command line is wrong elsewhere.
    private var subject: String? {
        guard let number = load.shard.flatMap({ try? ShardNumber($0, atMost: SoakPlan.Shard.maxCount) }) else {
            return watching.out
        }
        return watching.out.map { SoakPlan.Shard(number: number.number, count: number.count).folder($0) }
    }

    /// The words of the command that where it runs needs, and no plan has.
    private var place: [String] {
        (daemon.socket.map { ["--socket \($0.shellWord)"] } ?? [])
            + (watching.program.scened.map { ["--scened \($0.shellWord)"] } ?? [])
            + (watching.patience == SoakWatchOptions.usualPatience ? [] : ["--patience \(watching.patience.shellWord)"])
    }

    /// - Parameter add: Takes what was judged.
    private func run(_ add: @escaping @Sendable (CaseReport.Case) -> Void) async throws {
        let plan = try load.plan(watching)
        if let folder = watching.folder(of: plan), let out = watching.out, folder != out {
            Terminal.complain("Shard \(plan.shard?.number ?? 0) of \(plan.shard?.count ?? 0); its folder is \(folder).")
        }
        guard watching.isPrivate else {
            return try await soak(plan, socket: try daemon.path(), add)
        }
        if daemon.socket != nil {
            throw CommandError.usage(
                "--private starts a new daemon, --socket names a running one. Leave one of them out."
            )
        }
        // A manifest that cannot be read is said once, not by a daemon that is started again and again.
        _ = try watching.settings(plan, socket: "")
        do {
            try await SupervisedDaemon.run(
                executable: watching.program.scened,
                arguments: ["--log", "text", "--log-level", "warning"] + (watching.app.map { ["--app", $0] } ?? [])
            ) { socket in
                try await soak(plan, socket: socket, add)
            }
        } catch let error as SceneClientError {
            throw error
        } catch let error as CommandError {
            throw error
        } catch let code as ExitCode {
            throw code
        } catch {
            throw CommandError(message: "The private daemon failed: \(error)", status: .noDaemon)
        }
    }

    private func soak(_ plan: SoakPlan, socket: String, _ add: @escaping @Sendable (CaseReport.Case) -> Void)
        async throws
    {
        var settings = try watching.settings(plan, socket: socket)
        if let events = load.events {
            let steps = try ScriptFile.read(events)
            let secrets = try ScriptSecrets(load.secrets, for: steps, in: events)
            settings.script = steps.map { SoakCall(scripted: $0.method, secrets.filled($0.parameters)) }
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
                    SocketAdvice.unreachable(path, reason) + " Or let the soak start one with --private.",
                status: .noDaemon
            )
        } catch let failure as SoakFailure {
            throw CommandError(message: "\(failure).", status: failure.isUsage ? .usage : .refused)
        } catch let failure as SoakFolder.Failure {
            throw CommandError.usage("--out \(settings.directory ?? ""): \(failure).")
        }
        screen.clear()
        try SoakOutput(folder: settings.directory, isJSON: daemon.json, showsDistribution: watching.hdr, place: place)
            .show(run, add)
    }
}

/// Options for what is sent, how often and for how long.
struct SoakLoadOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Events per second, over all clients.", valueName: "number"))
    var rate = 100.0

    @Option(
        help: ArgumentHelp(
            "When events are due: at equal intervals (uniform) or at random, as independent users act (poisson).",
            valueName: "how"
        )
    )
    var arrival = SoakPlan.Arrival.poisson

    @Flag(help: "Skip events that are late by more than the interval between two events, and count them as not sent.")
    var nocatchup = false

    @Option(help: ArgumentHelp("How long the load lasts: 500ms, 30s, 5m, 2h, 1d.", valueName: "time"))
    var duration = "60s"

    @Option(help: ArgumentHelp("How long to warm up before; this time is not counted.", valueName: "time"))
    var warmUp = "5s"

    @Option(help: ArgumentHelp("The number of connections that send events.", valueName: "number"))
    var clients = 8

    @Option(
        help: ArgumentHelp(
            "The number of windows that events are sent to. Default: 8, or as many as the app in --app allows.",
            valueName: "number"
        )
    )
    var scenes: Int?

    @Option(
        help: ArgumentHelp(
            "How often each kind of event comes, such as links=40,pushes=20. Default: it depends on what a user is doing.",
            valueName: "name=weight,…"
        )
    )
    var mix: String?

    @Option(
        help: ArgumentHelp("The seed of all random choices. Default: a new one, which is printed.", valueName: "number")
    )
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "Be this one of several soaks on as many machines, such as 2/7, or 7 alone where an engine says which, as for 'race --shard', with the same --seed; 'soak merge' adds up what they leave in --out.",
            valueName: "number/count"
        )
    )
    var shard: String?

    @Option(
        help: ArgumentHelp(
            "A script as 'scenectl record' writes it; its calls are sent in random order, each to a window of the sender. Default: events made from the manifest that the daemon runs.",
            valueName: "file"
        )
    )
    var events: String?

    @Option(
        name: .customLong("secret"),
        help: ArgumentHelp(
            "The value that a placeholder in --events stands for, as for 'play'. May be repeated.",
            valueName: "placeholder=value"
        )
    )
    var secrets: [String] = []

    @Option(help: ArgumentHelp("How many unanswered calls a client may have; further calls wait.", valueName: "number"))
    var inFlight = 64

    @Option(help: ArgumentHelp("The percentiles to show.", valueName: "list"))
    var percentiles = "50,90,99,99.9"

    @Option(
        help: ArgumentHelp(
            "Objectives to meet, such as 'p99<20ms,lost=0,errors<1%,p99[push]<50ms,rss<200MiB'. May be repeated.",
            valueName: "objective,…"
        )
    )
    var slo: [String] = []

    func plan(_ watching: SoakWatchOptions) throws -> SoakPlan {
        guard rate.isFinite, (0.001...1_000_000).contains(rate) else {
            throw CommandError.usage("--rate \(rate): expected 0.001 to 1000000 events per second.")
        }
        let duration = try Self.time(self.duration, "duration", atLeast: .milliseconds(1))
        let warmUp = try Self.time(self.warmUp, "warm-up", atLeast: .zero)
        let every =
            try watching.every.map { text throws(CommandError) in
                try Self.time(text, "every", atLeast: .milliseconds(100))
            } ?? SoakPlan.usualInterval(of: duration)
        let allowed = try watching.app.map { try ManifestFile.read($0).policies.maximumScenes }
        let scenes = scenes ?? min(8, allowed ?? 8)
        for (name, number, most) in [
            ("clients", clients, 4_096), ("scenes", scenes, 100_000), ("in-flight", inFlight, 100_000),
        ]
        where !(1...most).contains(number) {
            throw CommandError.usage("--\(name) \(number): expected 1 to \(most).")
        }
        let objectives = try objectives()
        if watching.out?.isEmpty == true {
            throw CommandError.usage("--out '': expected the path of a folder, found nothing.")
        }
        let number = try shard.map { text throws(CommandError) in
            try ShardNumber(text, atMost: SoakPlan.Shard.maxCount)
        }
        if let warning = number?.warning { Terminal.complain(warning) }
        if number != nil, seed == nil || watching.out == nil {
            throw CommandError.usage(
                "--shard needs a --seed, because every shard must have the same, and --out, which 'soak merge' reads."
            )
        }
        do throws(SoakPlanProblem) {
            var plan = SoakPlan(
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
            plan.shard = number.map { SoakPlan.Shard(number: $0.number, count: $0.count) }
            return plan
        } catch {
            throw CommandError.usage("\(error)")
        }
    }

    /// The objectives as written, each of which can be read.
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
        guard let duration = Duration.reading(text), duration >= least else {
            throw .usage(
                "--\(option) \(text): expected a time such as 500ms, 30s, 5m or 2h, at least \(least.words)."
            )
        }
        return duration
    }
}

extension SoakPlan.Arrival: ExpressibleByArgument {}

/// Options for the daemon, for what is watched, and for what is written.
struct SoakWatchOptions: ParsableArguments {
    @Flag(name: .customLong("private"), help: "Start a daemon for this soak, and stop it afterwards.")
    var isPrivate = false

    @Option(
        help: ArgumentHelp(
            "The app's manifest, or an example by its name, which a private daemon runs. Default: the built-in shop. Records are judged by the manifest that the daemon runs, and by this one.",
            valueName: "file"
        ),
        completion: .apps
    )
    var app: String?

    @OptionGroup var program: ProgramOption

    @Flag(help: "Reset the daemon first, so that there are no windows, nobody is signed in, and no record is missed.")
    var reset = false

    @Flag(
        inversion: .prefixedNo,
        help: "Follow and check the daemon's records. Otherwise it has less to do, and its invariants are unknown."
    )
    var records = true

    @Option(
        help: ArgumentHelp(
            "The length of an interval; each has its percentiles, a line of progress and a sample of the daemon. Default: a tenth of --duration, from 500ms to 10s.",
            valueName: "time"
        )
    )
    var every: String?

    @Option(
        help: ArgumentHelp(
            "A folder for report.html, soak.json, latency.hgrm, each interval as it ends, and the records of violations and faults with pages that show them.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var out: String?

    @Flag(help: "Remove an earlier soak from the folder of --out; otherwise a folder that holds one is refused.")
    var replace = false

    @Flag(help: "Print the whole distribution of latencies in the format of HdrHistogram's tools.")
    var hdr = false

    @Option(
        help: ArgumentHelp(
            "What to break on purpose, and when since the soak's start: client@2m,stall@5m+30s,slow@7m+10s,reload@8m,kill@every 10m. A client goes with its calls in flight, a subscriber stops reading (stall), a window is held (slow), the manifest is read again, the daemon is killed.",
            valueName: "fault@time,…"
        )
    )
    var faults: String?

    @Option(help: ArgumentHelp("How long the daemon may be away before the soak gives up.", valueName: "time"))
    var patience = Self.usualPatience

    static let usualPatience = "60s"

    /// The folder that is written: each shard has its own.
    func folder(of plan: SoakPlan) -> String? {
        out.map { plan.shard?.folder($0) ?? $0 }
    }

    func settings(_ plan: SoakPlan, socket: String) throws(CommandError) -> SoakSettings {
        guard let patience = Duration.reading(patience) else {
            throw .usage("--patience \(patience): expected a time such as 500ms, 30s or 5m.")
        }
        var settings = SoakSettings(plan: plan, socket: socket)
        settings.patience = patience
        settings.directory = folder(of: plan)
        settings.replacesEarlier = replace
        if replace, out == nil {
            throw .usage("--replace removes an earlier soak from the folder of --out; give both.")
        }
        settings.app = try app.map { file throws(CommandError) in try ManifestFile.read(file) }
        settings.readManifest = { text in try? AppManifest.inForce(text) }
        do throws(SoakPlanProblem) {
            settings.faults =
                try faults.map { text throws(SoakPlanProblem) in
                    try FaultPlan.list(parsing: text, before: plan.end)
                } ?? []
        } catch {
            throw .usage("\(error)")
        }
        return settings
    }
}
