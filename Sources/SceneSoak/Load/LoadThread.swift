internal import Systemd

/// A thread of its own for what blocks: sending by the clock would else hold a thread that everything shares.
enum LoadThread {
    /// Runs `body` on a new thread until it is done.
    /// - Throws: ``SoakFailure/noThread(_:)``.
    static func run(_ body: @escaping @Sendable () -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            do throws(SystemError) {
                try detachThread(named: "load") {
                    body()
                    continuation.resume()
                }
            } catch {
                continuation.resume(throwing: SoakFailure.noThread("\(error)"))
            }
        }
    }
}
