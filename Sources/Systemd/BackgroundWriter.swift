internal import DequeModule
internal import Basics

/// Passes elements to a call that may block, on a separate thread and through a bounded queue.
///
/// ``write(_:)`` never blocks: while the queue is full, elements are dropped and counted, and an element made by `gap` takes
/// their place in the order, so that a reader sees where something is missing. Elements for which the call fails are reported
/// in the same way. Releasing the writer closes it; queued elements are still written as long as the process lives.
package final class BackgroundWriter<Element: Sendable>: Sendable {
    /// How much may wait to be written.
    package struct Limits: Sendable {
        /// How many elements may wait; at least 1.
        package var elements: Int
        /// How many bytes may wait, by the writer's `size`; a single element may exceed it.
        package var bytes: Int

        /// By default 8,192 elements and 8 MiB.
        package init(elements: Int = 8192, bytes: Int = 8 << 20) {
            self.elements = max(1, elements)
            self.bytes = max(1, bytes)
        }
    }

    private let limits: Limits
    private let size: @Sendable (Element) -> Int
    private let queue: Monitor<Queue>

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: the thread's name, of which Linux keeps 15 bytes.
    ///   - limits: how much may wait to be written.
    ///   - size: how many bytes an element counts as.
    ///   - gap: makes the element that stands for missing ones.
    ///   - send: writes one element; may block; returns 0 or an `errno` value.
    /// - Throws: ``SystemError`` if the thread cannot be started.
    package init(
        name: String,
        limits: Limits = Limits(),
        size: @escaping @Sendable (Element) -> Int,
        gap: @escaping @Sendable (WriterGap) -> Element,
        send: @escaping @Sendable (Element) -> Int32
    ) throws(SystemError) {
        self.limits = limits
        self.size = size
        let queue = Monitor(Queue())
        self.queue = queue
        try detachThread(named: name) { Self.run(queue, size: size, gap: gap, send: send) }
    }

    deinit {
        queue.change { $0.isClosed = true }
    }

    /// Queues an element; never blocks.
    /// - Returns: `false` if it was dropped because the queue is full or closed.
    @discardableResult
    package func write(_ element: Element) -> Bool {
        let bytes = size(element)
        return queue.change { queue in
            let fits =
                queue.waiting.isEmpty
                || (queue.waiting.count < limits.elements && queue.bytes + bytes <= limits.bytes)
            guard fits, !queue.isClosed else {
                queue.overflowed += 1
                queue.unreported += 1
                return false
            }
            queue.waiting.append((element, queue.unreported))
            queue.unreported = 0
            queue.bytes += bytes
            queue.accepted += 1
            return true
        }
    }

    /// Blocks until all elements queued so far are written.
    /// - Returns: `false` if that took longer than `limit`.
    package func flush(within limit: Duration) -> Bool {
        let mark = queue.change { $0.accepted }
        return queue.wait(atMost: limit) { queue in
            queue.settled >= mark && queue.unreported == 0 && !queue.isReporting ? true : nil
        } ?? false
    }

    /// Accepts no more elements and blocks until all are written, but no longer than `limit`.
    ///
    /// This is meant as the last step of a process. If `send` is stuck, its thread is left behind.
    package func finish(within limit: Duration) -> WriterReport {
        queue.change { $0.isClosed = true }
        _ = queue.wait(atMost: limit) { $0.hasEnded ? true : nil }
        return report
    }

    /// Accepts no more elements, drops those that wait, and blocks until the gap for them is written, but no longer than
    /// `limit`.
    ///
    /// Call it after ``finish(within:)`` left elements over, so that a reader sees that some are missing at the end.
    @discardableResult
    package func giveUp(within limit: Duration) -> WriterReport {
        queue.change { queue in
            queue.isClosed = true
            let waiting = queue.waiting
            queue.waiting = []
            queue.accepted -= waiting.count
            queue.overflowed += waiting.count
            queue.unreported += waiting.reduce(waiting.count) { $0 + $1.missingBefore }
            queue.bytes -= waiting.reduce(0) { $0 + size($1.element) }
        }
        _ = queue.wait(atMost: limit) { $0.hasEnded ? true : nil }
        return report
    }

    /// The counts so far.
    package var report: WriterReport {
        queue.change {
            WriterReport(
                sent: $0.settled - $0.failed,
                overflowed: $0.overflowed,
                failed: $0.failed,
                remaining: $0.accepted - $0.settled
            )
        }
    }

    private struct Queue {
        /// The elements that wait, each with the number of those dropped just before it.
        var waiting: Deque<(element: Element, missingBefore: Int)> = []
        var bytes = 0
        var accepted = 0
        /// How many of `accepted` are written or have failed.
        var settled = 0
        var failed = 0
        var overflowed = 0
        /// How many of `overflowed` no gap stands for yet.
        var unreported = 0
        /// Whether the thread is writing a gap that no element follows.
        var isReporting = false
        var isClosed = false
        var hasEnded = false
    }

    private enum Step {
        case send(Element, missingBefore: Int)
        case report(missing: Int)
        case end
    }

    private static func run(
        _ queue: Monitor<Queue>,
        size: @Sendable (Element) -> Int,
        gap: @Sendable (WriterGap) -> Element,
        send: @Sendable (Element) -> Int32
    ) {
        var missing = WriterGap()

        /// Keeps counting until the gap itself could be written.
        func reportMissing() {
            guard missing.count > 0, send(gap(missing)) == 0 else { return }
            missing = WriterGap()
        }

        while true {
            switch queue.wait(nextStep) {
            case .send(let element, let missingBefore):
                missing.overflowed += missingBefore
                reportMissing()
                let code = send(element)
                if code != 0 {
                    missing.failed += 1
                    missing.lastError = code
                }
                let bytes = size(element)
                queue.change {
                    $0.settled += 1
                    $0.bytes -= bytes
                    if code != 0 { $0.failed += 1 }
                }
            case .report(let count):
                missing.overflowed += count
                reportMissing()
                queue.change { $0.isReporting = false }
            case .end:
                reportMissing()
                queue.change { $0.hasEnded = true }
                return
            }
        }
    }

    @Sendable
    private static func nextStep(_ queue: inout Queue) -> Step? {
        if let next = queue.waiting.popFirst() { return .send(next.element, missingBefore: next.missingBefore) }
        if queue.unreported > 0 {
            defer { queue.unreported = 0 }
            queue.isReporting = true
            return .report(missing: queue.unreported)
        }
        return queue.isClosed ? .end : nil
    }
}

/// What happened to the elements given to a ``BackgroundWriter``.
package struct WriterReport: Hashable, Sendable {
    /// How many were written.
    package var sent: Int
    /// How many were dropped because the queue was full or closed.
    package var overflowed: Int
    /// How many could not be written.
    package var failed: Int
    /// How many still wait.
    package var remaining: Int

    /// Whether all were written.
    package var isComplete: Bool { overflowed == 0 && failed == 0 && remaining == 0 }
}

/// How many elements are missing at one place of what a ``BackgroundWriter`` wrote, and why.
package struct WriterGap: Hashable, Sendable {
    /// How many were dropped because the queue was full.
    package var overflowed = 0
    /// How many could not be written.
    package var failed = 0
    /// The `errno` value of the last failure.
    package var lastError: Int32?

    package init() {}

    /// How many elements are missing.
    package var count: Int { overflowed + failed }
}

extension WriterGap: CustomStringConvertible {
    /// A sentence without a full stop: `3 log entries are missing here: 3 came while the queue was full`.
    package var description: String {
        var reasons: [String] = []
        if overflowed > 0 { reasons.append("\(overflowed) came while the queue was full") }
        if failed > 0 {
            reasons.append("\(failed) could not be written (\(SystemError.reason(lastError ?? 0)))")
        }
        return "\(count) log \(count == 1 ? "entry is" : "entries are") missing here: "
            + reasons.joined(separator: ", ")
    }
}
