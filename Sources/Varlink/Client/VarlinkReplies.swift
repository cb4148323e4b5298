internal import NIOCore
public import StrictJSON

/// The replies to a call with `more`, read from the connection no faster than they are consumed.
///
/// They can be iterated once. Varlink cannot cancel a call except by closing: leaving the loop before its end, or cancelling
/// the task that iterates, closes the connection. An error that the service answers is thrown as ``VarlinkError``, the loss
/// of the connection as ``VarlinkClientError``.
public struct VarlinkReplies: AsyncSequence, Sendable {
    typealias Producer = NIOThrowingAsyncSequenceProducer<
        JSONPart?, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, VarlinkStream
    >

    let producer: Producer
    /// Keeps the connection open while somebody iterates: dropping the last reference to the client closes it.
    let client: VarlinkClient

    /// Starts the only iteration there can be.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: producer.makeAsyncIterator(), client: client)
    }

    /// Reads reply after reply.
    public struct Iterator: AsyncIteratorProtocol {
        let base: Producer.AsyncIterator
        let client: VarlinkClient

        /// The parameters of the next reply, or `nil` after the last.
        public mutating func next() async throws -> JSONObject? {
            try await nextPart().map { $0?.objectValue ?? [:] }
        }

        /// The parameters of the next reply, not parsed into values yet: `nil` after the last reply, `.some(nil)` for a
        /// reply without parameters.
        package mutating func nextPart() async throws -> JSONPart?? {
            try await base.next()
        }
    }
}

/// Tells the connection when the consumer of a stream wants more replies, or has left.
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
