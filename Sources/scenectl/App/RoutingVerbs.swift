internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import StrictJSON

struct Resolve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Show where a URL leads, without touching a window.",
        discussion: """
            Example: scenectl resolve --explain https://shop.example/cart
            Example: scenectl resolve --explain --user anna --facts '{"cart": ["p1"]}' https://shop.example/checkout

            What is not given is taken from the present session, and so is the date: 'scenectl advance --to' changes that of a
            virtual clock.
            """
    )

    @Argument(help: "The absolute URL.")
    var url: String

    @Flag(help: "Show every step, and why it failed or passed.")
    var explain = false

    @Option(help: ArgumentHelp("As if this user were signed in; '' for nobody.", valueName: "user"), completion: .users)
    var user: String?

    @Option(help: ArgumentHelp("As if the session had these facts, a JSON object.", valueName: "json"))
    var facts: String?

    @Option(help: "As if this were the market.")
    var market: String?

    @Option(help: "As if this were the locale.")
    var locale: String?

    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let facts = try Input.object(facts, option: "--facts")
        let client = try await daemon.connect()
        var parameters: JSONObject = ["url": .string(url)]
        parameters["user"] = user.map(JSONValue.string)
        parameters["facts"] = facts.map(JSONValue.object)
        parameters["market"] = market.map(JSONValue.string)
        parameters["locale"] = locale.map(JSONValue.string)
        if explain {
            let reply = try await client.call("io.scened.Routing.Explain", parameters)
            guard !daemon.json else { return print(json: .object(reply)) }
            for line in RoutingText.explanation(reply, isSupposed: parameters.count > 1) { print(line) }
            return
        }
        let reply = try await client.call("io.scened.Routing.Resolve", parameters)
        Printing.show(reply, daemon.json, RoutingText.resolution(reply["resolution"] ?? .null))
    }
}

struct Routes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "List the app's routes, the most specific first."
    )

    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let pages = try await daemon.connect().pages(of: "io.scened.Routing.Routes")
        let routes = pages.flatMap { $0["routes"]?.arrayValue ?? [] }
        guard !daemon.json else {
            return print(json: ["routes": .array(routes)])
        }
        let width = routes.map { $0["pattern"]?.stringValue?.count ?? 0 }.max() ?? 0
        for route in routes { print(RoutingText.route(route, width: width)) }
    }
}

struct URLs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "urls",
        abstract: "Print the URLs of a destination.",
        discussion: "Example: scenectl urls product id=p1004"
    )

    @Argument(help: "The destination.", completion: .destinations)
    var destination: String

    @Argument(help: "The destination's parameters as name=value.")
    var parameters: [String] = []

    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let values = try Input.values(parameters, what: "parameter").sorted { $0.key < $1.key }
        let reply = try await daemon.connect().call(
            "io.scened.Routing.Print",
            [
                "destination": [
                    "id": .string(destination),
                    "parameters": .object(JSONObject(values.map { ($0.key, .string($0.value)) })),
                ]
            ]
        )
        guard !daemon.json else { return print(json: .object(reply)) }
        let urls = reply["urls"]?.arrayValue ?? []
        for url in urls { print(url.stringValue ?? "") }
        guard urls.isEmpty else { return }
        Terminal.complain(
            "no URL leads there: no route has all these parameters, or one is secret and is printed nowhere."
        )
    }
}
