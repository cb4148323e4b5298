/// Splits a segment into constants and captures, each capture from the left taking as much as it can.
///
/// It follows all ways of splitting at once, with one thread for each piece and state. Of two threads that meet, the
/// preferred one goes on. So the cost grows with the length of the text and not with the number of ways.
struct SegmentMatcher: Hashable, Sendable {
    private enum Piece: Hashable, Sendable {
        case constant([UInt32])
        case capture(name: String, automaton: CaptureAutomaton)
    }

    private let pieces: [Piece]
    private let ignoresCase: Bool

    /// The maximum length, in bytes, of a segment that is split; no value is longer.
    static let maximumLength = 1024

    init(_ pieces: [RoutePattern.Piece], checks: [String: ParameterCheck], ignoresCase: Bool) {
        self.ignoresCase = ignoresCase
        self.pieces = pieces.map { piece in
            switch piece {
            case .constant(let text): .constant((ignoresCase ? text.lowercased() : text).unicodeScalars.map(\.value))
            case .capture(let name): .capture(name: name, automaton: CaptureAutomaton(checks[name] ?? .string))
            }
        }
    }

    private struct ThreadKey: Hashable {
        var piece: Int
        var state: Int
    }

    /// The state of one way of splitting.
    private struct Thread {
        var piece: Int
        /// The number of characters read of a constant, or the state of a capture's automaton; -1 before the piece.
        var state: Int
        /// The positions at which the captures so far begin and end.
        var starts: [Int]
        var ends: [Int]
    }

    /// The captures in order; `nil` if the text cannot be split.
    func match(_ text: String) -> [(name: String, value: String)]? {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let scalars = text.unicodeScalars.map(\.value)
        let folded = ignoresCase ? text.lowercased().unicodeScalars.map(\.value) : scalars
        // In a few languages lower case has another number of characters; then case is not ignored.
        let compared = folded.count == scalars.count ? folded : scalars
        var threads: [Thread] = []
        add(Thread(piece: 0, state: -1, starts: [], ends: []), at: 0, to: &threads)
        for position in scalars.indices {
            var next: [Thread] = []
            var seen: Set<ThreadKey> = []
            for thread in threads {
                guard thread.piece < pieces.count else { continue }
                guard let stepped = step(thread, scalars[position], compared[position]) else { continue }
                // Staying in a piece is preferred to moving to the next, so that a capture takes all it can.
                add(stepped, at: position + 1, to: &next, &seen)
            }
            threads = next
            if threads.isEmpty { return nil }
        }
        guard let winner = threads.first(where: { $0.piece == pieces.count }) else { return nil }
        return values(winner, scalars)
    }

    private func step(_ thread: Thread, _ scalar: UInt32, _ folded: UInt32) -> Thread? {
        var thread = thread
        switch pieces[thread.piece] {
        case .constant(let constant):
            guard thread.state < constant.count, constant[thread.state] == folded else { return nil }
            thread.state += 1
        case .capture(_, let automaton):
            guard let state = automaton.next(thread.state, scalar) else { return nil }
            thread.state = state
        }
        return thread
    }

    private func add(_ thread: Thread, at position: Int, to threads: inout [Thread]) {
        var seen: Set<ThreadKey> = []
        add(thread, at: position, to: &threads, &seen)
    }

    /// Adds a thread, moved into its piece if it is before it, and then the thread that leaves the piece if it can.
    private func add(_ thread: Thread, at position: Int, to threads: inout [Thread], _ seen: inout Set<ThreadKey>) {
        var thread = thread
        guard thread.piece < pieces.count else {
            if seen.insert(ThreadKey(piece: thread.piece, state: 0)).inserted { threads.append(thread) }
            return
        }
        if thread.state < 0 {
            switch pieces[thread.piece] {
            case .constant: thread.state = 0
            case .capture(_, let automaton):
                thread.state = automaton.start
                thread.starts.append(position)
            }
        }
        guard seen.insert(ThreadKey(piece: thread.piece, state: thread.state)).inserted else { return }
        threads.append(thread)
        switch pieces[thread.piece] {
        case .constant(let constant):
            guard thread.state == constant.count else { return }
        case .capture(_, let automaton):
            guard automaton.accepts(thread.state), let start = thread.starts.last, position > start else { return }
            thread.ends.append(position)
        }
        add(
            Thread(piece: thread.piece + 1, state: -1, starts: thread.starts, ends: thread.ends),
            at: position,
            to: &threads,
            &seen
        )
    }

    private func values(_ thread: Thread, _ scalars: [UInt32]) -> [(name: String, value: String)] {
        var values: [(name: String, value: String)] = []
        for case .capture(let name, _) in pieces {
            let start = thread.starts[values.count]
            let end = thread.ends[values.count]
            var text = ""
            for value in scalars[start..<end] {
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
            values.append((name, text))
        }
        return values
    }
}
