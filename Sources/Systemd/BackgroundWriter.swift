internal import DequeModule
internal import Locking

/// Hands elements to a call that may block, on a thread of its own behind a bounded queue.
///
/// Whoever writes never waits: when the queue is full the newest element is refused and counted, and an element made by
/// `gap` takes its place in the order, so that a reader sees where something is missing. What the call itself refused is
/// reported the same way. Releasing the writer closes it; what is queued is still written while the process lives.
package final class BackgroundWriter<Element: Sendable>: Sendable {
    /// How much may wait to be written.
    package struct Limits: Sendable {
        /// The most elements that may wait; at least 1 is kept.
        package var elements: Int
        /// The most bytes that may wait, by the measure given to the writer; an element alone may exceed it.
        package var bytes: Int

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
    ///   - limits: what may wait.
    ///   - size: the bytes an element counts for.
    ///   - gap: the element that stands for those missing.
    ///   - send: writes one element and may block; returns 0, or the `errno` value with which it failed.
    /// - Throws: ``SystemError`` when the system gives no thread.
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

    /// Queues an element without waiting; `false` when it was refused because the queue is full or closed.
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

    /// Blocks until what was written before this call is out, for at most `limit`; `false` when that passed.
    package func flush(within limit: Duration) -> Bool {
        let mark = queue.change { $0.accepted }
        return queue.wait(atMost: limit) { queue in
            queue.settled >= mark && queue.unreported == 0 && !queue.isReporting ? true : nil
        } ?? false
    }

    /// Takes nothing more and blocks until everything is out, for at most `limit`.
    ///
    /// Meant as the last step of a process. A call that is stuck is left behind on its thread.
    package func finish(within limit: Duration) -> WriterReport {
        queue.change { $0.isClosed = true }
        _ = queue.wait(atMost: limit) { $0.hasEnded ? true : nil }
        return report
    }

    /// Takes nothing more, drops what still waits, and blocks until the gap that stands for it is out, for at most `limit`.
    ///
    /// For what ``finish(within:)`` left: so that where the process ends, a reader sees that something is missing.
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

    /// What has become of the elements so far.
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
        /// What waits, each with the number of those refused just before it.
        var waiting: Deque<(element: Element, missingBefore: Int)> = []
        var bytes = 0
        var accepted = 0
        /// Those of `accepted` that are written or given up.
        var settled = 0
        var failed = 0
        var overflowed = 0
        /// Those of `overflowed` that no gap stands for yet.
        var unreported = 0
        /// Whether the thread is at the gap that ends what was written so far.
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

        /// Until the gap itself is written it stays owed.
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
