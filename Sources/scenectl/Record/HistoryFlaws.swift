internal import CommandConsole
internal import SceneHistory
internal import SceneManifest
internal import SceneSoak

/// What of a history cannot be seen as it was: lines that are no records, records that are missing, and those that are there more than once.
struct HistoryFlaws {
    /// How many records there are.
    private(set) var records = 0
    /// How many lines are no records.
    private(set) var badLines = 0
    /// How many records are missing between others.
    private(set) var missing = 0
    /// How many records were there before.
    private(set) var repeated = 0
    private var firstBadLine: HistoryReader.BadLine?
    private var firstGap: String?
    private var gaps = 0
    private var firstRepeat: ClosedRange<Int>?
    private var repeats = 0
    private var hosts: [String: Indices] = [:]
    /// How the input begins, as far as it says what it is if there are no records in it.
    private var beginning: [UInt8] = []

    /// Which records of a host were there.
    private struct Indices {
        /// The index after all that were there.
        var next = 1
        /// Those below it that were not.
        var absent = RangeSet<Int>()
        /// The one that was there before, if that was the last.
        var again: Int?
    }

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
            take(record)
        }
    }

    private mutating func take(_ record: HistoryRecord) {
        let index = record.index
        // A history may begin anywhere.
        let isFirst = hosts[record.host] == nil
        var known = hosts[record.host] ?? Indices()
        defer { hosts[record.host] = known }
        let again = known.again
        known.again = nil
        if case .gap(let count) = record.body {
            miss(count, MissingRecords.phrase(count: count, before: index))
            guard known.next < index else { return }
            known.absent.insert(contentsOf: known.next..<index)
            known.next = index
        } else if index >= known.next {
            if known.next < index {
                known.absent.insert(contentsOf: known.next..<index)
                if !isFirst { miss(index - known.next, MissingRecords.phrase(known.next...index - 1)) }
            }
            known.next = index + 1
        } else if known.absent.contains(index) {
            known.absent.remove(contentsOf: index..<index + 1)
        } else {
            known.again = index
            repeated += 1
            if again != index - 1 { repeats += 1 }
            if repeats == 1 { firstRepeat = (firstRepeat?.lowerBound ?? index)...index }
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
        if let firstRepeat {
            let (first, last) = (firstRepeat.lowerBound, firstRepeat.upperBound)
            let which = first == last ? "record \(first)" : "records \(first) to \(last)"
            sentences.append(
                repeats == 1
                    ? "\(name): \(which) \(first == last ? "is" : "are") there more than once."
                    : "\(name): \(Wording.count(repeated)) records are there more than once, in \(Wording.count(repeats)) places; first, \(which)."
            )
        }
        return sentences
    }
}
