internal import CommandConsole
internal import SceneHistory
internal import SceneManifest
internal import SceneSoak
internal import StrictJSON

/// What of a history cannot be seen as it was: lines that are no records, records that are missing, those that are there more than once, and
/// those that come after later ones.
struct HistoryFlaws {
    /// How many records there are.
    private(set) var records = 0
    /// How many lines are no records.
    private(set) var badLines = 0
    /// How many records are missing between others.
    var missing: Int { remaining.reduce(0) { $0 + $1.count } }
    /// How many records were there before.
    var repeated: Int { repeats.count }
    /// How many records come after later ones.
    var late: Int { lates.count }
    private var firstBadLine: HistoryReader.BadLine?
    /// The numbers of the lines that are no records.
    private var bad = RangeSet<Int>()
    private var gaps: [Gap] = []
    private var repeats = Places()
    private var lates = Places()
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
        /// The one that came after later ones, likewise.
        var late: Int?
    }

    /// A place where records were missing when it was read.
    private struct Gap {
        let host: String
        /// Which; `nil` if only their count is told.
        let range: Range<Int>?
        let count: Int
        let phrase: String
    }

    /// Records by their indices, those that follow one another as one place.
    private struct Places {
        private(set) var count = 0
        private var number = 0
        private var first: ClosedRange<Int>?

        mutating func add(_ index: Int, after last: Int?) {
            count += 1
            if last != index - 1 { number += 1 }
            if number == 1 { first = (first?.lowerBound ?? index)...index }
        }

        /// What is said of them: `record 3 is there more than once`.
        func sentence(_ one: String, _ many: String) -> String? {
            guard let first else { return nil }
            let isOne = first.count == 1
            let which = isOne ? "record \(first.lowerBound)" : "records \(first.lowerBound) to \(first.upperBound)"
            if number == 1 { return "\(which) \(isOne ? one : many)" }
            return "\(Wording.count(count)) records \(many), in \(Wording.count(number)) places; first, \(which)"
        }
    }

    /// What is missing in the end: records may come late.
    private var remaining: [Gap] {
        // Both are in order, so that each is looked at once.
        var cursors: [String: Int] = [:]
        return gaps.compactMap { gap in
            guard let range = gap.range, let absent = hosts[gap.host]?.absent.ranges else { return gap }
            var place = cursors[gap.host, default: 0]
            while place < absent.count, absent[place].upperBound <= range.lowerBound { place += 1 }
            cursors[gap.host] = place
            let left = absent[place...].prefix { $0.lowerBound < range.upperBound }.map { $0.clamped(to: range) }
            guard let first = left.first else { return nil }
            return Gap(
                host: gap.host,
                range: range,
                count: left.reduce(0) { $0 + $1.count },
                phrase: MissingRecords.phrase(first.lowerBound...first.upperBound - 1)
            )
        }
    }

    /// Which lines are no records, and why the first is none; `nil` if all are. For the page, which takes what looks like one.
    var unread: JSONObject? {
        guard let firstBadLine else { return nil }
        let ranges = bad.ranges.map { JSONValue.array([.integer($0.lowerBound), .integer($0.upperBound - 1)]) }
        return ["lines": .array(ranges), "why": .string(firstBadLine.reason)]
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
            bad.insert(contentsOf: line.line..<line.line + 1)
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
        let (again, late) = (known.again, known.late)
        (known.again, known.late) = (nil, nil)
        if case .gap(let count) = record.body {
            miss(count, nil, of: record.host, MissingRecords.phrase(count: count, before: index))
            guard known.next < index else { return }
            known.absent.insert(contentsOf: known.next..<index)
            known.next = index
        } else if index >= known.next {
            if known.next < index {
                let absent = known.next..<index
                known.absent.insert(contentsOf: absent)
                if !isFirst {
                    miss(absent.count, absent, of: record.host, MissingRecords.phrase(known.next...index - 1))
                }
            }
            known.next = index + 1
        } else if known.absent.contains(index) {
            known.absent.remove(contentsOf: index..<index + 1)
            known.late = index
            lates.add(index, after: late)
        } else {
            known.again = index
            repeats.add(index, after: again)
        }
    }

    private mutating func miss(_ count: Int, _ range: Range<Int>?, of host: String, _ phrase: String) {
        gaps.append(Gap(host: host, range: range, count: count, phrase: phrase))
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
        let missing = remaining
        if let first = missing.first {
            sentences.append(
                missing.count == 1
                    ? "\(name): \(first.phrase)."
                    : "\(name): \(Wording.count(self.missing)) records are missing in \(Wording.count(missing.count)) places; first, \(first.phrase)."
            )
        }
        for sentence in [
            repeats.sentence("is there more than once", "are there more than once"),
            lates.sentence("comes after later ones", "come after later ones"),
        ] {
            if let sentence { sentences.append("\(name): \(sentence).") }
        }
        return sentences
    }
}
