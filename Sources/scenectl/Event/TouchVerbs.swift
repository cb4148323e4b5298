internal import ArgumentParser
internal import SceneClient
internal import StrictJSON

struct IntentVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "intent",
        abstract: "Has a window's topmost screen report an in-app intent.",
        discussion: "Example: scenectl intent --scene A productSelected id=p1004"
    )

    @Argument(help: "The intent's name.")
    var name: String

    @Argument(help: "Its parameters as name=value.")
    var parameters: [String] = []

    @OptionGroup var delivery: WindowDeliveryOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        var texts: [String: String] = [:]
        for parameter in parameters {
            let (name, text) = try Input.pair(parameter, what: "parameter")
            texts[name] = text
        }
        let client = try await daemon.connect()
        let receipt = try await client.sendIntent(name, parameters: texts, delivery.delivery(client))
        Printing.receipt(receipt, json: daemon.json)
    }
}

struct Tap: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tap",
        abstract: "Taps a tab of a window; a second tap goes back to the tab's root.",
        discussion: "Example: scenectl tap --scene A orders"
    )

    @Argument(help: "The tab's name.")
    var tab: String

    @OptionGroup var delivery: WindowDeliveryOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let client = try await daemon.connect()
        let receipt = try await client.gesture(.selectTab(tab), delivery.delivery(client))
        Printing.receipt(receipt, json: daemon.json)
    }
}

struct Back: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "back",
        abstract: "Taps the back button of a window.",
        discussion: "Example: scenectl back --scene A"
    )

    @OptionGroup var delivery: WindowDeliveryOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let client = try await daemon.connect()
        Printing.receipt(try await client.gesture(.back, delivery.delivery(client)), json: daemon.json)
    }
}

struct Dismiss: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Closes the topmost presentation of a window by its button.",
        discussion: "Example: scenectl dismiss --scene A"
    )

    @OptionGroup var delivery: WindowDeliveryOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let client = try await daemon.connect()
        Printing.receipt(try await client.gesture(.dismiss, delivery.delivery(client)), json: daemon.json)
    }
}

struct Swipe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swipe",
        abstract: "Swipes a window back, or its topmost presentation down.",
        discussion: "Example: scenectl swipe --scene A down"
    )

    enum Direction: String, CaseIterable, ExpressibleByArgument {
        case back, down
    }

    @Argument(help: "back, from the edge; or down.")
    var direction: Direction

    @Flag(help: "Let go half-way: it takes a transition's time and changes nothing.")
    var cancel = false

    @OptionGroup var delivery: WindowDeliveryOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let client = try await daemon.connect()
        let receipt = try await client.gesture(
            direction == .back ? .swipeBack(cancelled: cancel) : .swipeDown(cancelled: cancel),
            delivery.delivery(client)
        )
        Printing.receipt(receipt, json: daemon.json)
    }
}

struct Finish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "finish",
        abstract: "Reports how a flow of a window ended, as its last screen would.",
        discussion: "Example: scenectl finish --scene A auth --completed --user anna"
    )

    enum Result: String, EnumerableFlag {
        case completed, cancelled

        static func help(for value: Result) -> ArgumentHelp? {
            value == .completed ? "The flow is complete." : "The flow was cancelled."
        }
    }

    @Argument(help: "The flow's name.")
    var flow: String

    @Flag var result: Result

    @Option(help: "Who signed in, if the flow is about that.")
    var user: String?

    @Option(
        help: ArgumentHelp(
            "A fact to commit with the completion; the value is JSON, or text as it is. May be repeated.",
            valueName: "name=value"
        )
    )
    var fact: [String] = []

    @OptionGroup var delivery: WindowDeliveryOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let facts = try Input.facts(fact)
        let client = try await daemon.connect()
        let delivery = try await delivery.delivery(client)
        let receipt =
            switch result {
            case .completed:
                try await client.completeFlow(flow, user: user, facts: facts.isEmpty ? nil : facts, delivery)
            case .cancelled: try await client.cancelFlow(flow, delivery)
            }
        Printing.receipt(receipt, json: daemon.json)
    }
}
