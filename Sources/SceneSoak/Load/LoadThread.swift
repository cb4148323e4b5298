internal import Glibc

/// A thread of its own for what blocks: sending by the clock would else hold a thread that everything shares.
enum LoadThread {
    private final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a new thread, with every signal blocked so that handlers run elsewhere, until it is done.
    /// - Throws: That the system has no thread to give.
    static func run(_ body: @escaping @Sendable () -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let code = start {
                body()
                continuation.resume()
            }
            if code != 0 {
                continuation.resume(throwing: SoakFailure.noThread(String(cString: strerror(code))))
            }
        }
    }

    private static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let start = Unmanaged.passRetained(Start(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            &attributes,
            { pointer in
                guard let pointer else { return nil }
                Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue().body()
                return nil
            },
            start.toOpaque()
        )
        if code != 0 { start.release() }
        return code
    }
}
