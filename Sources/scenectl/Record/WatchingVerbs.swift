internal import ArgumentParser
internal import SceneClient
internal import StrictJSON

/// Which records to show.
struct RecordFilter: ParsableArguments {
    @Option(help: ArgumentHelp("Only records about this window.", valueName: "id"))
    var scene: String?

    @Option(help: ArgumentHelp("Only records about this event.", valueName: "id"))
    var event: String?

    @Option(
        help: ArgumentHelp(
            "Only records of this kind, such as dispatch.ended, or of these kinds, such as gate; repeatable.",
            valueName: "kind"
        )
    )
    var kind: [String] = []
}

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows what happens, as it happens, until interrupted.",
        discussion: """
            Example: scenectl watch --scene A --kind gate --kind session

            'scenectl records' shows what has happened; 'scenectl why' tells one event's way.
            """
    )

    @OptionGroup var filter: RecordFilter
    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let client = try await daemon.connect()
        let newest = try await client.call("io.scened.Manager.GetStatus")["records"]?.integerValue ?? 0
        try await Records.follow(client, after: newest, filter, json: daemon.json)
    }
}

struct Why: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Tells one event's way: door, adapter, route, gate, steps, outcome.",
        discussion: "Example: scenectl why auto-3"
    )

    @Argument(help: "The event's ID, as its receipt says it.")
    var event: String

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let client = try await daemon.connect()
        let records = try await client.allRecords(event: event)
        guard !records.isEmpty else {
            throw CommandError.failed("There are no records of an event '\(event)', or they are no longer retained.")
        }
        if daemon.json { return print(JSONValue.array(records.map { .object($0.reply) }).text(.indented)) }
        let commits = try await client.allRecords(kinds: [.sessionCommitted])
        for line in EventStory(records, commits: commits).lines { print(line) }
    }
}

extension SceneClient {
    /// Every record retained that fits.
    fileprivate func allRecords(event: String? = nil, kinds: [RecordKind]? = nil) async throws -> [ClientRecord] {
        var records: [ClientRecord] = []
        var position = 0
        while true {
            let (page, next) = try await self.records(after: position, event: event, kinds: kinds)
            records += page.filter { $0.kind != .gap }
            guard next > position else { return records }
            position = next
        }
    }
}

struct Records: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records",
        abstract: "Prints the history: every event, decision and step, in one order.",
        discussion: "Example: scenectl records --scene A --follow"
    )

    @Option(help: ArgumentHelp("Begin after this index.", valueName: "index"))
    var after = 0

    @OptionGroup var filter: RecordFilter

    @Flag(name: .shortAndLong, help: "Go on with what comes, until interrupted.")
    var follow = false

    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if after < 0 { throw ValidationError("--after \(after): 0 or more would be right.") }
    }

    func run() async throws {
        let client = try await daemon.connect()
        if follow { return try await Self.follow(client, after: after, filter, json: daemon.json) }
        var position = after
        while true {
            let (page, next) = try await client.records(
                after: position,
                scene: filter.scene,
                event: filter.event,
                named: filter.kinds
            )
            Self.show(page, json: daemon.json)
            guard next > position else { return }
            position = next
        }
    }

    static func follow(_ client: SceneClient, after: Int, _ filter: RecordFilter, json: Bool) async throws {
        let pages = client.followRecords(
            after: after,
            scene: filter.scene,
            event: filter.event,
            named: filter.kinds
        )
        for try await page in pages {
            show(page, json: json)
            Terminal.flush()
        }
    }

    private static func show(_ records: [ClientRecord], json: Bool) {
        for record in records { print(json ? JSONValue.object(record.reply).text() : RecordLine.text(record)) }
    }
}

extension RecordFilter {
    /// The kinds as the daemon takes them: none means all.
    fileprivate var kinds: [String]? { kind.isEmpty ? nil : kind }
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
