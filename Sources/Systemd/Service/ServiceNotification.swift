internal import CSystemd
internal import Glibc
internal import Basics

/// A notification of a service to systemd. See sd_notify(3).
package enum ServiceNotification: Hashable, Sendable {
    /// The start, or a reload, is complete.
    case ready
    /// A reload has begun; ``ready`` ends it. Contains the monotonic time, which systemd needs since version 253.
    case reloading
    /// The service is stopping.
    case stopping
    /// One line for `systemctl status`.
    case status(String)
    /// The service is alive; see ``watchdogInterval()``.
    case watchdog
    /// Start, stop or reload may take this much longer from now, even beyond the unit's timeout.
    case extendTimeout(Duration)

    /// The assignments that are sent, one per line.
    var text: String {
        switch self {
        case .ready: return "READY=1"
        case .reloading: return "RELOADING=1\nMONOTONIC_USEC=\(Self.monotonicMicroseconds())"
        case .stopping: return "STOPPING=1"
        case .status(let text):
            // A line break would begin another assignment.
            return "STATUS=" + String(text.map { $0.isNewline ? " " : $0 })
        case .watchdog: return "WATCHDOG=1"
        case .extendTimeout(let duration):
            return "EXTEND_TIMEOUT_USEC=\(max(duration, .zero).microseconds)"
        }
    }

    private static func monotonicMicroseconds() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return now.tv_sec * 1_000_000 + now.tv_nsec / 1000
    }
}

/// Sends notifications to systemd in one message.
///
/// - Returns: `false` if `NOTIFY_SOCKET` is not set: no service manager wants notifications.
/// - Throws: ``SystemError`` if the message could not be delivered.
@discardableResult
package func notify(_ notifications: ServiceNotification...) throws(SystemError) -> Bool {
    let message = notifications.map(\.text).joined(separator: "\n")
    return try SystemError.check(sd_notify(0, message), "notify the service manager") > 0
}

/// The longest interval at which the service manager expects ``ServiceNotification/watchdog``, or `nil` if it does not watch
/// this process. Notify at half of it to leave room for delays.
///
/// - Throws: ``SystemError`` if `WATCHDOG_USEC` or `WATCHDOG_PID` is malformed.
package func watchdogInterval() throws(SystemError) -> Duration? {
    var microseconds: UInt64 = 0
    let result = sd_watchdog_enabled(0, &microseconds)
    guard try SystemError.check(result, "read WATCHDOG_USEC and WATCHDOG_PID") > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds))
}
