internal import SceneManifest
internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON

/// A race as a shell script that does the same to a live daemon: it holds windows at the points of `Control`, and releases them in the order
/// of the race.
package struct RaceScript: Sendable {
    /// The script, for bash.
    package let text: String

    /// The program of a daemon, as the script tells a person to start it.
    package struct Daemon: Sendable {
        /// What the program is called.
        package var program: String
        /// The app that it runs unless `--app` names another, as ``Scenario/appSource`` has it.
        package var app: String

        /// A daemon with this app.
        package init(program: String, app: String) {
            self.program = program
            self.app = app
        }

        /// The program `scened`.
        package static let scened = Daemon(program: "scened", app: ExampleApp.shop.rawValue)
    }

    /// - Parameters:
    ///   - daemon: The daemon on which the script runs.
    ///   - app: The app that it needs, as a person names it there; `nil` for that which the scenario names.
    /// - Throws: ``RaceScriptError`` if the order is finer than the points, or a script cannot take a step.
    package init(
        _ race: FoundRace,
        of scenario: Scenario,
        on daemon: Daemon = .scened,
        app: String? = nil
    ) throws(RaceScriptError) {
        guard let failure = race.failure, let course = failure.course else {
            throw .impossible(
                "The run did not end (\(race.kind)), so there is no history from which to read the order."
            )
        }
        var reader = MomentReader(scenario, course)
        let plan = try HoldPlan(scenario, try reader.read(failure.records))
        text = try Writer(scenario, course, plan).text(race, on: daemon, app ?? scenario.appSource)
    }

    /// The part of every script of a scenario that comes before its actors act: it starts over, makes the session and the windows, and
    /// takes the steps of the setup, each as the search does it and in the search's order. It is a script by itself.
    /// - Throws: ``RaceScriptError`` if a script cannot take a step of the setup.
    package static func beginning(of scenario: Scenario) throws(RaceScriptError) -> String {
        let writer = Writer(scenario, nil, nil)
        return (Writer.prologue + (try writer.beginning())).joined(separator: "\n") + "\n"
    }

    /// The arguments of the daemon that the scripts of a scenario need, but for its app.
    package static func daemon(of scenario: Scenario) -> [String] {
        let (settings, usual) = (scenario.settings, HostSettings())
        var words: [String] = []
        if settings.transitionDuration > .zero {
            words += ["--transition", String(Int(settings.transitionDuration / .milliseconds(1)))]
        }
        if settings.mailboxCapacity != usual.mailboxCapacity {
            words += ["--mailbox", String(settings.mailboxCapacity)]
        }
        if let start = scenario.start { words += ["--clock", "virtual", "--start", Instant.text(start)] }
        if let version = settings.appVersion { words += ["--app-version", version] }
        return words
    }
}

private struct Writer {
    let scenario: Scenario
    /// What became of a run; `nil` if only the beginning is written.
    let course: RaceCourse?
    let plan: HoldPlan?
    private let steps: [ScenarioStep]
    private var names: [HoldPlan.Hold: String] = [:]

    init(_ scenario: Scenario, _ course: RaceCourse?, _ plan: HoldPlan?) {
        self.scenario = scenario
        self.course = course
        self.plan = plan
        steps = scenario.actors.flatMap(\.steps)
        for hold in plan?.holds ?? [] where names[hold] == nil { names[hold] = "h\(names.count + 1)" }
    }

    func text(_ race: FoundRace, on daemon: RaceScript.Daemon, _ app: String) throws(RaceScriptError) -> String {
        if scenario.start != nil, scenario.settings.transitionDuration > .zero {
            throw .impossible(
                "Only a virtual clock has a start, and on it no transition of a script ends: leave out 'start' or "
                    + "'transitionMilliseconds' to export the scenario."
            )
        }
        var lines = [
            "#!/bin/bash", "# The scenario '\(scenario.name)' in an order in which it goes wrong (\(race.kind)):",
        ]
        lines += race.findings.flatMap { $0.split(separator: "\n") }.map { "#   \($0)" }
        lines += [
            "# It starts over (scenectl reset) on the daemon of SCENED_SOCKET, or the usual one, which you start like this:",
            "#   \(line(starting: daemon, app))",
            "# Exit status: 0 something came out otherwise, 1 everything came out as in the race, 2 the order could not be made.",
        ]
        lines += Self.prologue
        lines += try beginning()
        lines.append("")
        let armed = try arming()
        lines += armed.before.map(hold)
        lines.append("")
        for (place, action) in (plan?.actions ?? []).enumerated() {
            switch action {
            case .step(let number, let waits):
                let step = steps[number]
                let command = try command(step, waits: waits)
                if !command.isEmpty { lines += ["# \(step.name): \(step.text)", command] }
                lines += (armed.after[place] ?? []).map(hold)
            case .await(let hold): lines.append("caught \(names[hold] ?? "")")
            case .release(let hold): lines.append("release \(names[hold] ?? "")")
            }
        }
        lines += ["", "do_step quiesce --timeout 30s"]
        for step in scenario.setup + steps {
            for event in step.events {
                guard let result = course?.results[step.events.count == 1 ? step.name : event],
                    result.outcome != "refused", result.outcome != "never"
                else { continue }
                lines.append(
                    (["came", event, result.outcome] + (result.detail.map { [$0] } ?? [])).map(Self.quoted)
                        .joined(separator: " ")
                )
            }
        }
        lines += [
            "scenectl_ list", "scenectl_ session get",
            "if [ \"$different\" = 0 ]; then echo 'Everything came out as in the race.'; exit 1; fi", "exit 0",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The line that makes a hold.
    private func hold(_ hold: HoldPlan.Hold) -> String {
        var words = ["hold", names[hold] ?? "", hold.point.rawValue, "--scene", hold.scene]
        if let event = hold.event { words += ["--event", event] }
        return (words + ["--kind", hold.kind.rawValue]).map(Self.quoted).joined(separator: " ")
    }

    /// When the holds are made: before all actions, or of a window that is not there then, after the one that connects it, by its place.
    private func arming() throws(RaceScriptError) -> (before: [HoldPlan.Hold], after: [Int: [HoldPlan.Hold]]) {
        var windows = Set(scenario.windows.map(\.id))
        for step in scenario.setup { step.changeWindows(&windows) }
        var opened: [String: Int] = [:]
        var before: [HoldPlan.Hold] = []
        var after: [Int: [HoldPlan.Hold]] = [:]
        var armed: Set<HoldPlan.Hold> = []
        for (place, action) in (plan?.actions ?? []).enumerated() {
            switch action {
            case .step(let number, _):
                let known = windows
                steps[number].changeWindows(&windows)
                for window in windows.subtracting(known) { opened[window] = place }
            case .await(let hold) where armed.insert(hold).inserted:
                guard windows.contains(hold.scene) else {
                    throw .impossible(
                        "The window '\(hold.scene)' is one that the app opens or that is gone, and a script can hold only one that is "
                            + "there: name a window that the scenario connects."
                    )
                }
                if let place = opened[hold.scene] {
                    after[place, default: []].append(hold)
                } else {
                    before.append(hold)
                }
            case .await, .release: break
            }
        }
        return (before, after)
    }

    /// The session comes first: a window that is opened before somebody signs in may be another than one that is opened after, as one
    /// that locks.
    func beginning() throws(RaceScriptError) -> [String] {
        var lines = ["do_step reset"]
        if let user = scenario.user {
            lines.append(
                line(
                    ["session", "sign-in", user]
                        + (scenario.facts.isEmpty ? [] : ["--facts", JSONValue.object(scenario.facts.json).text()])
                )
            )
        } else if !scenario.facts.isEmpty {
            lines.append(
                line(
                    ["session", "set"]
                        + scenario.facts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.json.text())" }
                )
            )
        }
        let quiesce = "do_step quiesce --timeout 30s"
        for window in scenario.windows {
            let configuration = window.configuration.map { ["--configuration", $0] } ?? []
            lines += [line(["connect", window.id] + configuration), quiesce]
        }
        for step in scenario.setup {
            if case .signIn(_, _, let lifetime, let freshness) = step.action, (lifetime ?? freshness) != nil {
                throw .impossible(
                    "\(step.name) signs in for a time, and a script cannot decide when that is over: on a daemon with "
                        + "--clock virtual, use 'scenectl advance'."
                )
            }
            lines += [try command(step, waits: true), quiesce].filter { !$0.isEmpty }
        }
        return lines
    }

    private func line(starting daemon: RaceScript.Daemon, _ app: String) -> String {
        var words = daemon.program + RaceScript.daemon(of: scenario).map { " \($0)" }.joined()
        if app != daemon.app { words += " --app \(Self.quoted(app))" }
        // What the file says of policies, the manifest has to say.
        if let policy = scenario.policy { words += ", with a manifest that says 'whileGated: \(policy.rawValue)'" }
        return words
    }

    private func command(_ step: ScenarioStep, waits: Bool) throws(RaceScriptError) -> String {
        let (words, input) = try step.command(
            waits: waits,
            revision: revision(for: step),
            order: course?.orders[step.name]
        )
        if words.isEmpty { return "" }
        let isRefused = course?.results[step.name]?.outcome == "refused"
        return line(words, input, isRefused: isRefused)
    }

    /// The revision that the actor of a step has read last.
    private func revision(for step: ScenarioStep) -> Int? {
        guard let actor = scenario.actors.first(where: { $0.steps.contains { $0.name == step.name } }) else {
            return nil
        }
        let before = actor.steps.prefix { $0.name != step.name }
        let read = before.last { if case .read = $0.action { true } else { false } }
        return read.flatMap { course?.results[$0.name]?.detail?.split(separator: " ").last }.flatMap { Int($0) }
    }

    private func line(_ words: [String], _ input: String? = nil, isRefused: Bool = false) -> String {
        ([isRefused ? "refused" : "do_step"] + words).map(Self.quoted).joined(separator: " ")
            + (input.map { " <<< \(Self.quoted($0))" } ?? "")
    }

    private static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                    UInt8(ascii: "/"), UInt8(ascii: ":"):
                    true
                default: false
                }
            }
        return isPlain
            ? word
            : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    static let prologue = #"""
        set -u -o pipefail
        directory=$(mktemp -d) || exit 2
        mkfifo "$directory/stay" && exec 9<> "$directory/stay" || exit 2
        trap 'exec 9>&-; rm -rf "$directory"' EXIT
        declare -A files holds
        different=0
        scenectl_() { "${SCENECTL:-scenectl}" "$@" 9>&-; }
        fail() { echo "$*" >&2; exit 2; }
        # No step waits for ever for what another order would have brought.
        do_step() {
            timeout 60 "${SCENECTL:-scenectl}" "$@" > /dev/null 9>&- || fail "refused, or not done in 60 s: scenectl $*"
        }
        refused() { ! scenectl_ "$@" > /dev/null 2>&1 || fail "not refused: scenectl $*"; }
        # A hold lives as long as the program that made it, which ends with this script.
        hold() {
            local name=$1 line file
            shift
            exec {file}< <(scenectl_ hold "$@" --json < "$directory/stay" 2> /dev/null)
            read -r -t 30 -u "$file" line || fail "no hold: scenectl hold $*"
            line=${line#*:}
            files[$name]=$file
            holds[$name]=${line//[^A-Za-z0-9]/}
        }
        caught() { local line; read -r -t 30 -u "${files[$1]}" line || fail "nothing came to hold $1"; }
        release() { scenectl_ release "${holds[$1]}" > /dev/null || fail "hold $1 is gone"; }
        # What became of an event.
        came() {
            local receipt
            receipt=$(scenectl_ receipt "$1" --json | tr -d ' \n') || fail "no event $1"
            if [[ $receipt != *"\"outcome\":\"$2\""* || $receipt != *"\"${3-$2}\""* ]]; then
                echo "$1 did not come out as $2 ${3-}"
                different=1
            fi
        }

        """#
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}

extension ScenarioStep {
    /// Adds the window that it connects to those that there are, or takes away the one that it discards.
    fileprivate func changeWindows(_ windows: inout Set<String>) {
        switch action {
        case .connect(let scene, _, _): windows.insert(scene)
        case .discard(let scene): windows.remove(scene)
        default: break
        }
    }
}
