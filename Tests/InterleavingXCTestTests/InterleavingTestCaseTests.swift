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
        static let recorded = Guarded<[String]>([])

        override func recordFailure(
            withDescription description: String,
            inFile file: String,
            atLine line: Int,
            expected: Bool
        ) {
            if isSimulated {
                return super.recordFailure(withDescription: description, inFile: file, atLine: line, expected: expected)
            }
            let text = "\(URL(filePath: file).lastPathComponent):\(line): \(description)"
            Self.recorded.withLock { $0.append(text) }
        }
    }

    /// What a test case records whose test does something.
    private func recorded(
        _ body: @escaping @Sendable (Recording) async throws -> Void
    ) async -> [String] {
        await withCheckedContinuation { continuation in
            // XCTest waits for a test, so not on a thread of the shared pool.
            Thread.detachNewThread {
                Recording.recorded.withLock { $0 = [] }
                let test = Recording(name: "explored") { test in
                    guard let test = test as? Recording else { return }
                    try asyncTest { (test: Recording) in { try await body(test) } }(test)()
                }
                test.run()
                continuation.resume(returning: Recording.recorded.withLock { $0 })
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

    /// A wait of XCTest, and what the report calls it.
    enum Wait: String, CaseIterable, CustomTestStringConvertible {
        case testCase, waiter, type, fulfillment, waiterFulfillment

        var testDescription: String { rawValue }

        var name: String {
            switch self {
            case .testCase: "XCTestCase.wait(for:timeout:enforceOrder:file:line:)"
            case .waiter, .type: "XCTWaiter.wait(for:timeout:enforceOrder:file:line:)"
            case .fulfillment: "XCTestCase.fulfillment(of:timeout:enforceOrder:file:line:)"
            case .waiterFulfillment: "XCTWaiter.fulfillment(of:timeout:enforceOrder:file:line:)"
            }
        }

        func wait(_ test: XCTestCase) async {
            let expectation = XCTestExpectation(description: "never")
            switch self {
            case .testCase, .waiter, .type: block(test, expectation)
            case .fulfillment: await test.fulfillment(of: [expectation], timeout: 0.01)
            case .waiterFulfillment: _ = await XCTWaiter().fulfillment(of: [expectation], timeout: 0.01)
            }
        }

        private func block(_ test: XCTestCase, _ expectation: XCTestExpectation) {
            switch self {
            case .testCase: test.wait(for: [expectation], timeout: 0.01)
            case .waiter: _ = XCTWaiter().wait(for: [expectation], timeout: 0.01)
            case .type: _ = XCTWaiter.wait(for: [expectation], timeout: 0.01)
            case .fulfillment, .waiterFulfillment: break
            }
        }
    }

    @Test("a wait of XCTest is named, with its line and what to do instead", arguments: Wait.allCases)
    func waits(way: Wait) async throws {
        let recorded = await recorded { test in
            nonisolated(unsafe) let test = test
            try await test.assertInEveryOrder(Self.options) {
                await Task.yield()
                await way.wait(test)
            }
        }
        // XCTest says by itself, on a thread of its own, that the time was over.
        let words = try #require(
            recorded.flatMap { $0.split(separator: "\n") }.first { $0.contains("escaped: ") },
            "\(recorded)"
        )
        #expect(words.contains("escaped: \(way.name)"), "\(words)")
        #expect(words.contains(" at InterleavingTestCaseTests.swift:"), "\(words)")
        #expect(words.contains("await what fulfils the expectation itself"), "\(words)")
    }

    @Test("outside of an exploration an assertion fails the test as ever")
    func outside() async throws {
        let recorded = await recorded { _ in XCTAssertTrue(false, "an ordinary failure") }
        #expect(recorded.count == 1 && recorded[0].contains("an ordinary failure"), "\(recorded)")
    }
}
