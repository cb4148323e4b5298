import Interleaving

/// A channel of limited capacity. Senders wait while it is full, receivers while it is empty.
actor Channel<Element: Sendable>: Explored {
    nonisolated let executor = SimulatedExecutor(name: "channel")
    private let capacity: Int
    private var buffer: [Element] = []
    private var senders: [(element: Element, continuation: CheckedContinuation<Void, Never>)] = []
    private var receivers: [CheckedContinuation<Element?, Never>] = []
    private(set) var isClosed = false

    /// - Parameter capacity: 0 for a channel whose senders wait until their element was received.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// - Throws: `Broken` if the channel is closed.
    func send(_ element: Element) async throws {
        try require(!isClosed, "sent to a closed channel")
        if !receivers.isEmpty {
            receivers.removeFirst().resume(returning: element)
        } else if buffer.count < capacity {
            buffer.append(element)
        } else {
            await withCheckedContinuation { senders.append((element, $0)) }
        }
    }

    /// - Returns: nil if the channel is closed and empty.
    func receive() async -> Element? {
        if !buffer.isEmpty {
            let element = buffer.removeFirst()
            if !senders.isEmpty {
                let next = senders.removeFirst()
                buffer.append(next.element)
                next.continuation.resume()
            }
            return element
        }
        if !senders.isEmpty {
            let next = senders.removeFirst()
            next.continuation.resume()
            return next.element
        }
        if isClosed { return nil }
        return await withCheckedContinuation { receivers.append($0) }
    }

    /// - Throws: `Broken` if the channel is closed already.
    func close() throws {
        try require(!isClosed, "closed a channel twice")
        isClosed = true
        for receiver in receivers { receiver.resume(returning: nil) }
        receivers = []
    }
}
