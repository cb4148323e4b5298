/// Why there is nothing to judge in a journal, and what to do about it.
package enum JournalProblem: Error, Hashable, Sendable {
    /// There is no journal file at this place.
    case noJournal(JournalQuery.Place)
    /// There are files, but the user may read none of them.
    case noRights(JournalQuery.Place)
    /// The journal can be read but has no entry of the unit in that time; `unreadable` files may not be read.
    case nothingLogged(JournalQuery, unreadable: Int)
    /// The unit logged no record whole, but `entries` in brief.
    case onlyBrief(JournalQuery, entries: Int)
    /// libsystemd's error, as a phrase without a full stop.
    case failed(String)
}

extension JournalProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noJournal(.machine):
            """
            There is no journal in /run/log/journal or /var/log/journal. Start systemd-journald, or choose files from \
            elsewhere with --directory or --journal-file.
            """
        case .noJournal(.namespace(let name)):
            """
            There is no journal of the namespace '\(name)'. A unit logs to one if LogNamespace=\(name) is set, as in \
            soak.conf. Without --namespace all of them are read.
            """
        case .noJournal(.directory(let path)):
            "There is no journal file (*.journal) in \(path). In /var/log/journal each machine and namespace has a folder."
        case .noJournal(.files(let paths)): "--journal-file \(paths.joined(separator: ", ")): there is no such file."
        case .noRights(let place):
            """
            You may not read the journal\(Self.place(place)). Become root, or a member of the group systemd-journal: \
            'adduser NAME systemd-journal', then log in again.
            """
        case .nothingLogged(let query, let unreadable):
            """
            The journal has no entry of \(query.unit ?? "scened")\(Self.time(query)). Check the name with 'systemctl \
            list-units "scened*"', and the time with --since and --until.\
            \(unreadable > 0 ? " You may not read \(unreadable) of the journal's files; root may." : "")
            """
        case .onlyBrief(let query, let entries):
            """
            \(query.unit ?? "scened") logged \(entries) records in brief\(Self.time(query)) and none whole, so there is \
            nothing to judge. Set 'logRecords: whole' in /etc/scened/scened.yaml, or install the drop-in soak.conf, and \
            restart it.
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
