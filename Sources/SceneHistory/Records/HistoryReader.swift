internal import StrictJSON

/// Reads records from JSON lines, in chunks of any size. A bad line is reported, and reading goes on with the next.
package struct HistoryReader: Sendable {
    /// The content of a line.
    package enum Line: Hashable, Sendable {
        /// A record.
        case record(HistoryRecord)
        /// Anything else.
        case bad(BadLine)
    }

    /// A line that is not a record.
    package struct BadLine: Error, Hashable, Sendable, CustomStringConvertible {
        /// The line's number, from 1.
        package let line: Int
        /// What is wrong, as a phrase without a full stop.
        package let reason: String

        /// A bad line.
        package init(line: Int, reason: String) {
            self.line = line
            self.reason = reason
        }

        package var description: String { "line \(line): \(reason)" }
    }

    /// The longest line that is read, in bytes; a longer one is bad.
    package let longestLine: Int
    private var line: [UInt8] = []
    private var number = 1
    private var isTooLong = false

    /// A reader of lines of at most `longestLine` bytes; that bounds its memory.
    package init(longestLine: Int = 4 << 20) {
        self.longestLine = max(longestLine, 1)
    }

    /// Takes the next bytes and calls `body` with each line that they complete, except empty ones.
    package mutating func read(_ bytes: some Sequence<UInt8>, _ body: (Line) -> Void) {
        let isRead: Void? = bytes.withContiguousStorageIfAvailable { read(contiguous: $0, body) }
        if isRead == nil { Array(bytes).withUnsafeBufferPointer { read(contiguous: $0, body) } }
    }

    private mutating func read(contiguous bytes: UnsafeBufferPointer<UInt8>, _ body: (Line) -> Void) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            take(rest[..<end])
            endLine(body)
            rest = rest[(end + 1)...]
        }
        take(rest)
    }

    private mutating func take(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        let room = longestLine - line.count
        line.append(contentsOf: bytes.prefix(room))
        if bytes.count > room { isTooLong = true }
    }

    /// Reads the rest after the last line feed as a line.
    package mutating func finish(_ body: (Line) -> Void) {
        endLine(body)
    }

    private mutating func endLine(_ body: (Line) -> Void) {
        defer {
            line.removeAll(keepingCapacity: true)
            isTooLong = false
            number += 1
        }
        if isTooLong {
            return body(.bad(BadLine(line: number, reason: "is longer than \(longestLine) bytes")))
        }
        guard line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\r") })
        else { return }
        body(parse())
    }

    private func parse() -> Line {
        do throws(JSONError) {
            let document = try JSONDocument(parsing: line)
            do throws(JSONFieldError) {
                return .record(try HistoryRecord(document.root))
            } catch {
                return .bad(BadLine(line: number, reason: error.description))
            }
        } catch {
            return .bad(BadLine(line: number, reason: "\(error.reason), column \(error.column)"))
        }
    }
}
