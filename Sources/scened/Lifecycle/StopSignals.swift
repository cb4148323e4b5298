internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// SIGTERM and SIGINT: the first stops the daemon when it is done, the second at once.
struct StopSignals: Sendable {
    private let signals: UnixSignalsSequence

    /// Takes the signals over. To be done before anybody can know the daemon, so that none ends it in the middle of
    /// starting; they are kept until ``stop(_:logger:)``.
    init() async {
        signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    }

    func stop(_ lifecycle: ServiceGroup, logger: Logger) async {
        var isStopping = false
        for await signal in signals {
            guard isStopping else {
                isStopping = true
                logger.tell(.toldToStop, ["signal": "\(signal)"])
                await lifecycle.triggerGracefulShutdown()
                continue
            }
            // As a shell reports a process that the signal ended. Nothing is flushed: that is what was asked for.
            _exit(128 + (signal == .sigint ? SIGINT : SIGTERM))
        }
    }
}
