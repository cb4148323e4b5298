internal import CSystemd
internal import Glibc
internal import Locking

/// What a service tells systemd about itself. See sd_notify(3).
package enum ServiceNotification: Hashable, Sendable {
    /// Start-up, or a reload, is complete.
    case ready
    /// A reload has begun; ``ready`` ends it. Carries the monotonic time, which systemd 253 and later ask for.
    case reloading
    /// The service is stopping.
    case stopping
    /// One line for `systemctl status`.
    case status(String)
    /// The watchdog's sign of life.
    case watchdog
    /// Start, stop or reload may take this much longer from now on, whatever the unit says.
    case extendTimeout(Duration)

    /// The assignments as they are sent, one a line.
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

/// Tells systemd, in one message; `false` when nobody asked to be told (`NOTIFY_SOCKET` is not set).
///
/// - Throws: ``SystemError`` when the message could not be delivered.
@discardableResult
package func notify(_ notifications: ServiceNotification...) throws(SystemError) -> Bool {
    let message = notifications.map(\.text).joined(separator: "\n")
    return try SystemError.check(sd_notify(0, message), "notify the service manager") > 0
}

/// How often at least the service manager wants ``ServiceNotification/watchdog``, or `nil` when it does not watch this
/// process. Sending at half this interval leaves room for delays.
///
/// - Throws: ``SystemError`` when `WATCHDOG_USEC` or `WATCHDOG_PID` cannot be read.
package func watchdogInterval() throws(SystemError) -> Duration? {
    var microseconds: UInt64 = 0
    let result = sd_watchdog_enabled(0, &microseconds)
    guard try SystemError.check(result, "read WATCHDOG_USEC and WATCHDOG_PID") > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds))
}
