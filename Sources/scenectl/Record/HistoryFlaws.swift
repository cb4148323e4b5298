internal import CommandConsole
internal import SceneHistory
internal import SceneManifest
internal import SceneSoak

/// What of a history cannot be seen: lines that are no records, and records that are missing.
struct HistoryFlaws {
    /// How many records there are.
    private(set) var records = 0
    /// How many lines are no records.
    private(set) var badLines = 0
    /// How many records are missing between others.
    private(set) var missing = 0
    private var firstBadLine: HistoryReader.BadLine?
    private var firstGap: String?
    private var gaps = 0
    /// By host, the index of its last record; none after one that says itself what is missing.
    private var last: [String: Int] = [:]
    /// How the input begins, as far as it says what it is if there are no records in it.
    private var beginning: [UInt8] = []

    /// How much of an input says what it is, in bytes.
    private static let longestBeginning = 1 << 16

    /// Notes how the input goes on.
    mutating func look(at bytes: ArraySlice<UInt8>) {
        if records == 0 { beginning += bytes.prefix(Self.longestBeginning - beginning.count) }
    }

    /// Takes the next line.
    mutating func take(_ line: HistoryReader.Line) {
        switch line {
        case .bad(let line):
            badLines += 1
            firstBadLine = firstBadLine ?? line
        case .record(let record):
            records += 1
            let before = last[record.host]
            if case .gap(let count) = record.body {
                last[record.host] = nil
                miss(count, MissingRecords.phrase(count: count, before: record.index))
            } else {
                last[record.host] = record.index
                guard let before, before < record.index - 1 else { return }
                miss(record.index - 1 - before, MissingRecords.phrase(before + 1...record.index - 1))
            }
        }
    }

    private mutating func miss(_ count: Int, _ phrase: String) {
        missing += count
        gaps += 1
        firstGap = firstGap ?? phrase
    }

    /// What is wrong with an input in which no line is a record.
    func noRecords(in name: String) -> CommandError {
        let expected = WrittenFile.records.expectation
        if let problem = WrittenFile.records.problem(
            with: WrittenFile(String(decoding: beginning, as: UTF8.self)),
            file: name
        ) {
            return .usage("\(problem).")
        }
        let found = firstBadLine.map { ":\($0.line): \($0.reason)" } ?? ": no records"
        return .usage("\(name)\(found); expected \(expected).")
    }

    /// A sentence for the lines and one for the records, if there are any.
    func sentences(in name: String) -> [String] {
        var sentences: [String] = []
        if let firstBadLine {
            let what =
                badLines == 1
                ? "\(name): this is no record: \(firstBadLine)"
                : "\(name): \(Wording.count(badLines)) lines are no records, first \(firstBadLine)"
            sentences.append("\(what).")
        }
        if let firstGap {
            sentences.append(
                gaps == 1
                    ? "\(name): \(firstGap)."
                    : "\(name): \(Wording.count(missing)) records are missing in \(Wording.count(gaps)) places; first, \(firstGap)."
            )
        }
        return sentences
    }
}
