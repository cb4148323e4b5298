internal import Logging
internal import SceneRuntime
internal import SceneService
internal import ServiceLifecycle

/// Writes the records of the host that runs to the log, in order, from behind: no scene waits for it, and if it falls
/// behind what is retained it says how many records it missed.
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
        let token = records.listen { _ in signal.yield() }
        signal.yield()
        var position = 0
        for await _ in signals where write(records, after: &position) {
            records.stopListening(token)
            return true
        }
        records.stopListening(token)
        _ = write(records, after: &position)
        return false
    }

    /// - Returns: Whether the last record there will be has been written.
    private func write(_ records: RecordLog, after position: inout Int) -> Bool {
        while true {
            let (page, next) = records.read(after: position, limit: 1_000)
            for record in page { write(record) }
            if case .hostStopped = page.last?.body { return true }
            guard next > position else { return false }
            position = next
        }
    }

    private func write(_ record: Record) {
        guard record.level >= logger.logLevel else { return }
        logger.log(level: record.level, "\(record.summary)", metadata: record.metadata)
    }
}
