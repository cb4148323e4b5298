internal import Basics
internal import Glibc
internal import Logging
internal import NIOPosix
internal import Systemd

/// The service manager that started the daemon, if any. If it cannot be notified, that is logged and the daemon goes on.
///
/// A notification waits as long as the service manager's queue is full, so each is sent, in order, by a thread of its own: nobody
/// else may wait for that.
final class ServiceManager: Sendable {
    /// With so many waiting, newer ones are dropped: nobody listens.
    private static let mostWaiting = 64

    private let logger: Logger
    /// `nil` without a service manager.
    private let thread: NIOThreadPool?
    private let waiting = Guarded(0)

    init(logger: Logger) {
        self.logger = logger
        thread = getenv("NOTIFY_SOCKET") == nil ? nil : NIOThreadPool(numberOfThreads: 1)
        thread?.start()
    }

    func notify(_ notifications: ServiceNotification...) {
        guard let thread, mayWait() else { return }
        thread.submit { [self] _ in
            for notification in notifications { send(notification) }
            waiting.withLock { $0 -= 1 }
        }
    }

    /// Waits, for a second at most, until all has been sent.
    func end() async {
        for _ in 0..<20 where waiting.withLock({ $0 }) > 0 { try? await Task.sleep(for: .milliseconds(50)) }
    }

    private func mayWait() -> Bool {
        waiting.withLock { waiting in
            guard waiting < Self.mostWaiting else { return false }
            waiting += 1
            return true
        }
    }

    private func send(_ notification: ServiceNotification) {
        do {
            try Systemd.notify(notification)
        } catch {
            logger.log(.serviceManagerNotTold, ["error": "\(error)"])
        }
    }
}
