internal import Logging
internal import SceneRuntime
internal import ServiceLifecycle
internal import StrictJSON
internal import Synchronization

/// Writes the host's records to the log, in order, from behind: no scene waits for it, and if it falls behind it says how
/// many records it missed.
struct RecordLogging: Service {
    let records: RecordLog
    let logger: Logger

    func run() async {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let queue = Queue()
        let level = logger.logLevel
        let token = records.listen { record in
            // Under the log's lock: what nobody wants to see costs a comparison.
            if record.level >= level, queue.add(record) { signal.yield() }
        }
        // What was recorded before anybody listened.
        let (early, last) = records.read(after: 0)
        for record in early where record.level >= level { write(record) }
        await withGracefulShutdownHandler {
            for await _ in signals { write(queue.take(), after: last) }
        } onGracefulShutdown: {
            signal.finish()
        }
        records.stopListening(token)
        write(queue.take(), after: last)
    }

    private func write(_ taken: (records: [Record], missed: Int), after last: Int) {
        for record in taken.records where record.index > last { write(record) }
        if taken.missed > 0 { logger.tell(.recordsMissed, ["missing": "\(taken.missed)"]) }
    }

    private func write(_ record: Record) {
        logger.log(level: record.level, "\(record.summary)", metadata: record.metadata)
    }

    /// The records that are to be logged and have not been yet.
    private final class Queue: Sendable {
        private static let limit = 65_536
        private let state = Mutex<(waiting: [Record], missed: Int)>(([], 0))

        /// - Returns: Whether it is the first since ``take()``.
        func add(_ record: Record) -> Bool {
            state.withLock { state in
                guard state.waiting.count < Self.limit else {
                    state.missed += 1
                    return false
                }
                state.waiting.append(record)
                return state.waiting.count == 1
            }
        }

        func take() -> (records: [Record], missed: Int) {
            state.withLock { state in
                defer { state = ([], 0) }
                return (state.waiting, state.missed)
            }
        }
    }
}
