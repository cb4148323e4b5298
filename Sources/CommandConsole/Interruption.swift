internal import Glibc
internal import Synchronization

/// Ctrl-C and SIGTERM while a command has something to tell: the first asks it to end, and it still tells what it has found; the second
/// ends the process.
package enum Interruption {
    private static let last = Atomic<Int32>(0)

    /// Whether a signal has asked the command to end. Any thread may ask.
    package static var wasAsked: Bool { last.load(ordering: .relaxed) != 0 }

    /// The status with which a program ends that a signal has interrupted, as in a shell: 128 and the signal's number; `nil` if none came.
    package static var status: Int32? {
        let signal = last.load(ordering: .relaxed)
        return signal == 0 ? nil : 128 + signal
    }

    /// Handles the signals while `body` runs.
    package static func during<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        last.store(0, ordering: .relaxed)
        // The parent process may have blocked them.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        for number in [SIGINT, SIGTERM] {
            // A signal handler may do little: this one keeps the number, and others look at it.
            signal(number) { number in
                Interruption.last.store(number, ordering: .relaxed)
                signal(SIGINT, SIG_DFL)
                signal(SIGTERM, SIG_DFL)
            }
        }
        defer { for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) } }
        return try await body()
    }
}
