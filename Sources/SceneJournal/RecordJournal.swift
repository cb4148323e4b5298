package import SceneHistory
package import StrictJSON
internal import Systemd

/// Reads a unit's records from a journal, in order and one at a time, so that memory does not grow with their number.
package struct RecordJournal {
    /// An entry with a record.
    package struct Entry: Sendable {
        /// The record, or why it is bad, with the number of the entry among those read.
        package let line: HistoryReader.Line
        /// All fields of the record; empty if it is bad.
        package let object: JSONObject
        /// When journald received it.
        package let received: JournalTime

        package init(line: HistoryReader.Line, object: JSONObject, received: JournalTime) {
            (self.line, self.object, self.received) = (line, object, received)
        }
    }

    private let query: JournalQuery

    /// A journal to be read by `query`.
    package init(_ query: JournalQuery) {
        self.query = query
    }

    /// Calls `body` with every record; an error that it throws ends the reading.
    ///
    /// - Returns: the hosts, what is missing, and how each run ended.
    /// - Throws: ``JournalProblem`` if there is nothing to read, and the errors of `body`.
    package func read(_ body: (Entry) throws -> Void) throws -> JournalHistory {
        let files = JournalFiles(at: query.place)
        guard files.readable > 0 else {
            throw files.unreadable > 0 ? JournalProblem.noRights(query.place) : .noJournal(query.place)
        }
        let history: JournalHistory
        do {
            history = try follow(body)
        } catch let error as SystemError {
            let isFiles = if case .files = query.place { true } else { false }
            throw JournalProblem.failed(
                "\(error)\(isFiles ? "; --journal-file names a file that journald has written" : "")"
            )
        }
        guard history.records == 0, history.bad == 0 else { return history }
        throw history.brief > 0
            ? JournalProblem.onlyBrief(query, entries: history.brief)
            : .nothingLogged(query, unreadable: files.unreadable)
    }

    private func follow(_ body: (Entry) throws -> Void) throws -> JournalHistory {
        var reader = try open()
        try match(&reader)
        if let since = query.since {
            try reader.seek(toRealtime: since.microseconds)
        } else {
            try reader.seekToHead()
        }
        var follower = JournalFollower(hasBeginning: query.since == nil, hasEnd: query.until == nil)
        var number = 0
        while try reader.next() {
            let received = JournalTime(microseconds: try reader.realtime())
            if let until = query.until, received > until { break }
            number += 1
            guard let json = try reader.value(of: .recordJSON) else {
                try notice(&reader, &follower)
                continue
            }
            let (line, object) = Self.line(json, number)
            switch line {
            case .record(let record):
                try follower.record(
                    host: record.host,
                    index: record.index,
                    isLast: record.body == .hostStopped,
                    isRestart: record.body.isRestart,
                    at: received,
                    lookups
                ) { try Self.origin(&reader) }
            case .bad: follower.bad()
            }
            try body(Entry(line: line, object: object, received: received))
        }
        return follower.finish(lookups)
    }

    private static func line(_ json: [UInt8], _ number: Int) -> (HistoryReader.Line, JSONObject) {
        do {
            let value = try JSONDocument(parsing: json).root
            guard let object = value.objectValue else {
                return (.bad(.init(line: number, reason: "expected an object, found \(value.typeName)")), [:])
            }
            return (.record(try HistoryRecord(value)), object)
        } catch {
            return (.bad(.init(line: number, reason: "\(error)")), [:])
        }
    }

    // MARK: - Which entries

    private func open() throws(SystemError) -> JournalReader {
        switch query.place {
        case .machine: try JournalReader(.allNamespaces)
        // The service manager logs to the default namespace, whatever the unit's is.
        case .namespace(let name): try JournalReader(.namespaceAndUsual(name))
        case .directory(let path): try JournalReader(.directory(path))
        case .files(let paths): try JournalReader(.files(paths))
        }
    }

    /// Selects the records, and the messages of journald and the service manager about the unit.
    private func match(_ reader: inout JournalReader) throws(SystemError) {
        for field in query.unit == nil ? [nil] : [JournalFieldName.systemUnit, .userUnit] {
            try reader.match(.syslogIdentifier, Self.identifier)
            if let field, let unit = query.unit { try reader.match(field, unit) }
            if let boot = query.boot { try reader.match(.boot, boot) }
            if let invocation = query.invocation { try reader.match(.invocation, invocation) }
            if let host = query.host { try reader.match(.host, host) }
            try reader.matchOr()
        }
        for (message, field) in [
            (JournalMessageID.processExit, JournalFieldName.aboutUnit), (.processExit, .aboutUserUnit),
            (.suppressed, .objectUnit), (.suppressed, .objectUserUnit),
        ] {
            try reader.match(.messageID, message.text)
            if let unit = query.unit { try reader.match(field, unit) }
            try reader.matchOr()
        }
    }

    /// The `SYSLOG_IDENTIFIER` of scened's entries, and the name of its process.
    private static let identifier = "scened"

    // MARK: - Fields of entries

    private static func origin(_ reader: inout JournalReader) throws(SystemError) -> JournalFollower.Origin {
        JournalFollower.Origin(
            unit: try text(of: [.systemUnit, .userUnit], &reader),
            invocation: try reader.text(of: .invocation),
            boot: try reader.text(of: .boot),
            process: try reader.text(of: .process).flatMap { Int32($0) },
            namespace: try reader.text(of: .namespace),
            hostStarted: try reader.text(of: .hostStarted).flatMap { UInt64($0) }.map(JournalTime.init(microseconds:))
        )
    }

    /// The first of these fields that the entry has.
    private static func text(
        of names: [JournalFieldName],
        _ reader: inout JournalReader
    ) throws(SystemError) -> String? {
        for name in names {
            if let text = try reader.text(of: name) { return text }
        }
        return nil
    }

    /// Takes an entry without a whole record.
    private func notice(_ reader: inout JournalReader, _ follower: inout JournalFollower) throws(SystemError) {
        func number(_ name: JournalFieldName) throws(SystemError) -> Int? {
            try reader.text(of: name).flatMap { Int($0) }
        }
        let host = try reader.text(of: .host)
        follower.note(boot: try reader.text(of: .boot))
        switch try reader.text(of: .messageID) {
        case JournalMessageID.gap.text:
            // A gap without a host is one of the daemon's other messages.
            guard let host, let after = try number(.gapAfter), let count = try number(.gap) else { return }
            follower.dropped(host: host, after: after, count: count)
        case JournalMessageID.daemonStopped.text:
            if let invocation = try reader.text(of: .invocation) { follower.stopped(invocation: invocation) }
        case JournalMessageID.suppressed.text:
            let unit = try Self.text(of: [.objectUnit, .objectUserUnit], &reader)
            follower.suppressed(unit: unit, count: try number(.dropped) ?? 0)
        case JournalMessageID.processExit.text:
            let invocation = try Self.text(of: [.aboutInvocation, .aboutUserInvocation], &reader)
            if let invocation, let code = try reader.text(of: .exitCode), let status = try number(.exitStatus) {
                follower.exited(invocation: invocation, .init(code: code, status: status))
            }
        default:
            guard let host, let index = try number(.recordIndex) else { return }
            if try reader.value(of: .hostStarted) == nil {
                follower.brief()
            } else {
                follower.tooLong(host: host, index: index)
            }
        }
    }

    // MARK: - Looking up

    /// A lookup that fails counts as no.
    private var lookups: JournalFollower.Lookups {
        JournalFollower.Lookups(
            has: { host, index in (try? has(host, index)) ?? false },
            oldest: { namespace in (try? oldest(namespace)) ?? nil },
            isRunning: { process, boot in isRunning(process, boot) }
        )
    }

    private func has(_ host: String, _ index: Int) throws(SystemError) -> Bool {
        var reader = try open()
        try reader.match(.host, host)
        try reader.match(.recordIndex, String(index))
        try reader.seekToHead()
        return try reader.next()
    }

    private func oldest(_ namespace: String?) throws(SystemError) -> JournalTime? {
        var reader: JournalReader
        switch (query.place, namespace) {
        case (.machine, nil): reader = try JournalReader(.system)
        case (.machine, let name?), (.namespace, let name?): reader = try JournalReader(.namespace(name))
        case (.namespace, nil): reader = try JournalReader(.system)
        default:
            reader = try open()
            if let namespace { try reader.match(.namespace, namespace) }
        }
        try reader.seekToHead()
        guard try reader.next() else { return nil }
        return JournalTime(microseconds: try reader.realtime())
    }

    /// Whether the process belongs to this machine and boot, still runs, and is scened.
    private func isRunning(_ process: Int32, _ boot: String) -> Bool {
        switch query.place {
        case .machine, .namespace: break
        case .directory, .files: return false
        }
        return JournalQuery.currentBoot == boot && SmallFile.line(of: "/proc/\(process)/comm") == Self.identifier
    }
}
