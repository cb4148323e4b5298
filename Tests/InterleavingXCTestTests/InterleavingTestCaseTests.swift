import Basics
import Foundation
import Interleaving
import InterleavingXCTest
import Testing
import XCTest

/// Test cases of XCTest are run here, and what they record is looked at.
@Suite("A test case of XCTest", .serialized)
struct InterleavingTestCaseTests {
    /// Keeps what fails the test instead of telling XCTest.
    final class Recording: InterleavingTestCase {
        nonisolated(unsafe) static var recorded: [String] = []

        override func recordFailure(
            withDescription description: String,
            inFile file: String,
            atLine line: Int,
            expected: Bool
        ) {
            if isSimulated {
                return super.recordFailure(withDescription: description, inFile: file, atLine: line, expected: expected)
            }
            Self.recorded.append("\(URL(filePath: file).lastPathComponent):\(line): \(description)")
        }
    }

    /// What a test case records whose test does something.
    private func recorded(
        _ body: @escaping @Sendable (Recording) async throws -> Void
    ) async -> [String] {
        await withCheckedContinuation { continuation in
            // XCTest waits for a test, so not on a thread of the shared pool.
            Thread.detachNewThread {
                Recording.recorded = []
                let test = Recording(name: "explored") { test in
                    guard let test = test as? Recording else { return }
                    try asyncTest { (test: Recording) in { try await body(test) } }(test)()
                }
                test.run()
                continuation.resume(returning: Recording.recorded)
            }
        }
    }

    private static let options = ExplorationOptions(iterations: 200, seed: 1, strategy: .random)

    /// Two tasks that add a number, and check who was first.
    @Sendable private static func race() async {
        let first = Guarded<Int?>(nil)
        await withTaskGroup { group in
            for number in 0..<2 { group.addTask { first.withLock { if $0 == nil { $0 = number } } } }
        }
        XCTAssertEqual(first.withLock { $0 }, 0, "the second was first")
    }

    @Test("an assertion that fails in some orders fails the test once, at the call, with what repeats it")
    func assertion() async throws {
        let line = #line + 2
        let recorded = await recorded { test in
            try await test.assertInEveryOrder(Self.options) { await Self.race() }
        }
        let text = try #require(recorded.first)
        #expect(recorded.count == 1)
        #expect(text.hasPrefix("InterleavingTestCaseTests.swift:\(line): "), "\(text)")
        #expect(
            text.contains(
                "XCTAssertEqual failed: (\"Optional(1)\") is not equal to (\"Optional(0)\") - the second was first at InterleavingTestCaseTests.swift:"
            ),
            "\(text)"
        )
        #expect(text.contains("INTERLEAVING_REPLAY="), "\(text)")
    }

    @Test("what passes in each order records nothing; an exploration that has to be complete, and is not, is said")
    func complete() async throws {
        #expect(await recorded { try await $0.assertInEveryOrder(Self.options) { await Task.yield() } } == [])
        let recorded = await recorded {
            try await $0.assertInEveryOrder(Self.options, requiresComplete: true) { await Task.yield() }
        }
        #expect(recorded.count == 1 && recorded[0].contains("it is required that every order is explored"))
    }

    @Test("outside of an exploration an assertion fails the test as ever")
    func outside() async throws {
        let recorded = await recorded { _ in XCTAssertTrue(false, "an ordinary failure") }
        #expect(recorded.count == 1 && recorded[0].contains("an ordinary failure"), "\(recorded)")
    }
}
