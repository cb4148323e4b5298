internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import SceneEntryPoints
internal import StrictJSON

struct OpenURL: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openurl",
        abstract: "Open a URL, of a custom scheme or a universal link, or several at once.",
        discussion: """
            Examples:
              scenectl openurl --scene A https://shop.example/product/p1004
              scenectl openurl booted qcommerce://cart          with simctl's arguments
              scenectl openurl qcommerce:/cart                  the same place
              scenectl openurl qcommerce://cart qcommerce://orders      both at once
              scenectl sample url | scenectl openurl -

            Several URLs, of custom schemes only, are one delivery: one window takes them all, in an order on which nobody can \
            count. There is a line for each, as given; the numbers behind # say in which order they came.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The absolute URL, or - for an event on standard input. As with simctl, a window or 'booted' may precede it. 2 to 32 URLs are opened at once.",
            valueName: "[window] url"
        )
    )
    var words: [String] = []

    @Option(
        help: ArgumentHelp(
            "The order in which several URLs come, such as 2,1,3. Default: chance.",
            valueName: "places"
        )
    )
    var order: Places?

    @Option(help: ArgumentHelp("The bundle ID of the app that opens it.", valueName: "bundle"))
    var source: String?

    @OptionGroup var delivery: DeliveryOptions
    @OptionGroup var daemon: LastingDaemonOptions

    /// How many of the last arguments are URLs to open at once; `nil` for one URL. A window's name has no colon.
    private var urls: Int? {
        let urls = words.first.map { $0.contains(":") } ?? true ? words[...] : words.dropFirst()
        return urls.count > 1 && urls.allSatisfy { $0.contains(":") } ? urls.count : nil
    }

    private func simctlWords() throws -> SimctlWords {
        try SimctlWords(
            urls.map { Array(words.dropLast($0 - 1)) } ?? words,
            needs: "<url>",
            atMost: 2,
            scene: delivery.scene
        )
    }

    func validate() throws {
        if words.count == 2, words[0].contains("://"), !words[1].contains(":"), words[1] != "-" {
            throw ValidationError(
                "'\(words[1])': the window comes before the URL, as in 'scenectl openurl \(words[1]) \(words[0])'."
            )
        }
        _ = try simctlWords()
        if order != nil, urls == nil { throw ValidationError("--order: expected several URLs.") }
    }

    func run() async throws {
        let words = try simctlWords()
        let source = source
        if let urls {
            let (set, order) = (Array(self.words.suffix(urls)), order?.numbers)
            let scene = words.scene ?? delivery.scene
            return try await delivery.event.send(to: scene, daemon, isSet: true) { client, delivery in
                try await client.openURLs(set, order: order, sourceApplication: source, delivery)
            }
        }
        let event = words.last == "-" ? try EventInput.event(file: "-", of: .url) : nil
        try await delivery.send(to: words.scene, daemon) { client, delivery in
            if let event { return try await event.send(client, delivery) }
            return try await client.openURL(words.last, sourceApplication: source, delivery)
        }
    }
}

/// Places in a list, from 1, as somebody types them: `2,1,3`.
struct Places: ExpressibleByArgument {
    let numbers: [Int]

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard !numbers.contains(nil) else { return nil }
        self.numbers = numbers.compactMap(\.self)
    }
}

struct Push: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Deliver a push: an APNs payload, as for simctl.",
        discussion: """
            Examples:
              scenectl push --scene A payload.apns
              scenectl push booted com.example.shop payload.apns      with simctl's arguments
              echo '{"aps": {"alert": "On sale"}, "url": "https://shop.example/product/p1004"}' | scenectl push -
              scenectl sample push | scenectl push -

            As with simctl, a window or 'booted' (the daemon chooses) may precede the file, and the bundle identifier may \
            stand between them. A bundle identifier overrides 'Simulator Target Bundle' in the payload.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The file with the payload, JSON as in .apns files, or - for standard input.",
            valueName: "[window [bundle]] file"
        )
    )
    var words: [String] = []

    @Option(
        help: """
            What the user does: present, open, dismiss or action. Default: open, or nothing for a push that shows no \
            notification.
            """
    )
    var interaction: String?

    @Option(help: ArgumentHelp("The identifier of the action that the user chooses.", valueName: "id"))
    var action: String?

    @Option(help: "The text that the user types for a text-input action.")
    var text: String?

    @Flag(help: "Send a VoIP push: up to 5 KiB, without interaction.")
    var voip = false

    @OptionGroup var delivery: DeliveryOptions
    @OptionGroup var daemon: LastingDaemonOptions

    func validate() throws {
        if words.count > 1, let file = words.first, let last = words.last, last != "-", Files.stamp(last) == nil,
            Files.stamp(file) != nil
        {
            throw ValidationError(
                "'\(last)': the file comes last, as in 'scenectl push \((words.dropFirst() + [file]).joined(separator: " "))'."
            )
        }
        _ = try SimctlWords(words, needs: "<file>", atMost: 3, scene: delivery.scene)
    }

    func run() async throws {
        let words = try SimctlWords(words, needs: "<file>", atMost: 3, scene: delivery.scene)
        var input = try Input.object(file: words.last)
        // A whole event with its payload will do too: 'sample' prints one where the payload alone does not say everything.
        let isEvent = input["aps"] == nil && input["payload"]?.objectValue != nil && !voip
        var payload = isEvent ? input["payload"]?.objectValue ?? [:] : input
        if let bundle = words.middle { payload["Simulator Target Bundle"] = .string(bundle) }
        if !isEvent { input = ["payload": .object(payload)] } else { input["payload"] = .object(payload) }
        if let interaction { input["interaction"] = .string(interaction) }
        if let action { input["action"] = .string(action) }
        if let text { input["text"] = .string(text) }
        if voip { input["voip"] = true }
        try await delivery.send(to: words.scene, daemon) { [input] client, delivery in
            try await client.send("Push", input, delivery)
        }
    }
}

struct Activity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity",
        abstract: "Continue a user activity: Handoff, Spotlight, a universal link.",
        discussion: """
            Examples:
              scenectl activity com.example.shop.view --handoff \
                --user-info '{"destination": "product", "parameters": {"id": "p1004"}}'
              scenectl activity com.example.shop.view --announced        a Handoff whose activity comes later …
              scenectl activity com.example.shop.view --failure 'the other device is gone'         … or never
              scenectl sample handoff | scenectl activity -

            Write types that JSON lacks as {"$date": …}, {"$data": …}, {"$url": …}, {"$uuid": …}, {"$set": …}.
            """
    )

    @Argument(help: "The activity's type, such as NSUserActivityTypeBrowsingWeb, or - for an event on standard input.")
    var type: String

    @Option(help: ArgumentHelp("The web page of a universal link.", valueName: "url"))
    var webpage: String?

    @Option(help: ArgumentHelp("The user info, a JSON object.", valueName: "json"))
    var userInfo: String?

    @Option(help: "The activity's title.")
    var title: String?

    @Option(help: ArgumentHelp("The target content identifier, by which a window is chosen.", valueName: "id"))
    var targetContent: String?

    @Option(help: ArgumentHelp("The persistent identifier, by which the app can delete the activity.", valueName: "id"))
    var persistent: String?

    @Option(help: ArgumentHelp("The page with the universal link.", valueName: "url"))
    var referrer: String?

    @Flag(help: "The activity comes from another device.")
    var handoff = false

    @Flag(help: "A Handoff whose type alone is known so far.")
    var announced = false

    @Option(help: ArgumentHelp("A Handoff that failed, for this reason.", valueName: "reason"))
    var failure: String?

    @OptionGroup var delivery: DeliveryOptions
    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let userInfo = try Input.object(userInfo, option: "--user-info")
        let event = type == "-" ? try EventInput.event(file: "-", of: .activity) : nil
        try await delivery.send(daemon) { client, delivery in
            if let event { return try await event.send(client, delivery) }
            return try await client.continueActivity(
                type: type,
                webpageURL: webpage,
                userInfo: userInfo,
                title: title,
                targetContentIdentifier: targetContent,
                persistentIdentifier: persistent,
                referrerURL: referrer,
                handoff: handoff ? true : nil,
                announced: announced ? true : nil,
                failure: failure,
                delivery
            )
        }
    }
}

struct Drag: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drag",
        abstract: "Drag something out of a window, so that the system opens a new window for it.",
        discussion: """
            What is dragged is a user activity, as on iPadOS: its type, or the web page of a universal link.
            Examples:
              scenectl drag A https://shop.example/product/p1004
              scenectl drag A com.example.shop.view --user-info '{"destination": "cart"}'
            """
    )

    @Argument(help: "The window it is dragged from.", completion: .windows)
    var window: String

    @Argument(help: ArgumentHelp("The activity's type, or an http or https URL.", valueName: "activity"))
    var activity: String

    @Option(help: ArgumentHelp("The user info, a JSON object.", valueName: "json"))
    var userInfo: String?

    @Option(
        help: ArgumentHelp(
            "The target content identifier, by which the new window's configuration is chosen.",
            valueName: "id"
        )
    )
    var targetContent: String?

    @OptionGroup var event: EventOptions
    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let isPage = activity.hasPrefix("https://") || activity.hasPrefix("http://")
        if !isPage, activity.contains("://") {
            throw CommandError.usage(
                "Only an http or https URL can be dragged; others are opened with 'scenectl openurl'."
            )
        }
        let userInfo = try Input.object(userInfo, option: "--user-info")
        try await event.send(to: nil, daemon) { client, delivery in
            let receipt = try await client.continueActivity(
                type: isPage ? "NSUserActivityTypeBrowsingWeb" : activity,
                webpageURL: isPage ? activity : nil,
                userInfo: userInfo,
                targetContentIdentifier: targetContent,
                draggedFrom: window,
                delivery
            )
            return [receipt]
        }
    }
}

struct Widget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "widget",
        abstract: "Tap a widget.",
        discussion: """
            Examples:
              scenectl widget order-status --user-info '{"order": "o7"}'
              scenectl sample widget | scenectl widget -
            """
    )

    @Argument(help: "The widget's kind, or - for an event on standard input.")
    var kind: String

    @Option(help: "The widget's family, such as systemSmall.")
    var family: String?

    @Option(help: "The widget's URL.")
    var url: String?

    @Option(help: ArgumentHelp("The user info, a JSON object.", valueName: "json"))
    var userInfo: String?

    @OptionGroup var delivery: DeliveryOptions
    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let userInfo = try Input.object(userInfo, option: "--user-info")
        let event = kind == "-" ? try EventInput.event(file: "-", of: .widget) : nil
        try await delivery.send(daemon) { client, delivery in
            if let event { return try await event.send(client, delivery) }
            return try await client.tapWidget(kind: kind, family: family, url: url, userInfo: userInfo, delivery)
        }
    }
}

struct Shortcut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shortcut",
        abstract: "Choose a quick action on the app's icon.",
        discussion: """
            Examples:
              scenectl shortcut com.example.shop.cart
              scenectl sample shortcut | scenectl shortcut -
            """
    )

    @Argument(help: "The quick action's type, or - for an event on standard input.")
    var type: String

    @Option(help: ArgumentHelp("The user info, a JSON object.", valueName: "json"))
    var userInfo: String?

    @Option(help: ArgumentHelp("The target content identifier, by which a window is chosen.", valueName: "id"))
    var targetContent: String?

    @OptionGroup var delivery: DeliveryOptions
    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let userInfo = try Input.object(userInfo, option: "--user-info")
        let event = type == "-" ? try EventInput.event(file: "-", of: .shortcut) : nil
        try await delivery.send(daemon) { client, delivery in
            if let event { return try await event.send(client, delivery) }
            return try await client.performShortcut(
                type: type,
                userInfo: userInfo,
                targetContentIdentifier: targetContent,
                delivery
            )
        }
    }
}
