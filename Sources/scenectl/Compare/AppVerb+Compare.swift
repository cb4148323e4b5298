internal import CommandConsole
internal import ArgumentParser
internal import Basics
internal import CommandMistakes
internal import SceneClient
internal import SceneManifest
internal import SceneRouting
internal import SceneSoak
internal import StrictJSON

extension AppVerb {
    struct Compare: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "compare",
            abstract:
                "Play the same events to two apps, and show the first difference, shrunk until no event can be left out.",
            discussion: """
                Each app is a manifest or an example by its name, the program of a daemon with code of its own, or the socket of a \
                daemon that runs, which is reset. What has to be started has a virtual clock and a private socket, and ends with the command.

                Examples:
                  scenectl app compare shop .build/debug/shop-daemon --steps 100000
                  scenectl app compare before.yaml after.yaml --seed 7 --save difference.jsonl
                  scenectl app compare my.yaml .build/debug/my-daemon --script bug.jsonl

                Without --script it takes random walks of \(AppWalk.length) steps through all that A's manifest declares: links, \
                pushes and what else its adapters take, gestures and flows in the windows that are shown, intents, sign-ins, facts, \
                windows that come and go, time that passes, and mistakes. Before each walk both start over. After each step, when both are \
                quiet, it compares how the events stand, what every window shows, and the session. The first difference ends it.

                Exit status: 0 no difference, 1 one was found, 2 they cannot be compared, or the file of --save could not be written, \
                124 one of them has ended meanwhile or did not answer for a minute, 125 one could not be started or was not ready \
                within a minute, 128 and the number of the signal that interrupted it before it found one.
                """
        )

        @Argument(
            help: "The app that says what is right, and whose manifest says what there is to do.",
            completion: .apps
        )
        var a: String

        @Argument(help: "The app that should be the same.", completion: .apps)
        var b: String

        @Option(
            help: ArgumentHelp(
                "The seed of the walks, from 0. Default: a new one, which is printed.",
                valueName: "number"
            )
        )
        var seed: Int?

        @Option(help: ArgumentHelp("How many steps the walks have together.", valueName: "number"))
        var steps = 5_000

        @Option(help: ArgumentHelp("Begin no walk after this time, such as 5m.", valueName: "time"))
        var time: String?

        @Option(help: ArgumentHelp("Take only this walk of the seed, from 1.", valueName: "number"))
        var walk: Int?

        @Option(
            help: ArgumentHelp(
                "Play a script or recording instead of walks; what it expects is not asked.",
                valueName: "file"
            ),
            completion: .file()
        )
        var script: String?

        @Option(
            name: .customLong("secret"),
            help: ArgumentHelp(
                "Play the script with this value where it has a placeholder. May be repeated.",
                valueName: "placeholder=value"
            )
        )
        var secrets: [String] = []

        @Option(
            help: ArgumentHelp(
                "Write the shrunk difference to this file, as a script that expects what A does; 'scenectl play --reset' takes it.",
                valueName: "file"
            ),
            completion: .file()
        )
        var save: String?

        @Flag(help: "Print JSON.")
        var json = false

        func validate() throws {
            if let seed, seed < 0 { throw ValidationError("--seed \(seed): expected 0 or more.") }
            guard steps > 0 else { throw ValidationError("--steps \(steps): expected 1 or more.") }
            if let walk, walk < 1 { throw ValidationError("--walk \(walk): expected 1 or more.") }
            if walk != nil, seed == nil {
                throw ValidationError("--walk: expected together with --seed: each seed has other walks.")
            }
            if script != nil, seed != nil || walk != nil || time != nil {
                throw ValidationError("--script: expected without --seed, --walk and --time, which are about walks.")
            }
            if script == nil, !secrets.isEmpty { throw ValidationError("--secret: expected together with --script.") }
        }

        func run() async throws {
            try Files.check("--save", save, keeps: [a, b, script])
            let limit = try time.map { text throws(CommandError) in
                guard let limit = Duration.reading(text), limit > .zero else {
                    throw CommandError.usage("--time \(text): expected \(CommandMistake.expectedTime).")
                }
                return limit
            }
            let calls = try script.map(read)
            let stop = SoakStop()
            let seed = calls == nil ? seed ?? Int.random(in: 0..<1_000_000) : nil
            let lost = Guarded<LostDaemon?>(nil)
            let starting = Guarded<ComparedSide?>(.a)
            var report = CompareReport(seed: seed)
            do {
                report = try await SoakSignals.during(stop) { [report] isReady in
                    let (one, two) = try apps()
                    return try await one.run(as: .a) { one in
                        starting.withLock { $0 = .b }
                        return try await two.run(as: .b) { two in
                            starting.withLock { $0 = nil }
                            var report = report
                            do {
                                try await compare(one, two, calls, limit, stop, &report, isReady)
                            } catch var daemon as LostDaemon {
                                daemon.report = report
                                lost.withLock { [daemon] in $0 = daemon }
                                throw daemon
                            }
                            return report
                        }
                    }
                }
            } catch {
                let lost = lost.withLock(\.self)
                if let lost, lost.silence == nil || !stop.wasAsked {
                    if lost.report.difference != nil { show(lost.report) }
                    throw lost.error(a: a, b: b, reason: lost.silence == nil ? error as? CommandError : nil)
                }
                // Somebody did not want to wait any longer.
                guard let last = lost?.report ?? (error is CancellationError ? report : nil) else { throw error }
                report = last
                report.wasEnded = true
                if lost == nil { report.starting = starting.withLock(\.self) }
            }
            show(report)
            if let saved = report.saved {
                if let failure = saved.failure { throw CommandError.usage("--save \(failure)") }
                if let doubt = saved.doubt { Terminal.flush(); Terminal.complain("warning: \(doubt)") }
            }
            if report.difference != nil { throw ExitCode(1) }
            if report.wasEnded, let status = Interruption.status { throw ExitCode(status) }
        }

        /// The two apps.
        /// - Throws: What is wrong with one, or that they are one.
        private func apps() throws -> (ComparedApp, ComparedApp) {
            let (one, two) = (try ComparedApp(a), try ComparedApp(b))
            if case .running(let socket) = one, case .running(let other) = two,
                try Files.realPath(socket) == Files.realPath(other)
            {
                throw CommandError.usage("\(a) and \(b) are one daemon; expected two.")
            }
            return (one, two)
        }

        private func show(_ report: CompareReport) {
            if json { print(json: .object(report.json)) } else { report.show(a: a, b: b) }
        }

        /// The calls of a script, with the time between them.
        private func read(_ file: String) throws -> [SoakCall] {
            let script = try ScriptFile.read(file)
            let secrets = try ScriptSecrets(secrets, for: script, in: file)
            var calls: [SoakCall] = []
            var last = script.first?.at ?? 0
            for (index, step) in script.enumerated() {
                let interface = step.call.prefix { $0 != "." }
                guard
                    ["Events", "Scenes", "Session"].contains(interface) || step.method == WalkStep.advance
                        || step.method == Sight.resolving
                else {
                    throw CommandError.usage(
                        "\(file), step \(index + 1): call: expected one of Events, Scenes or Session, Control.Advance or Routing.Resolve, found '\(step.call)'."
                    )
                }
                // The step before has taken its time already.
                let rest = step.at - last - ComparedDaemon.pause
                if rest > 0 { calls.append(SoakCall(.other, WalkStep.advance, ["milliseconds": .integer(rest)])) }
                last = step.at
                var call = SoakCall(scripted: step.method, secrets.filled(step.parameters))
                if WalkStep.isEvent(call), call.parameters["event"] == nil {
                    call = call.setting("event", to: .string("step-\(index + 1)"))
                }
                calls.append(call)
            }
            return calls
        }

        private func compare(
            _ one: RunningApp,
            _ two: RunningApp,
            _ script: [SoakCall]?,
            _ limit: Duration?,
            _ stop: SoakStop,
            _ report: inout CompareReport,
            _ isReady: @Sendable () -> Void
        ) async throws {
            let screen = SoakScreen()
            defer { screen.clear() }
            let watch = SilenceWatch(stop: stop, screen: screen)
            let comparison = AppComparison(
                a: try await ComparedDaemon(.a, one, watch),
                b: try await ComparedDaemon(.b, two, watch)
            )
            isReady()
            guard comparison.a.isVirtual == comparison.b.isVirtual else {
                throw CommandError.usage(
                    "\(comparison.a.isVirtual ? b : a) has a real clock and \(comparison.a.isVirtual ? a : b) a virtual one; expected two alike. Start the daemon with --clock virtual."
                )
            }
            guard let text = try await comparison.a.manifest(), let manifest = try? AppManifest.inForce(text) else {
                throw CommandError.usage("\(a): the daemon tells no manifest that this scenectl can read.")
            }
            let other = try await comparison.b.manifest().flatMap { try? AppManifest.inForce($0) }
            if let other { report.declared = DeclaredByOne(manifest, other) }
            var run = CompareRun(comparison, manifest, report, stop, screen)
            defer { report = run.report }
            if let script {
                try await run.play(script)
            } else if let seed = report.seed {
                try await run.walk(seed: seed, steps: steps, only: walk, for: limit)
            }
            if let save, let difference = run.report.difference {
                try await self.save(difference.played, of: comparison, to: save, &run.report.saved)
            }
        }

        /// Writes a script of what was played, and plays it on both to see whether it tells them apart.
        /// - Parameter saved: What has come of it, also if a daemon is lost.
        private func save(
            _ played: AppComparison.Played,
            of comparison: AppComparison,
            to file: String,
            _ saved: inout CompareReport.Saved?
        ) async throws {
            let script: ComparedScript
            do {
                script = try await ComparedScript(played, on: comparison.a)
            } catch var lost as LostDaemon {
                lost.calls = played.calls
                throw lost
            }
            do throws(CommandError) {
                // What walks send is made up; what a script sends, somebody may have typed.
                try Files.write(script.text, to: file, isPrivate: self.script != nil, replacing: true)
            } catch {
                saved = CompareReport.Saved(file: file, failure: "\(error)")
                return
            }
            saved = CompareReport.Saved(file: file)
            saved?.onA = try await script.differences(on: comparison.a, named: file, isJudged: true)
            saved?.onB = try await script.differences(on: comparison.b, named: file, isJudged: false)
        }
    }
}
