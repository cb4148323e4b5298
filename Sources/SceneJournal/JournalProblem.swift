/// Why a journal says nothing about a unit, and what to do.
package enum JournalProblem: Error, Hashable, Sendable {
    /// There is no journal file where one was looked for.
    case noJournal(JournalQuery.Place)
    /// There are files, and none that the user may read.
    case noRights(JournalQuery.Place)
    /// It can be read and has nothing of the unit in that time.
    case nothingLogged(JournalQuery, unreadable: Int)
    /// The unit logged, and no record whole.
    case onlyBrief(JournalQuery, entries: Int)
    /// libsystemd's own word, as a sentence without its full stop.
    case failed(String)
}

extension JournalProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noJournal(.machine):
            """
            There is no journal in /run/log/journal or /var/log/journal. Start systemd-journald, or name what was copied \
            from elsewhere with --directory or --file.
            """
        case .noJournal(.namespace(let name)):
            """
            There is no journal of the namespace '\(name)'. A unit logs to one when LogNamespace=\(name) is set, as \
            scened-soak.conf does; without --namespace all of them are read.
            """
        case .noJournal(.directory(let path)):
            "There is no journal file (*.journal) in \(path). /var/log/journal/ has one folder per machine and namespace."
        case .noJournal(.files(let paths)): "There is no journal file \(paths.joined(separator: ", "))."
        case .noRights(let place):
            """
            You may not read the journal\(Self.place(place)). Become root, or a member of the group systemd-journal: \
            'adduser NAME systemd-journal', then log in again.
            """
        case .nothingLogged(let query, let unreadable):
            """
            The journal has no entry of \(query.unit ?? "scened")\(Self.time(query)). Did it run in that time, and under \
            that name? 'systemctl list-units "scened*"' shows the names, --since and --until say which time is looked \
            at.\(unreadable > 0 ? " You may not read \(unreadable) of the journal's files: root may." : "")
            """
        case .onlyBrief(let query, let entries):
            """
            \(query.unit ?? "scened") logged \(entries) records in brief\(Self.time(query)), none whole, so there is nothing \
            to judge. Set 'logRecords: whole' in /etc/scened/scened.yaml, or install the drop-in scened-soak.conf, and \
            start it again.
            """
        case .failed(let reason): "The journal cannot be read: \(reason)."
        }
    }

    private static func place(_ place: JournalQuery.Place) -> String {
        switch place {
        case .machine: ""
        case .namespace(let name): " of the namespace '\(name)'"
        case .directory(let path): " in \(path)"
        case .files(let paths): " in \(paths.joined(separator: ", "))"
        }
    }

    private static func time(_ query: JournalQuery) -> String {
        (query.since.map { " since \($0)" } ?? "") + (query.until.map { " until \($0)" } ?? "")
    }
}
