internal import ArgumentParser
internal import CommandConsole
internal import Glibc
internal import PagePacking
internal import SceneClient
internal import SceneHistory
internal import SceneJournal
internal import SceneRouting
internal import SceneViewer
internal import StrictJSON

struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Look at a daemon or a history in the browser: windows, session and events at any moment.",
        discussion: """
            Examples: scenectl inspect                                     the daemon, while it runs
                      scenectl inspect records.jsonl
                      scenectl inspect records.jsonl --out trace.html
                      scenectl inspect --journal scened --since -1h
                      scenectl inspect failed.jsonl passed.jsonl           beside each other

            It prints an address that is good for one browser, and serves it on this machine only, until Ctrl-C, with which it \
            ends with 0; when the address was used, it prints another. Of a daemon the page shows what happens as it happens. What you may do, you can do there: \
            tap, send events, sign in, hold, let time pass. Each thing that you do is shown as a command, and all of it can be \
            copied as a script that 'scenectl play' plays, or as a test. Holds end with the page, but not when it is loaded again.

            With --out it serves nothing, and writes one page that needs nothing else: open it, or keep it with a test that failed. Two \
            files are shown beside each other, step by step, from the first difference on.

            The page has what the records have, also about users. Like other files with records, only you may read one that is written.
            """
    )

    @Argument(
        help:
            "Histories, one record a line as 'records --json' prints it; - for standard input. Default: the daemon's.",
        completion: .file()
    )
    var files: [String] = []

    @Option(
        help: ArgumentHelp("Write a page to this file, and serve nothing; - for standard output.", valueName: "file"),
        completion: .file()
    )
    var out: String?

    @Option(help: ArgumentHelp("Show this unit's records from the journal.", valueName: "unit"))
    var journal: String?

    @Option(help: ArgumentHelp("Serve at this port of 127.0.0.1. Default: a free one.", valueName: "number"))
    var port: Int?

    @OptionGroup(title: "Part of the journal to read") var part: JournalOptions
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if files.count > 2 {
            throw ValidationError("\(files.count) files: expected one, or two to be shown beside each other.")
        }
        if files.filter({ $0 == "-" }).count > 1 {
            throw ValidationError("Standard input is given twice; it can be read once.")
        }
        if !files.isEmpty, journal != nil { throw ValidationError("Give files or --journal UNIT, but not both.") }
        if journal == nil, part.areGiven { throw ValidationError("Options such as --since need --journal UNIT.") }
        if let port {
            if out != nil { throw ValidationError("--port: with --out nothing is served; leave one out.") }
            guard (1...65_535).contains(port) else { throw ValidationError("--port \(port): expected 1 to 65535.") }
        }
    }

    func run() async throws {
        guard let out else {
            if files.isEmpty, journal == nil { return try await InspectServer(port: port, daemon: daemon).show() }
            return try await InspectServer(port: port, daemon: daemon).show(sources())
        }
        let place = out == "-" ? "/dev/stdout" : out
        try Files.check("--out", place, keeps: files)
        let sources = try await files.isEmpty && journal == nil ? [recorded()] : sources()
        let flaws = try Self.writePage(of: sources, to: place)
        for sentence in flaws.sentences { Terminal.complain(sentence) }
        // Where the page itself goes, nothing else may.
        guard out != "-", Files.isRegular(out) else { return }
        guard daemon.json else { return print(out) }
        print(
            json: [
                "page": .string(out), "badLines": .integer(flaws.badLines), "missing": .integer(flaws.missing),
                "repeated": .integer(flaws.repeated), "late": .integer(flaws.late),
            ]
        )
    }

    /// Writes a page that shows histories.
    /// - Parameter place: The path of the page; an earlier one is replaced when all of it is written.
    /// - Returns: What is wrong with the histories.
    static func writePage(of sources: [HistorySource], to place: String) throws -> FoundFlaws {
        // When the records were made, only they can say.
        let title = sources.map { "\($0.label) (\($0.isFile ? "a file of" : "read at") \(Instant.text($0.date)))" }
            .joined(separator: " and ")
        let page = TracePage(title: "Records: \(title)")
        var file = try OutputFile(whole: place)
        try file.write(Array(page.beginning.utf8)[...])
        var flaws = FoundFlaws()
        for source in sources {
            let opening = TracePage.opening(of: TracePage.Run(label: source.label), isPacked: true)
            try file.write(Array(opening.utf8)[...])
            var packed = PackedText()
            let unread = try flaws.read(source) { bytes throws(CommandError) in try file.write(packed.pack(bytes)[...])
            }
            try file.write(packed.finish()[...])
            try file.write(Array(TracePage.closing.utf8)[...])
            if let unread { try file.write(Array(TracePage.unread(unread).utf8)[...]) }
        }
        try file.write(Array(TracePage.end.utf8)[...])
        try file.finish()
        return flaws
    }

    /// The files or the journal.
    private func sources() throws -> [HistorySource] {
        let now = Double(time(nil))
        if let journal {
            let query = try part.query(unit: journal)
            return [HistorySource(label: journal, date: now) { body in try Self.read(query, body) }]
        }
        return files.map { file in
            HistorySource(
                label: file == "-" ? "standard input" : file,
                date: Files.changed(file) ?? now,
                isFile: true
            ) { body in
                try Input.read(file: file, body)
                try body([UInt8(ascii: "\n")])
            }
        }
    }

    /// What the daemon has recorded so far.
    private func recorded() async throws -> HistorySource {
        let records = try await daemon.connect().allRecords()
        guard !records.isEmpty else { throw CommandError.failed("The daemon has recorded nothing yet.") }
        return HistorySource(label: "daemon", date: Double(time(nil))) { body in
            for record in records { try body(Self.line(.object(record.reply))) }
        }
    }

    private static func line(_ value: JSONValue) -> ArraySlice<UInt8> { Array("\(value.text())\n".utf8)[...] }

    private static func read(
        _ query: JournalQuery,
        _ body: (ArraySlice<UInt8>) throws(CommandError) -> Void
    ) throws {
        do {
            _ = try RecordJournal(query).read { entry in
                if !entry.object.isEmpty { try body(line(.object(entry.object))) }
            }
        } catch let problem as JournalProblem {
            throw CommandError(message: "\(problem)", status: .noDaemon)
        }
    }
}

/// Where records come from.
struct HistorySource {
    let label: String
    /// When they were written, in seconds since 1970.
    let date: Double
    /// Whether it has to have records.
    var isFile = false
    /// Reads them, in pieces that end anywhere.
    let read: ((ArraySlice<UInt8>) throws(CommandError) -> Void) throws -> Void
}

/// What is wrong with the histories that were read.
struct FoundFlaws {
    private(set) var sentences: [String] = []
    private(set) var badLines = 0
    private(set) var missing = 0
    private(set) var repeated = 0
    private(set) var late = 0

    /// Reads a history.
    /// - Returns: Which of its lines are no records, for the page; `nil` if all are.
    mutating func read(
        _ source: HistorySource,
        _ body: (ArraySlice<UInt8>) throws(CommandError) -> Void
    ) throws -> JSONObject? {
        var flaws = HistoryFlaws()
        var reader = HistoryReader()
        try source.read { bytes throws(CommandError) in
            flaws.look(at: bytes)
            reader.read(bytes) { flaws.take($0) }
            try body(bytes)
        }
        if source.isFile, flaws.records == 0 { throw flaws.noRecords(in: source.label) }
        sentences += flaws.sentences(in: source.label)
        badLines += flaws.badLines
        missing += flaws.missing
        repeated += flaws.repeated
        late += flaws.late
        return flaws.unread
    }
}
