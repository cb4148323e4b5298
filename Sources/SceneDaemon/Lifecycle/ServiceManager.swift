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
    static let mostWaiting = 64

    private struct Waiting {
        var count = 0
        /// Whether one has been dropped since the service manager took one.
        var isFull = false
    }

    private let logger: Logger
    private let tell: @Sendable (ServiceNotification) throws -> Void
    /// `nil` without a service manager.
    private let thread: NIOThreadPool?
    private let waiting = Guarded(Waiting())

    /// - Parameter tell: Notifies the service manager, as soon as that takes the notification; `nil` if there is none.
    init(logger: Logger, tell: (@Sendable (ServiceNotification) throws -> Void)?) {
        self.logger = logger
        self.tell = tell ?? { _ in }
        thread = tell.map { _ in NIOThreadPool(numberOfThreads: 1) }
        thread?.start()
    }

    /// The service manager that the environment names.
    static func fromEnvironment(logger: Logger) -> ServiceManager {
        guard getenv("NOTIFY_SOCKET") != nil else { return ServiceManager(logger: logger, tell: nil) }
        return ServiceManager(logger: logger) { try Systemd.notify($0) }
    }

    func notify(_ notifications: ServiceNotification...) {
        guard let thread, mayWait() else { return }
        thread.submit { [self] _ in
            for notification in notifications { send(notification) }
            waiting.withLock { waiting in
                waiting.count -= 1
                waiting.isFull = false
            }
        }
    }

    /// Waits, for a second at most, until all has been sent.
    func end() async {
        for _ in 0..<20 where waiting.withLock({ $0.count }) > 0 { try? await Task.sleep(for: .milliseconds(50)) }
    }

    private func mayWait() -> Bool {
        let (mayWait, isNews) = waiting.withLock { waiting in
            guard waiting.count < Self.mostWaiting else {
                defer { waiting.isFull = true }
                return (false, !waiting.isFull)
            }
            waiting.count += 1
            return (true, false)
        }
        if isNews {
            logger.log(.serviceManagerNotTold, ["error": "it has not taken the last \(Self.mostWaiting) messages"])
        }
        return mayWait
    }

    private func send(_ notification: ServiceNotification) {
        do {
            try tell(notification)
        } catch {
            logger.log(.serviceManagerNotTold, ["error": "\(error)"])
        }
    }
}
