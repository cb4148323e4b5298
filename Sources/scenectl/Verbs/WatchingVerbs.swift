internal import ArgumentParser
internal import SceneClient
internal import StrictJSON

struct Records: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records",
        abstract: "Prints the history: every event, decision and step, in one order.",
        discussion: "Example: scenectl records --scene A --follow"
    )

    @Option(help: ArgumentHelp("Begin after this index.", valueName: "index"))
    var after = 0

    @Option(help: ArgumentHelp("Only records about this window.", valueName: "id"))
    var scene: String?

    @Option(help: ArgumentHelp("Only records about this event.", valueName: "id"))
    var event: String?

    @Flag(name: .shortAndLong, help: "Go on with what comes, until interrupted.")
    var follow = false

    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if after < 0 { throw ValidationError("--after \(after): 0 or more would be right.") }
    }

    func run() async throws {
        let client = try await daemon.connect()
        if follow {
            do {
                for try await page in client.followRecords(after: after, scene: scene, event: event) {
                    show(page)
                }
            } catch let error as SceneClientError {
                throw error
            } catch {
                throw SceneClientError.connectionLost(reason: "\(error)")
            }
            return
        }
        var position = after
        while true {
            let (page, next) = try await client.records(after: position, scene: scene, event: event)
            show(page)
            guard next > position else { return }
            position = next
        }
    }

    private func show(_ records: [JSONObject]) {
        defer { if follow { Terminal.flush() } }
        for record in records { print(daemon.json ? JSONValue.object(record).text() : RecordLine.text(record)) }
    }
}

struct Receipt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Prints what became of an event so far."
    )

    @Argument(help: "The event's ID.")
    var event: String

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        Printing.receipt(try await daemon.connect().receipt(of: event), json: daemon.json)
    }
}
