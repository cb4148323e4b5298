internal import ArgumentParser
internal import SceneClient
internal import SceneEntryPoints
internal import StrictJSON

struct Spotlight: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spotlight",
        abstract: "Open an item found by Spotlight, or continue a Spotlight search in the app.",
        discussion: """
            Examples:
              scenectl spotlight product/p1004
              scenectl spotlight --query tea
            """
    )

    @Argument(help: "The identifier under which the app indexed the item.")
    var identifier: String?

    @Option(help: ArgumentHelp("The text of the search to continue.", valueName: "text"))
    var query: String?

    @OptionGroup var delivery: DeliveryOptions
    @OptionGroup var daemon: LastingDaemonOptions

    func validate() throws {
        guard (identifier == nil) != (query == nil) else {
            throw ValidationError("Give either an item's identifier or --query.")
        }
    }

    func run() async throws {
        let key = query == nil ? UserActivity.spotlightItemIdentifier : UserActivity.spotlightQueryString
        try await delivery.send(daemon) { client, delivery in
            try await client.continueActivity(
                type: query == nil ? UserActivity.spotlightItem : UserActivity.spotlightQuery,
                userInfo: [key: .string(query ?? identifier ?? "")],
                delivery
            )
        }
    }
}
