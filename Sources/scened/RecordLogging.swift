internal import Logging
internal import SceneRuntime
internal import SceneService
internal import ServiceLifecycle
internal import StrictJSON
internal import Locking

/// Writes the records of the host that runs to the log, in order, from behind: no scene waits for it, and if it falls
/// behind it says how many records it missed.
struct RecordLogging: Service {
    let running: RunningHost
    let logger: Logger

    func run() async {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withGracefulShutdownHandler {
            var host = running.current
            // A host that ends while the daemon goes on has been replaced, before it ended.
            while await follow(host.records, signals, signal), running.current !== host { host = running.current }
            // The last host ends before the daemon does.
            try? await gracefulShutdown()
        } onGracefulShutdown: {
            signal.finish()
        }
    }

    /// - Returns: Whether the host ended, rather than the following.
    private func follow(
        _ records: RecordLog,
        _ signals: AsyncStream<Void>,
        _ signal: AsyncStream<Void>.Continuation
    ) async -> Bool {
        let queue = Queue()
        let level = logger.logLevel
        let token = records.listen { record in
            // Under the log's lock: what nobody wants to see costs a comparison.
            if record.level >= level || record.isLast, queue.add(record) { signal.yield() }
        }
        defer { records.stopListening(token) }
        // What was recorded before anybody listened.
        let (early, last) = records.read(after: 0)
        for record in early { write(record) }
        if early.last?.isLast ?? false { return true }
        for await _ in signals {
            let taken = queue.take()
            write(taken, after: last)
            if taken.records.last?.isLast ?? false { return true }
        }
        write(queue.take(), after: last)
        return false
    }

    private func write(_ taken: (records: [Record], missed: Int), after last: Int) {
        for record in taken.records where record.index > last { write(record) }
        if taken.missed > 0 { logger.tell(.recordsMissed, ["missing": "\(taken.missed)"]) }
    }

    private func write(_ record: Record) {
        guard record.level >= logger.logLevel else { return }
        logger.log(level: record.level, "\(record.summary)", metadata: record.metadata)
    }

    /// The records that are to be logged and have not been yet.
    private final class Queue: Sendable {
        private static let limit = 65_536
        private let state = Guarded<(waiting: [Record], missed: Int)>(([], 0))

        /// - Returns: Whether it is the first since ``take()``.
        func add(_ record: Record) -> Bool {
            state.withLock { state in
                guard state.waiting.count < Self.limit || record.isLast else {
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

extension Record {
    /// Whether no other comes after it.
    fileprivate var isLast: Bool { kind == .hostStopped }
}
