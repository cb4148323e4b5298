internal import Logging
internal import Systemd

/// The service manager that started the daemon, if any. If it cannot be notified, that is logged and the daemon goes on.
struct ServiceManager: Sendable {
    let logger: Logger

    func notify(_ notifications: ServiceNotification...) {
        for notification in notifications {
            do {
                try Systemd.notify(notification)
            } catch {
                logger.log(.serviceManagerNotTold, ["error": "\(error)"])
            }
        }
    }
}
