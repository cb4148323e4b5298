internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// SIGTERM and SIGINT: the first stops the daemon when it is done, the second at once.
enum StopSignals {
    static func stop(_ lifecycle: ServiceGroup, at signals: UnixSignalsSequence, logger: Logger) async {
        var isStopping = false
        for await signal in signals {
            guard isStopping else {
                isStopping = true
                logger.info("told to stop", metadata: ["signal": "\(signal)"])
                await lifecycle.triggerGracefulShutdown()
                continue
            }
            // As a shell reports a process that the signal ended. Nothing is flushed: that is what was asked for.
            _exit(128 + (signal == .sigint ? SIGINT : SIGTERM))
        }
    }
}
