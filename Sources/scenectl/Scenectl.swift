internal import ArgumentParser
internal import RaceCommand
internal import CommandConsole
internal import SceneVocabulary

/// The command line: one subcommand per thing a person does, in the manner of `xcrun simctl`.
struct Scenectl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenectl",
        abstract: "Control the windows of a scened daemon: links, pushes, widget taps, Handoff.",
        discussion: """
            Exit status:
            \(ExitStatus.table)
            With a command after -- (hold, with-daemon) it is the command's, or 128 and the number of the signal that ended it.

            With --json, a failure is one JSON object on the last line of standard error, wrong usage included: the error's name \
            (as the interface files have it, or scenectl.Usage, scenectl.NoDaemon, scenectl.Unexpected, scenectl.TimedOut, …), its \
            parameters (of wrong usage, how the command is used), the message and the exit status. Standard output then has no JSON, or that of what was done before.

            Texts from elsewhere have no power over a terminal or a reader of lines: control characters, line separators and \
            what changes the direction of writing are printed as \\u{1B}, and with --json as \\u001b.

            Start with 'scenectl demo': it starts a private daemon and shows the main features.
            """,
        version: scenedVersion,
        subcommands: [],
        groupedSubcommands: [
            CommandGroup(
                name: "Events",
                subcommands: [
                    OpenURL.self, Push.self, Activity.self, Drag.self, Spotlight.self, Widget.self, Shortcut.self,
                    Sample.self,
                ]
            ),
            CommandGroup(
                name: "Inside a window",
                subcommands: [IntentVerb.self, Tap.self, Back.self, Swipe.self, Dismiss.self, Finish.self]
            ),
            CommandGroup(
                name: "Windows",
                subcommands: [
                    Connect.self, List.self, Show.self, Activate.self, Disconnect.self, Discard.self,
                ]
            ),
            CommandGroup(name: "Session", subcommands: [SessionVerb.self]),
            CommandGroup(
                name: "Records",
                subcommands: [Watch.self, Records.self, Why.self, Receipt.self, Inspect.self]
            ),
            CommandGroup(
                name: "Races and time",
                subcommands: [
                    RaceVerb<ScenectlRaces>.self, Hold.self, Release.self, Advance.self, Quiesce.self, Reset.self,
                ]
            ),
            CommandGroup(name: "Load", subcommands: [SoakVerb.self]),
            CommandGroup(name: "Adapters", subcommands: [AdapterVerb.self]),
            CommandGroup(name: "Scripts", subcommands: [Record.self, Play.self]),
            CommandGroup(name: "Routing", subcommands: [Resolve.self, Routes.self, URLs.self]),
            CommandGroup(
                name: "Files (no daemon needed)",
                subcommands: [AppVerb.self, AssociationVerb.self, Check.self, StateVerb.self]
            ),
            CommandGroup(
                name: "Daemon",
                subcommands: [Status.self, Metrics.self, Reload.self, Drain.self, WithDaemon.self]
            ),
            CommandGroup(name: "First steps", subcommands: [Demo.self]),
        ]
    )
}
