internal import ArgumentParser
internal import CommandConsole
internal import SceneClient
internal import SceneHistory
internal import SceneJournal
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
        var sources: [(label: String, read: ((ArraySlice<UInt8>) throws(CommandError) -> Void) throws -> Void)] = []
        if let journal {
            let query = try part.query(unit: journal)
            sources = [(journal, { body in try Self.read(query, body) })]
        } else if files.isEmpty {
            let client = try await daemon.connect()
            let records = try await client.allRecords()
            guard !records.isEmpty else { throw CommandError.failed("The daemon has recorded nothing yet.") }
            sources = [
                ("daemon", { body in for record in records { try body(Self.line(.object(record.reply))) } })
            ]
        } else {
            sources = files.map { file in
                (file == "-" ? "standard input" : file, { body in try Self.read(file: file, body) })
            }
        }
        let title = sources.map(\.label).joined(separator: " and ")
        let page = TracePage(title: "Records: \(title)")
        var file = try OutputFile(whole: place)
        try file.write(Array(page.beginning.utf8)[...])
        for source in sources {
            try file.write(Array(TracePage.opening(of: TracePage.Run(label: source.label)).utf8)[...])
            try source.read { bytes throws(CommandError) in try file.write(TracePage.embedded(bytes)[...]) }
            try file.write(Array(TracePage.closing.utf8)[...])
        }
        try file.write(Array(TracePage.end.utf8)[...])
        try file.finish()
        // Where the page itself goes, nothing else may.
        guard out != "-", Files.isRegular(out) else { return }
        if daemon.json { print(json: ["page": .string(out)]) } else { print(out) }
    }

    private static func line(_ value: JSONValue) -> ArraySlice<UInt8> { Array("\(value.text())\n".utf8)[...] }

    /// Reads a file's records.
    /// - Throws: If not one line of it is a record.
    private static func read(
        file: String,
        _ body: (ArraySlice<UInt8>) throws(CommandError) -> Void
    ) throws(CommandError) {
        var reader = HistoryReader()
        var problem: (line: Int, reason: String)?
        var isHistory = false
        func look(_ line: HistoryReader.Line) {
            switch line {
            case .record: isHistory = true
            case .bad(let line): problem = problem ?? (line.line, line.reason)
            }
        }
        try Input.read(file: file) { chunk throws(CommandError) in
            // The rest is read by the page.
            if !isHistory { reader.read(chunk) { look($0) } }
            try body(chunk)
        }
        if !isHistory { reader.finish { look($0) } }
        guard isHistory else {
            let name = file == "-" ? "standard input" : file
            throw .usage(
                "\(name)\(problem.map { ":\($0.line): \($0.reason)" } ?? ": no records"); expected one record a line, as 'scenectl records --json' prints them."
            )
        }
        try body([UInt8(ascii: "\n")])
    }

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
