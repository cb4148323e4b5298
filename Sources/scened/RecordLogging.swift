internal import Logging
internal import SceneRuntime
internal import ServiceLifecycle
internal import StrictJSON

/// Writes the host's records to the log, in order, from behind: no scene waits for it, and if it falls behind what is
/// retained it says how many records it missed.
struct RecordLogging: Service {
    let records: RecordLog
    let logger: Logger

    func run() async {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let token = records.listen { _ in signal.yield() }
        signal.yield()
        var position = 0
        await withGracefulShutdownHandler {
            for await _ in signals { write(after: &position) }
        } onGracefulShutdown: {
            signal.finish()
        }
        records.stopListening(token)
        write(after: &position)
    }

    private func write(after position: inout Int) {
        while true {
            let (page, next) = records.read(after: position, limit: 1_000)
            for record in page { write(record) }
            guard next > position else { return }
            position = next
        }
    }

    private func write(_ record: Record) {
        guard record.level >= logger.logLevel else { return }
        logger.log(level: record.level, "\(record.summary)", metadata: record.metadata)
    }
}
