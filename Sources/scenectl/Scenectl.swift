internal import ArgumentParser

/// The command line: one verb per thing a person does, after the habits of `xcrun simctl`.
struct Scenectl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenectl",
        abstract: "Drives the windows of a scened daemon: links, pushes, widget taps, Handoff.",
        discussion: """
            Exit status: 0 done, 1 the daemon refused, 2 usage, 3 no daemon.

            Try 'scenectl demo' first: it starts a daemon of its own and shows what there is.
            """,
        version: "0.1.0",
        subcommands: [],
        groupedSubcommands: [
            CommandGroup(
                name: "Events",
                subcommands: [
                    OpenURL.self, Push.self, Activity.self, Spotlight.self, Widget.self, Shortcut.self, Sample.self,
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
            CommandGroup(name: "Watching", subcommands: [Watch.self, Records.self, Why.self, Receipt.self]),
            CommandGroup(
                name: "Races on purpose",
                subcommands: [RaceVerb.self, Hold.self, Release.self, Advance.self, Quiesce.self, Reset.self]
            ),
            CommandGroup(name: "Load", subcommands: [SoakVerb.self]),
            CommandGroup(name: "Adapters", subcommands: [AdapterVerb.self]),
            CommandGroup(name: "Scripts", subcommands: [Record.self, Play.self]),
            CommandGroup(name: "Routing", subcommands: [Resolve.self, Routes.self, URLs.self]),
            CommandGroup(
                name: "Files (no daemon needed)",
                subcommands: [AppVerb.self, AssociationVerb.self, Check.self]
            ),
            CommandGroup(name: "The daemon", subcommands: [Status.self, Metrics.self, Reload.self, Drain.self]),
            CommandGroup(name: "First steps", subcommands: [Demo.self]),
        ]
    )
}
