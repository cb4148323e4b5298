import Basics
import Foundation
import Glibc
import InterleavingTesting
import Testing

@testable import Interleaving

/// A step that does not end is left, and said.
@Suite("A run that is blocked", .enabled(if: SimulationSettings.reasonNotToStop == nil, "jobs cannot be stopped here"))
struct BlockedTests {
    /// A way to come to no end, and what the verdict says of it.
    enum Way: String, CaseIterable, CustomTestStringConvertible {
        case reading, pausing, spinning, trying

        var testDescription: String { rawValue }

        var words: String {
            switch self {
            case .reading: "it waits in read, called at BlockedTests.swift:"
            case .pausing: "it waits in pause, called at BlockedTests.swift:"
            // Of what the compiler has added, such as the access to a static variable, the function is known, and no line.
            case .spinning, .trying: "it never suspends "
            }
        }

        static let numbers = [1, 2]

        func block() {
            switch self {
            case .reading:
                var ends: [CInt] = [0, 0]
                pipe(&ends)
                var byte: UInt8 = 0
                _ = read(ends[0], &byte, 1)
            case .pausing: pause()
            case .trying:
                // The functions that stand in for the system's are not left in the middle.
                let lock = NSLock()
                lock.lock()
                while !lock.try() {}
            case .spinning: while Self.numbers.count == 2 {}
            }
        }
    }

    @Test("is a verdict, with where it is blocked, and the process goes on", arguments: Way.allCases)
    func blocked(way: Way) async throws {
        var options = ExplorationOptions(iterations: 200, seed: 1, strategy: .random)
        options.stallLimit = .milliseconds(300)
        let body: ExplorationBody = { _ in
            let order = Collected<Int>()
            await withTaskGroup { group in
                for number in 0..<2 { group.addTask { order.append(number) } }
            }
            if order.takeAll() == [1, 0] { way.block() }
        }
        let found = try await explore(options, body: body)
        let failure = try #require(found.failure)
        #expect(failure.verdict.kind == "blocked" && "\(failure.verdict)".contains(way.words), "\(failure.verdict)")
        let report = try await withExplorationRunner(body: body) { [options] runner in
            runner.stallLimit = options.stallLimit
            return try runner.report(on: failure, of: found, title: "blocked") { "\($0)" }
        }
        #expect(report.message.contains(way.words), "\(report.message)")
        #expect(report.failure.confirmation == .confirmed)
        let after = try await explore(ExplorationOptions(iterations: 50, seed: 1)) { await Task.yield() }
        #expect(after.failure == nil)
    }
}
