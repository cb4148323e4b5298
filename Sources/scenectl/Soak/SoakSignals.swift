internal import Glibc
internal import SceneSoak
internal import Synchronization

/// Handles Ctrl-C and SIGTERM: the first ends a soak's load, and it still reports; the second ends the program.
enum SoakSignals {
    private static let count = Atomic(0)
    private static let last = Atomic<Int32>(0)

    /// The status with which a program ends that a signal has interrupted, as in a shell: 128 and the signal's number; `nil` if none came.
    static var status: Int32? {
        let signal = last.load(ordering: .relaxed)
        return signal == 0 ? nil : 128 + signal
    }

    /// Handles the signals while `body` runs.
    static func during<Result>(_ stop: SoakStop, _ body: () async throws -> Result) async throws -> Result {
        count.store(0, ordering: .relaxed)
        last.store(0, ordering: .relaxed)
        // The parent process may have blocked them.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        // A file that reaches the size limit is an error to report, not a reason to end.
        signal(SIGXFSZ, SIG_IGN)
        for number in [SIGINT, SIGTERM] {
            // A signal handler may do little: this one counts, and a task looks at the count.
            signal(number) { number in
                SoakSignals.last.store(number, ordering: .relaxed)
                SoakSignals.count.add(1, ordering: .relaxed)
                signal(number, SIG_DFL)
            }
        }
        let looking = Task {
            while !Task.isCancelled {
                if count.load(ordering: .relaxed) > 0 { return stop.ask() }
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
        defer {
            looking.cancel()
            for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        }
        return try await body()
    }
}
