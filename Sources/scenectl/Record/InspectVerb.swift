internal import ArgumentParser
internal import CommandConsole
internal import Glibc
internal import SceneClient
internal import SceneHistory
internal import SceneJournal
internal import SceneRouting
internal import SceneViewer
internal import StrictJSON

struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Look at a history in the browser: windows, session and events at any moment.",
        discussion: """
            Examples: scenectl inspect --out trace.html
                      scenectl inspect records.jsonl --out trace.html
                      scenectl inspect --journal scened --since -1h --out trace.html
                      scenectl inspect failed.jsonl passed.jsonl --out both.html

            It writes one page that needs nothing else: open it, or keep it with a test that failed. Without a file and \
            without --journal it shows what the daemon has recorded. Two files are shown beside each other, step by step, from the first \
            difference on.

            The page has what the records have, also about users. Like other files with records, only you may read it.
            """
    )

    @Argument(
        help: "Histories, one record a line as 'records --json' prints it; - for standard input.",
        completion: .file()
    )
    var files: [String] = []

    @Option(help: ArgumentHelp("The page to write; - for standard output.", valueName: "file"), completion: .file())
    var out: String

    @Option(help: ArgumentHelp("Show this unit's records from the journal.", valueName: "unit"))
    var journal: String?

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
    }

    func run() async throws {
        let place = out == "-" ? "/dev/stdout" : out
        try Files.check("--out", place, keeps: files)
        let now = Double(time(nil))
        let sources: [Source]
        if let journal {
            let query = try part.query(unit: journal)
            sources = [Source(label: journal, date: now) { body in try Self.read(query, body) }]
        } else if files.isEmpty {
            let client = try await daemon.connect()
            let records = try await client.allRecords()
            guard !records.isEmpty else { throw CommandError.failed("The daemon has recorded nothing yet.") }
            sources = [
                Source(label: "daemon", date: now) { body in
                    for record in records { try body(Self.line(.object(record.reply))) }
                }
            ]
        } else {
            sources = files.map { file in
                Source(label: file == "-" ? "standard input" : file, date: Files.changed(file) ?? now, isFile: true) {
                    body in
                    try Input.read(file: file, body)
                    try body([UInt8(ascii: "\n")])
                }
            }
        }
        let title = sources.map { "\($0.label), \(Instant.text($0.date))" }.joined(separator: " and ")
        let page = TracePage(title: "Records: \(title)")
        var file = try OutputFile(whole: place)
        try file.write(Array(page.beginning.utf8)[...])
        var sentences: [String] = []
        var (badLines, missing) = (0, 0)
        for source in sources {
            try file.write(Array(TracePage.opening(of: TracePage.Run(label: source.label)).utf8)[...])
            var flaws = HistoryFlaws()
            var reader = HistoryReader()
            try source.read { bytes throws(CommandError) in
                flaws.look(at: bytes)
                reader.read(bytes) { flaws.take($0) }
                try file.write(TracePage.embedded(bytes)[...])
            }
            if source.isFile, flaws.records == 0 { throw flaws.noRecords(in: source.label) }
            sentences += flaws.sentences(in: source.label)
            badLines += flaws.badLines
            missing += flaws.missing
            try file.write(Array(TracePage.closing.utf8)[...])
        }
        try file.write(Array(TracePage.end.utf8)[...])
        try file.finish()
        for sentence in sentences { Terminal.complain(sentence) }
        // Where the page itself goes, nothing else may.
        guard out != "-", Files.isRegular(out) else { return }
        guard daemon.json else { return print(out) }
        print(json: ["page": .string(out), "badLines": .integer(badLines), "missing": .integer(missing)])
    }

    /// Where records come from.
    private struct Source {
        let label: String
        /// When they were written, in seconds since 1970.
        let date: Double
        /// Whether it has to have records.
        var isFile = false
        /// Reads them, in pieces that end anywhere.
        let read: ((ArraySlice<UInt8>) throws(CommandError) -> Void) throws -> Void
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
