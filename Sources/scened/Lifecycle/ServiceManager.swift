internal import Logging
internal import Systemd

/// Whoever started the daemon and wants to hear of it. One that cannot be told does not keep the daemon from working.
struct ServiceManager: Sendable {
    let logger: Logger

    func tell(_ notifications: ServiceNotification...) {
        for notification in notifications {
            do {
                try notify(notification)
            } catch {
                logger.tell(.serviceManagerNotTold, ["error": "\(error)"])
            }
        }
    }
}
