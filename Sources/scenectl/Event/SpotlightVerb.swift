internal import ArgumentParser
internal import SceneClient
internal import SceneEntryPoints
internal import StrictJSON

struct Spotlight: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spotlight",
        abstract: "Opens an item found by Spotlight, or continues a Spotlight search in the app.",
        discussion: """
            Examples:
              scenectl spotlight product/p1004
              scenectl spotlight --query tea
            """
    )

    @Argument(help: "The item's identifier, as the app indexed it.")
    var identifier: String?

    @Option(help: ArgumentHelp("The text searched for, instead of an item.", valueName: "text"))
    var query: String?

    @OptionGroup var delivery: DeliveryOptions
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        guard (identifier == nil) != (query == nil) else {
            throw ValidationError("Either an item's identifier or --query would be right.")
        }
    }

    func run() async throws {
        let key = query == nil ? UserActivity.spotlightItemIdentifier : UserActivity.spotlightQueryString
        let receipt = try await daemon.connect().continueActivity(
            type: query == nil ? UserActivity.spotlightItem : UserActivity.spotlightQuery,
            userInfo: [key: .string(query ?? identifier ?? "")],
            delivery.delivery
        )
        Printing.receipt(receipt, json: daemon.json)
    }
}
