import TestFixtures
import Testing

/// Runs each test twice: against `scened`, whose shop is a manifest, and against the shop's own daemon, whose coordinators are
/// written in Swift. Who is behind the socket cannot tell them apart.
///
/// A test's daemon with an `--app` is `scened` both times.
struct EitherDaemon: SuiteTrait, TestTrait, TestScoping {
    /// Whether the shop's coordinators are written in Swift.
    @TaskLocal static var isInSwift = false

    /// The program that runs the shop.
    static var shop: String { Command.built(isInSwift ? "shop-daemon" : "scened") }

    let isRecursive = true

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        await Self.$isInSwift.withValue(true) {
            do {
                try await function()
            } catch {
                Issue.record("with the shop in Swift: \(error)")
            }
        }
    }
}

extension Trait where Self == EitherDaemon {
    /// Runs each test against `scened` and against the shop in Swift.
    static var eitherDaemon: EitherDaemon { EitherDaemon() }
}
