internal import ArgumentParser
internal import SceneClient
internal import StrictJSON

struct OpenURL: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openurl",
        abstract: "Opens a URL: a custom scheme, or a universal link.",
        discussion: "Example: scenectl openurl --scene A https://shop.example/product/p1004"
    )

    @Argument(help: "The absolute URL.")
    var url: String

    @Option(help: ArgumentHelp("The bundle ID of the app that opens it.", valueName: "bundle"))
    var source: String?

    @OptionGroup var delivery: DeliveryOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let receipt = try await daemon.connect().openURL(url, sourceApplication: source, delivery.delivery)
        Printing.receipt(receipt, json: daemon.json)
    }
}

struct Push: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Delivers a push: an APNs payload, as simctl takes it.",
        discussion: """
            Example: echo '{"aps": {"alert": "On sale"}, "url": "https://shop.example/product/p1004"}' | scenectl push -
            """
    )

    @Argument(help: "The payload's file, JSON as in .apns files, or - for standard input.")
    var file: String

    @Option(
        help: "What the person does: present, open, dismiss or action. Default: open, or nothing for a silent push."
    )
    var interaction: String?

    @Option(help: ArgumentHelp("The identifier of the action chosen.", valueName: "id"))
    var action: String?

    @Option(help: "The text typed for a text-input action.")
    var text: String?

    @OptionGroup var delivery: DeliveryOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let payload = try Input.object(file: file)
        let receipt = try await daemon.connect().push(
            payload: payload,
            interaction: interaction,
            action: action,
            text: text,
            delivery.delivery
        )
        Printing.receipt(receipt, json: daemon.json)
    }
}

struct Activity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity",
        abstract: "Continues a user activity: Handoff, Spotlight, a universal link.",
        discussion: """
            Example: scenectl activity com.example.shop.view --handoff \
            --user-info '{"destination": "product", "parameters": {"id": "p1004"}}'
            """
    )

    @Argument(help: "The activity's type, such as NSUserActivityTypeBrowsingWeb.")
    var type: String

    @Option(help: ArgumentHelp("The web page of a universal link.", valueName: "url"))
    var webpage: String?

    @Option(help: ArgumentHelp("The user info, a JSON object.", valueName: "json"))
    var userInfo: String?

    @Option(help: "The activity's title.")
    var title: String?

    @Option(help: ArgumentHelp("The content identifier by which a window is chosen.", valueName: "id"))
    var targetContent: String?

    @Option(help: ArgumentHelp("The identifier by which the activity can be deleted.", valueName: "id"))
    var persistent: String?

    @Flag(help: "It comes from another device.")
    var handoff = false

    @OptionGroup var delivery: DeliveryOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let userInfo = try Input.object(userInfo, option: "--user-info")
        let receipt = try await daemon.connect().continueActivity(
            type: type,
            webpageURL: webpage,
            userInfo: userInfo,
            title: title,
            targetContentIdentifier: targetContent,
            persistentIdentifier: persistent,
            handoff: handoff ? true : nil,
            delivery.delivery
        )
        Printing.receipt(receipt, json: daemon.json)
    }
}

struct Widget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "widget",
        abstract: "Taps a widget.",
        discussion: "Example: scenectl widget order-status --user-info '{\"order\": \"o7\"}'"
    )

    @Argument(help: "The widget's kind.")
    var kind: String

    @Option(help: "The widget's family, such as systemSmall.")
    var family: String?

    @Option(help: "The widget's URL.")
    var url: String?

    @Option(help: ArgumentHelp("The user info, a JSON object.", valueName: "json"))
    var userInfo: String?

    @OptionGroup var delivery: DeliveryOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let userInfo = try Input.object(userInfo, option: "--user-info")
        let receipt = try await daemon.connect().tapWidget(
            kind: kind,
            family: family,
            url: url,
            userInfo: userInfo,
            delivery.delivery
        )
        Printing.receipt(receipt, json: daemon.json)
    }
}

struct Shortcut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shortcut",
        abstract: "Chooses a quick action of the app's icon.",
        discussion: "Example: scenectl shortcut com.example.shop.cart"
    )

    @Argument(help: "The quick action's type.")
    var type: String

    @Option(help: ArgumentHelp("The user info, a JSON object.", valueName: "json"))
    var userInfo: String?

    @Option(help: ArgumentHelp("The content identifier by which a window is chosen.", valueName: "id"))
    var targetContent: String?

    @OptionGroup var delivery: DeliveryOptions
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let userInfo = try Input.object(userInfo, option: "--user-info")
        let receipt = try await daemon.connect().performShortcut(
            type: type,
            userInfo: userInfo,
            targetContentIdentifier: targetContent,
            delivery.delivery
        )
        Printing.receipt(receipt, json: daemon.json)
    }
}
