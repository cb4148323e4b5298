internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import SceneRouting
internal import StrictJSON

struct IntentVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "intent",
        abstract: "Have a window's topmost screen report an in-app intent.",
        discussion: """
            Example: scenectl intent --scene A productSelected id=p1004

            With --from a screen or a container reports it by itself, as one does whose download has ended. It may be covered or in
            another tab, and no window comes to the front: scenectl intent --scene A refreshed --from 'tab home'
            """
    )

    @Argument(help: "The intent's name.", completion: .intents)
    var name: String

    @Argument(help: "The intent's parameters as name=value.")
    var parameters: [String] = []

    @Option(
        help: ArgumentHelp(
            "The screen or container that reports it by itself: a screen's ID, 'tab NAME', 'sheet of FLOW'.",
            valueName: "name"
        ),
        completion: .reporters
    )
    var from: String?

    @OptionGroup var delivery: WindowDeliveryOptions
    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let texts = try Input.values(parameters, what: "parameter")
        try await delivery.send(daemon) { client, delivery in
            let receipt = try await client.sendIntent(name, parameters: texts, from: from, delivery)
            if receipt.reason == "unhandledIntent", let meant = await meant(client) {
                Terminal.complain("warning: the app declares no intent '\(name)'; did you mean '\(meant)'?")
            }
            return receipt
        }
    }

    /// The declared intent that was probably meant by one that nobody handled; `nil` if it is declared, or none is near.
    private func meant(_ client: SceneClient) async -> String? {
        guard let text = try? await client.manifest(), let manifest = try? JSONValue(parsing: text) else { return nil }
        var names = Array(manifest["intents"]?.objectValue?.keys ?? [])
        for flow in manifest["flows"]?.objectValue ?? [:] {
            names += Array(flow.value["intents"]?.objectValue?.keys ?? [])
        }
        return names.contains(name) ? nil : Spelling.nearest(to: name, among: names)
    }
}

struct Tap: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tap",
        abstract: "Tap a tab; a second tap pops to the tab's root.",
        discussion: "Example: scenectl tap --scene A orders"
    )

    @Argument(help: "The tab's name.", completion: .tabs)
    var tab: String

    @OptionGroup var delivery: WindowDeliveryOptions
    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        try await delivery.send(daemon) { try await $0.gesture(.selectTab(tab), $1) }
    }
}

struct Back: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "back",
        abstract: "Tap the back button.",
        discussion: "Example: scenectl back --scene A"
    )

    @OptionGroup var delivery: WindowDeliveryOptions
    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        try await delivery.send(daemon) { try await $0.gesture(.back, $1) }
    }
}

struct Dismiss: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Close the topmost presentation with its button.",
        discussion: "Example: scenectl dismiss --scene A"
    )

    @OptionGroup var delivery: WindowDeliveryOptions
    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        try await delivery.send(daemon) { try await $0.gesture(.dismiss, $1) }
    }
}

struct Swipe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swipe",
        abstract: "Swipe back from the edge, or swipe the topmost presentation down.",
        discussion: "Example: scenectl swipe --scene A down"
    )

    enum Direction: String, CaseIterable, ExpressibleByArgument {
        case back, down
    }

    @Argument(help: "back or down.")
    var direction: Direction

    @Flag(help: "Let go halfway: this takes as long as a transition and changes nothing.")
    var cancel = false

    @OptionGroup var delivery: WindowDeliveryOptions
    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let gesture = direction == .back ? Gesture.swipeBack(cancelled: cancel) : .swipeDown(cancelled: cancel)
        try await delivery.send(daemon) { try await $0.gesture(gesture, $1) }
    }
}

struct Finish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "finish",
        abstract: "Report how a flow ended, as its last screen would.",
        discussion: "Example: scenectl finish --scene A auth --completed --user anna"
    )

    enum Result: String, EnumerableFlag {
        case completed, cancelled

        static func help(for value: Result) -> ArgumentHelp? {
            value == .completed ? "The flow was completed." : "The flow was cancelled."
        }
    }

    @Argument(help: "The flow's name.", completion: .flows)
    var flow: String

    @Flag var result: Result

    @Option(help: "The user who signed in, for a flow that signs in.", completion: .users)
    var user: String?

    @Option(
        help: ArgumentHelp(
            "A fact to commit with the completion. A value that is not JSON is taken as a string. May be repeated.",
            valueName: "name=value"
        ),
        completion: .settings
    )
    var fact: [String] = []

    @Option(
        help: ArgumentHelp(
            "A value that the completed flow hands to the flow that started it. May be repeated.",
            valueName: "name=value"
        )
    )
    var value: [String] = []

    @OptionGroup var delivery: WindowDeliveryOptions
    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let facts = try Input.facts(fact)
        let values = try Input.values(value)
        if result == .cancelled, user != nil || !facts.isEmpty || !values.isEmpty {
            throw CommandError.usage("A flow that was cancelled reports nothing: leave out --user, --fact and --value.")
        }
        try await delivery.send(daemon) { client, delivery in
            switch result {
            case .completed:
                try await client.completeFlow(
                    flow,
                    user: user,
                    facts: facts.isEmpty ? nil : facts,
                    values: values,
                    delivery
                )
            case .cancelled: try await client.cancelFlow(flow, delivery)
            }
        }
    }
}
