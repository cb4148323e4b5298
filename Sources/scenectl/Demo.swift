internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import StrictJSON

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show the main features: two windows of a shop, on a private daemon."
    )

    @OptionGroup var program: ProgramOption

    @Flag(help: .hidden)
    var json = false

    func validate() throws {
        if json {
            throw ValidationError(
                "'demo' takes no --json: it shows a person what there is, and prints no data; 'scenectl list --json' does."
            )
        }
    }

    func run() async throws {
        do {
            try await PrivateDaemon.run(executable: program.scened, arguments: ["--log-level", "warning"]) {
                try await DemoScript(daemon: $0, client: $0.client()).run()
            }
        } catch let error as SceneClientError {
            throw error
        } catch {
            throw CommandError.failed("The demo failed: \(error)")
        }
    }
}

/// The steps of the demo. The results that it prints are the daemon's replies.
struct DemoScript {
    let daemon: PrivateDaemon
    let client: SceneClient

    func run() async throws {
        say(
            """
            scened runs an app without a screen, in several windows ("scenes"). Each window has its own tabs and stacks; all
            share one session. This is the built-in shop. A client sends events over the socket, as iOS would deliver them.
            Each result shows the window, the ticket (the event's place in that window's order), the outcome, what the window
            shows now, and the event's ID.
            """
        )

        heading("Two windows")
        _ = try await client.connect(scene: "A")
        _ = try await client.connect(scene: "B")
        try await drawWindows()

        heading("Four kinds of event, each leading to a destination of the app")
        try await step(
            "A universal link, to window A",
            "scenectl openurl --scene A https://shop.example/product/p1004"
        ) { try await client.openURL("https://shop.example/product/p1004", at("A")) }
        try await step(
            "A push that is tapped, in window B",
            #"echo '{"aps": {"alert": "On sale"}, "url": "https://shop.example/promo/SUMMER"}' | scenectl push - --scene B"#
        ) {
            try await client.push(
                payload: ["aps": ["alert": "On sale"], "url": "https://shop.example/promo/SUMMER"],
                at("B")
            )
        }
        try await step(
            "A widget tap, in window B",
            "scenectl widget deals --url qcommerce://category/tea --scene B"
        ) { try await client.tapWidget(kind: "deals", url: "qcommerce://category/tea", at("B")) }
        try await step(
            "Handoff from another device, to window B",
            #"scenectl activity com.example.shop.view --handoff --user-info '{"destination": "product", "parameters": {"id": "p7"}}' --scene B"#
        ) {
            try await client.continueActivity(
                type: "com.example.shop.view",
                userInfo: ["destination": "product", "parameters": ["id": "p7"]],
                handoff: true,
                at("B")
            )
        }
        try await drawWindows()

        heading("A link that needs a signed-in user")
        let gated = try await step(
            "A link to the cart, in window A: nobody is signed in, so the sign-in sheet appears and the event waits",
            "scenectl openurl --scene A https://shop.example/cart"
        ) { try await client.openURL("https://shop.example/cart", at("A")) }
        try await drawWindows()
        try await step("Anna signs in, in window B", "scenectl session sign-in anna --scene B") {
            try await client.signIn(user: "anna", scene: "B")
        }
        try await waitUntilFinished(gated)
        say("  All windows share the session, so the event in A resumes:")
        try await drawWindows()
        let beforeSignOut = try await lastRecord()
        try await step("She signs out, in window B", "scenectl session sign-out --scene B") {
            try await client.signOut(scene: "B")
        }
        try await waitForSweep(of: "A", after: beforeSignOut)
        say("  Screens that need a signed-in user are swept from every window:")
        try await drawWindows()

        heading("Why did this happen? The story of one event")
        print("  $ scenectl why \(gated.event)")
        let records = try await client.records(event: gated.event, limit: 1_000).records
        let commits = try await client.records(kinds: [.sessionCommitted]).records
        for line in EventStory(records, commits: commits).lines { print("    \(line)") }

        heading("The life of a window")
        announce("Window B is disconnected, as iOS may do with one in the background", "scenectl disconnect B")
        print("    → \(Printing.line(try await client.disconnect(scene: "B")))")
        try await step(
            "A link for it reconnects it, checks what it showed against the session, and goes on from there",
            "scenectl openurl --scene B qcommerce://orders"
        ) { try await client.openURL("qcommerce://orders", at("B")) }
        try await step(
            "A second tap on the tab pops to its root, which is already on top",
            "scenectl tap orders --scene B"
        ) { try await client.gesture(.selectTab("orders"), at("B")) }

        heading("Five clients race for window A")
        try await race()
        say(
            """

            Next: start 'scened' in one terminal and try the commands above in another.
            'scenectl watch' prints every step as it happens; 'scenectl --help' lists all commands.
            """
        )
    }

    // MARK: - Steps

    @discardableResult
    private func step(
        _ title: String,
        _ command: String,
        _ action: () async throws -> ClientReceipt
    ) async throws -> ClientReceipt {
        announce(title, command)
        let receipt = try await action()
        print("    → \(Printing.line(receipt))")
        return receipt
    }

    private func step(_ title: String, _ command: String, _ action: () async throws -> ClientSession) async throws {
        announce(title, command)
        let session = try await action()
        let user = session.user.map { "\($0) is signed in" } ?? "nobody is signed in"
        print("    → session revision \(session.revision): \(Terminal.styled(user, .blue))")
    }

    /// Five connections send at once. The daemon gives out tickets in the order of arrival and dispatches one event at a time.
    private func race() async throws {
        let links = ["product/p1", "category/tea", "promo/SUMMER", "product/p2", "category/mate"]
        announce(
            "Each on its own connection, all at the same time",
            "scenectl openurl --scene A https://shop.example/… &"
        )
        let after = try await lastRecord()
        var clients: [(link: String, client: SceneClient)] = []
        for link in links { clients.append((link, try await daemon.client())) }
        let receipts = try await withThrowingTaskGroup(of: ClientReceipt.self) { group in
            for (link, client) in clients {
                group.addTask { try await client.openURL("https://shop.example/\(link)", at("A")) }
            }
            return try await group.reduce(into: [ClientReceipt]()) { $0.append($1) }
        }
        for receipt in receipts.sorted(by: { ($0.ticket ?? 0) < ($1.ticket ?? 0) }) {
            print("    → \(Printing.line(receipt))")
        }
        say("  The history of A: each dispatch ends before the next one begins, in the order of the tickets.")
        let (records, _) = try await client.records(after: after, scene: "A")
        for record in records where record.kind.known?.family == RecordKind.dispatchBegan.family {
            print("  \(RecordLine.text(record))")
        }
        try check(records)
        try await drawWindows()
    }

    /// Throws unless each dispatch ends before the next begins, in the order of tickets.
    private func check(_ records: [ClientRecord]) throws {
        var running: Int?
        var last = 0
        for record in records {
            let ticket = record.ticket
            switch record.kind.known {
            case .dispatchBegan:
                guard running == nil, let ticket, ticket > last else { throw DemoError(record: record) }
                running = ticket
                last = ticket
            case .dispatchEnded:
                guard ticket == running else { throw DemoError(record: record) }
                running = nil
            default: continue
            }
        }
    }

    private func waitUntilFinished(_ receipt: ClientReceipt) async throws {
        // Sending the same event again only waits until the first has finished.
        let finished = try await client.openURL(
            "https://shop.example/cart",
            SceneClient.Delivery(scene: "A", event: receipt.event, wait: .finished)
        )
        print("    → \(finished.event) resumes: \(Printing.line(finished, withEvent: false))")
    }

    private func waitForSweep(of scene: String, after: Int) async throws {
        for try await page in try await daemon.client().followRecords(after: after, scene: scene) {
            if page.contains(where: { $0.kind == .sceneSwept }) { return }
        }
    }

    private func lastRecord() async throws -> Int {
        var position = 0
        while true {
            let (_, next) = try await client.records(after: position)
            guard next > position else { return position }
            position = next
        }
    }

    private func at(_ scene: String) -> SceneClient.Delivery { SceneClient.Delivery(scene: scene) }

    // MARK: - Print

    private func heading(_ text: String) {
        print("\n\(Terminal.styled(text, .bold))", as: .page)
    }

    private func announce(_ title: String, _ command: String) {
        print("\n  \(title)\n    \(Terminal.styled("$ \(command)", .faint))", as: .page)
    }

    private func say(_ text: String) {
        print(text, as: .page)
    }

    private func drawWindows() async throws {
        let drawing = WindowDrawing.draw(try await client.scenes(), columns: 96)
        print("")
        for line in drawing { print("    \(line)") }
    }
}

/// Dispatches of one window overlap or are out of order.
private struct DemoError: Error, CustomStringConvertible {
    let record: ClientRecord

    var description: String { "dispatches overlap or are out of order at \(RecordLine.text(record))" }
}
