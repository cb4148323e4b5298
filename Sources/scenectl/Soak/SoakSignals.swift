internal import Basics
internal import CommandConsole
internal import Glibc
internal import SceneSoak

/// Has the first Ctrl-C or SIGTERM end a soak's load, or a comparison's walks.
enum SoakSignals {
    /// Handles the signals while `body` runs.
    static func during<Result>(_ stop: SoakStop, _ body: () async throws -> Result) async throws -> Result {
        // A file that reaches the size limit is an error to report, not a reason to end.
        signal(SIGXFSZ, SIG_IGN)
        return try await Interruption.during {
            let looking = Task {
                while !Task.isCancelled {
                    if Interruption.wasAsked { return stop.ask() }
                    try? await Task.sleep(for: .milliseconds(20))
                }
            }
            defer { looking.cancel() }
            return try await body()
        }
    }

    /// Handles the signals while `body` runs, which is cancelled by one that comes before it says that it is ready for that.
    /// - Throws: What `body` throws; a `CancellationError` if it was cancelled.
    static func during<Result: Sendable>(
        _ stop: SoakStop,
        _ body: @escaping @Sendable (_ isReady: @escaping @Sendable () -> Void) async throws -> Result
    ) async throws -> Result {
        try await during(stop) { () async throws -> Result in
            let isReady = Guarded(false)
            let work = Task { try await body { isReady.withLock { $0 = true } } }
            let watching = Task {
                while !Task.isCancelled, !isReady.withLock(\.self) {
                    if stop.wasAsked { return work.cancel() }
                    try? await Task.sleep(for: .milliseconds(20))
                }
            }
            defer { watching.cancel() }
            do {
                return try await work.value
            } catch {
                throw work.isCancelled ? CancellationError() : error
            }
        }
    }
}
