internal import ArgumentParser
internal import CommandConsole
internal import SceneJournal

/// The part of a journal to read, in the words of journalctl.
struct JournalOptions: ParsableArguments {
    // As with journalctl, -2h is a time, not an option.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "From this time on: '2026-11-20 18:00', 'yesterday', '-2h', '@1763661600'. Verdicts on hosts that started earlier may be unknown.",
            valueName: "time"
        )
    )
    var since: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Until this time.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("Only this host's records.", valueName: "ID"))
    var host: String?

    @Option(help: ArgumentHelp("Only this run of the unit, by systemd's invocation ID.", valueName: "ID"))
    var invocation: String?

    @Option(help: ArgumentHelp("Only this boot, by its ID; 0 for the current one.", valueName: "ID"))
    var boot: String?

    @Option(help: ArgumentHelp("Only this journal namespace. Default: all.", valueName: "name"))
    var namespace: String?

    @Option(help: ArgumentHelp("Read the journal files in this directory instead.", valueName: "path"))
    var directory: String?

    @Option(
        name: .customLong("journal-file"),
        help: ArgumentHelp("Read this journal file instead. May be repeated.", valueName: "path")
    )
    var journalFiles: [String] = []

    /// Whether any of the options is given.
    var areGiven: Bool {
        ![since, until, host, invocation, boot, namespace, directory].allSatisfy { $0 == nil } || !journalFiles.isEmpty
    }

    func query(unit: String) throws(CommandError) -> JournalQuery {
        let places = [namespace != nil, directory != nil, !journalFiles.isEmpty].filter { $0 }.count
        guard places <= 1 else {
            throw .usage(
                "--namespace, --directory and --journal-file exclude each other; give one of them."
            )
        }
        var query = JournalQuery(unit: unit)
        if let namespace { query.place = .namespace(namespace) }
        if let directory { query.place = .directory(directory) }
        if !journalFiles.isEmpty { query.place = .files(journalFiles) }
        let now = JournalTime.now
        query.since = try time(since, "--since", now)
        query.until = try time(until, "--until", now)
        if let since = query.since, let until = query.until, until < since {
            throw .usage("--until \(until) is before --since \(since).")
        }
        query.host = try identifier(host, "--host")
        query.invocation = try identifier(invocation, "--invocation")
        query.boot = boot == "0" ? JournalQuery.currentBoot : try identifier(boot, "--boot")
        return query
    }

    private func time(_ text: String?, _ option: String, _ now: JournalTime) throws(CommandError) -> JournalTime? {
        guard let text else { return nil }
        do {
            return try JournalTime(text, now: now)
        } catch {
            throw .usage("\(option): \(error).")
        }
    }

    private func identifier(_ text: String?, _ option: String) throws(CommandError) -> String? {
        guard let text else { return nil }
        let digits = text.filter { $0 != "-" }
        guard digits.utf8.count == 32, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw .usage("\(option) \(text): expected 32 hexadecimal digits.")
        }
        return digits.lowercased()
    }
}
