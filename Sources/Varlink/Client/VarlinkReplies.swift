internal import NIOCore
public import StrictJSON

/// The replies to a call with `more`, read from the connection no faster than they are consumed.
///
/// It can be iterated once. The protocol has no way to cancel a call but to close: leaving the iteration before its end,
/// or cancelling the task that iterates, closes the connection. An error the service answers is thrown as
/// ``VarlinkError``, the loss of the connection as ``VarlinkClientError``.
public struct VarlinkReplies: AsyncSequence, Sendable {
    typealias Producer = NIOThrowingAsyncSequenceProducer<
        JSONPart?, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, VarlinkStream
    >

    let producer: Producer
    /// Dropping the client closes its connection; not while somebody iterates.
    let client: VarlinkClient

    public func makeAsyncIterator() -> Iterator {
        Iterator(base: producer.makeAsyncIterator(), client: client)
    }

    public struct Iterator: AsyncIteratorProtocol {
        let base: Producer.AsyncIterator
        let client: VarlinkClient

        /// The next reply, or `nil` after the last.
        public mutating func next() async throws -> JSONObject? {
            try await nextPart().map { $0?.objectValue ?? [:] }
        }

        /// The next reply's parameters, of which no values are made yet; inside `nil` where it has none.
        package mutating func nextPart() async throws -> JSONPart?? {
            try await base.next()
        }
    }
}

/// Carries the wishes of whoever consumes the replies to the connection.
struct VarlinkStream: NIOAsyncSequenceProducerDelegate {
    let eventLoop: any EventLoop
    let connection: NIOLoopBound<VarlinkClientConnection>
    let id: Int

    func produceMore() {
        eventLoop.execute { connection.value.resume(stream: id) }
    }

    func didTerminate() {
        eventLoop.execute { connection.value.leave(stream: id) }
    }
}
