internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import SceneRouting
internal import StrictJSON

/// Options that choose records.
struct RecordFilter: ParsableArguments {
    @Option(help: ArgumentHelp("Only records about this window.", valueName: "id"), completion: .windows)
    var scene: String?

    @Option(help: ArgumentHelp("Only records about this event.", valueName: "id"), completion: .events)
    var event: String?

    @Option(
        help: ArgumentHelp(
            "Only records of this kind (dispatch.ended) or family of kinds (gate). May be repeated.",
            valueName: "kind"
        ),
        completion: .recordKinds
    )
    var kind: [String] = []
}

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print new records as they are made, until interrupted.",
        discussion: """
            Example: scenectl watch --scene A --kind gate --kind session

            'scenectl records' prints earlier records; 'scenectl why' explains one event.
            """
    )

    @OptionGroup var filter: RecordFilter
    @OptionGroup var patience: PatienceOptions
    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        try await Records.follow(daemon, after: nil, filter, patience)
    }
}

struct Why: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Explain one event: how it came in, its adapter, route, gate, steps and outcome.",
        discussion: """
            Example: scenectl why auto-3

            Different users may have events of the same ID; each is explained by itself. A set of URLs has an event for each
            of them: the set 'mail' has mail/1, mail/2 and so on.
            """
    )

    @Argument(help: "The event's ID, as in its receipt.", completion: .events)
    var event: String

    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let client = try await daemon.connect()
        let records = try await client.allRecords(event: event)
        guard !records.isEmpty else {
            throw CommandError.failed(try await hint(client))
        }
        if daemon.json { return print(json: .array(records.map { .object($0.reply) })) }
        let commits = try await client.allRecords(kinds: [.sessionCommitted])
        let stories = EventStory.events(in: records).map { EventStory($0, commits: commits) }
        for story in stories {
            if stories.count > 1 { print("\(Terminal.styled("event \(event) in \(story.name)", .bold))") }
            for line in story.lines { print(line) }
        }
    }

    /// Why there is nothing to tell: the ID may be that of a set, whose events have IDs of their own.
    private func hint(_ client: SceneClient) async throws -> String {
        let first = "\(event)/1"
        guard let set = try await client.allRecords(event: first).lazy.compactMap(\.setPlace).first else {
            return "No records of an event '\(event)', or they are no longer retained. \(try await near(client))"
        }
        return "'\(event)' is a set of \(set.count) URLs, each an event of its own. Try: scenectl why \(first)"
    }

    /// What may be meant by an ID that has no records: that of a window, or a nearly equal one of the last events.
    private func near(_ client: SceneClient) async throws -> String {
        let windows = try await client.scenes().map(\.id)
        if windows.contains(event) {
            return "'\(event)' is a window; 'scenectl records --scene \(event)' shows what happened in it."
        }
        var ids: [String] = []
        for record in try await client.allRecords(kinds: [.eventAdmitted]) {
            if let id = record.event, id != ids.last { ids.append(id) }
        }
        if let meant = Spelling.nearest(to: event, among: Array(ids.reversed())) { return "Did you mean '\(meant)'?" }
        return ids.isEmpty ? "No event was sent yet." : "The last events are \(ids.suffix(8).joined(separator: ", "))."
    }
}

extension SceneClient {
    /// Every retained record that matches.
    func allRecords(event: String? = nil, kinds: [RecordKind]? = nil) async throws -> [ClientRecord] {
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
        abstract: "Print the history: every event, decision and step, in order.",
        discussion: "Example: scenectl records --scene A --follow"
    )

    @Option(help: ArgumentHelp("Begin after this index.", valueName: "index"))
    var after = 0

    @OptionGroup var filter: RecordFilter

    @Flag(name: .shortAndLong, help: "Then print new records as they are made, until interrupted.")
    var follow = false

    @OptionGroup var patience: PatienceOptions
    @OptionGroup var daemon: LastingDaemonOptions

    func validate() throws {
        if patience.timeout != nil, !follow { throw ValidationError("--timeout: expected --follow, which waits.") }
        if after < 0 { throw ValidationError("--after \(after): expected 0 or more.") }
    }

    func run() async throws {
        if follow { return try await Self.follow(daemon, after: after, filter, patience) }
        let client = try await daemon.connect()
        var position = after
        var count = 0
        while true {
            let (page, next) = try await client.records(
                after: position,
                scene: filter.scene,
                event: filter.event,
                named: filter.kinds
            )
            Self.show(page, json: daemon.json)
            count += page.count
            guard next > position else { break }
            position = next
        }
        if count == 0 { Terminal.complain("No record matches\(filter.words). 'scenectl list' lists the windows.") }
    }

    /// Prints records as they are made.
    /// - Parameter after: Begins after this index; `nil` stands for the newest record.
    static func follow(
        _ daemon: LastingDaemonOptions,
        after: Int?,
        _ filter: RecordFilter,
        _ patience: PatienceOptions
    ) async throws {
        try await Patience(limit: patience.timeout, what: "the history to end") { [] }.wait {
            let client = try await daemon.connect()
            var first = after
            if first == nil { first = try await client.call("io.scened.Manager.GetStatus")["records"]?.integerValue }
            let pages = client.followRecords(
                after: first ?? 0,
                scene: filter.scene,
                event: filter.event,
                named: filter.kinds
            )
            for try await page in pages {
                show(page, json: daemon.json)
                Terminal.flush()
            }
        }
    }

    private static func show(_ records: [ClientRecord], json: Bool) {
        for record in records {
            if json { print(json: .object(record.reply), .compact) } else { print(RecordLine.text(record)) }
        }
    }
}

extension RecordFilter {
    /// The kinds for the daemon; `nil` for all.
    fileprivate var kinds: [String]? { kind.isEmpty ? nil : kind }

    /// What it asks for, ` --scene A`, for a message.
    fileprivate var words: String {
        let options = [scene.map { "--scene \($0)" }, event.map { "--event \($0)" }].compactMap { $0 }
        return (options + kind.map { "--kind \($0)" }).map { " \($0)" }.joined()
    }
}

struct Receipt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Print what has become of an event so far."
    )

    @Argument(help: "The event's ID.", completion: .events)
    var event: String

    @Option(
        help: ArgumentHelp(
            "The outcomes that are expected, as for an event; the exit status is 5 if it is another.",
            valueName: "outcome,…"
        ),
        transform: Expectations.init(parsing:)
    )
    var expect: Expectations?

    @OptionGroup var daemon: LastingDaemonOptions

    func run() async throws {
        let client = try await daemon.connect()
        try await expect?.checkReasons(client)
        let receipt = try await client.receipt(of: event)
        Printing.receipt(receipt, json: daemon.json)
        try expect?.compare([receipt])
    }
}
