internal import Logging
internal import SceneRuntime
internal import SceneService
internal import ServiceLifecycle
internal import StrictJSON
internal import Basics

/// Logs the records of the running host in order. No scene waits for it; if it falls behind, it logs how many records it
/// missed.
struct RecordLogging: Service {
    let running: RunningHost
    let logger: Logger

    func run() async {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withGracefulShutdownHandler {
            var host = running.current
            // If the host ends and the daemon does not, another host has already replaced it.
            while await follow(host.records, signals, signal), running.current !== host { host = running.current }
            // The last host ends before the daemon does.
            try? await gracefulShutdown()
        } onGracefulShutdown: {
            signal.finish()
        }
    }

    /// - Returns: whether the host has ended; `false` if the daemon stops.
    private func follow(
        _ records: RecordLog,
        _ signals: AsyncStream<Void>,
        _ signal: AsyncStream<Void>.Continuation
    ) async -> Bool {
        let queue = Queue()
        let level = logger.logLevel
        // With the records from before this.
        let token = records.listen(replaying: true, onlyWatches: false, onlyOfKept: true) { record in
            // Called under the record log's lock, unless it is kept first: a record below the level costs only a comparison.
            if record.level >= level || record.isLast, queue.add(record) { signal.yield() }
        }
        defer { records.stopListening(token) }
        for await _ in signals {
            let taken = queue.take()
            write(taken)
            if taken.records.last?.isLast ?? false { return true }
        }
        write(queue.take())
        return false
    }

    private func write(_ taken: (records: [Record], missed: Int)) {
        for record in taken.records { write(record) }
        if taken.missed > 0 { logger.log(.recordsMissed, ["missing": "\(taken.missed)"]) }
    }

    private func write(_ record: Record) {
        guard record.level >= logger.logLevel else { return }
        logger.log(level: record.level, "\(record.summary)", metadata: record.metadata)
    }

    /// The records that wait to be logged.
    private final class Queue: Sendable {
        private static let limit = 65_536
        private let state = Guarded<(waiting: [Record], missed: Int)>(([], 0))

        /// - Returns: whether it is the first since ``take()``.
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
    /// Whether it is the last record of its host.
    fileprivate var isLast: Bool { kind == .hostStopped }
}
