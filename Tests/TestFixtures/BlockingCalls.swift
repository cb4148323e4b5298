internal import NIOPosix

/// Threads for calls that block, so many that no test waits for another's.
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
