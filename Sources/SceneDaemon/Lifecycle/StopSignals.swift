internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// SIGTERM and SIGINT: the first stops the daemon gracefully, the second at once.
struct StopSignals: Sendable {
    private let signals: UnixSignalsSequence

    /// Traps the signals. Do this before the daemon can be seen, so that no signal ends it while it starts. Signals are kept
    /// until ``stop(_:logger:)``.
    init() async {
        signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    }

    func stop(_ lifecycle: ServiceGroup, logger: Logger) async {
        var isStopping = false
        for await signal in signals {
            guard isStopping else {
                isStopping = true
                logger.log(.toldToStop, ["signal": "\(signal)"])
                await lifecycle.triggerGracefulShutdown()
                continue
            }
            // The status that shells report for a process ended by the signal. Nothing is flushed, as requested.
            _exit(128 + (signal == .sigint ? SIGINT : SIGTERM))
        }
    }
}

/// Requests to stop other than signals: from a client that may do so, or because the daemon is idle.
struct StopRequests: Sendable {
    enum Reason: Sendable {
        case drain, idle
    }

    let reasons: AsyncStream<Reason>
    private let continuation: AsyncStream<Reason>.Continuation

    init() {
        (reasons, continuation) = AsyncStream.makeStream()
    }

    func request(_ reason: Reason) {
        continuation.yield(reason)
    }
}
