internal import NIOPosix

/// Threads for blocking calls, so many that no test has to wait for another.
package enum BlockingCalls {
    private static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 64)
        pool.start()
        return pool
    }()

    package static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await pool.runIfActive(body)
    }
}
