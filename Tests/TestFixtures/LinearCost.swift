internal import Foundation
internal import Glibc

/// Whether work costs processor time in proportion to its input.
package enum LinearCost {
    /// How many times larger the larger input is.
    private static let growth = 8
    /// How many times more work it may cause: 2.5 times with each doubling, where tables grow and caches no longer hold all. What
    /// grows with the square costs 64 times as much.
    private static let most = 2.5 * 2.5 * 2.5
    /// Differences that a busy machine makes.
    private static let noise = Duration.milliseconds(8)

    /// Measures work on an input of `size` and on one eight times as large.
    ///
    /// Other work on the machine can only add to a measurement, so the least of several counts.
    /// - Parameter cost: does the work on an input of a size and returns the processor time that it took.
    /// - Returns: what it costs, if that is too much more; otherwise `nil`.
    package static func excess(
        from size: Int,
        isolation: isolated (any Actor)? = #isolation,
        cost: (Int) async throws -> Duration
    ) async rethrows -> String? {
        var small = try await cost(size)
        var large = try await cost(growth * size)
        for _ in 0..<12 where large > small * most + noise {
            small = min(small, try await cost(size))
            large = min(large, try await cost(growth * size))
        }
        guard large > small * most + noise else { return nil }
        return "size \(size) costs \(small), size \(growth * size) costs \(large)"
    }

    /// The processor time that `work` takes of this thread.
    package static func time(_ work: () throws -> Void) rethrows -> Duration {
        let start = threadTime
        try work()
        return threadTime - start
    }

    private static var threadTime: Duration { time(on: CLOCK_THREAD_CPUTIME_ID) }

    /// The processor time that a process has taken in all its threads, those that have ended among them.
    /// - Throws: if there is no such process.
    package static func time(ofProcess id: Int32) throws -> Duration {
        var clock = clockid_t()
        let error = clock_getcpuclockid(id, &clock)
        guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .ESRCH) }
        return time(on: clock)
    }

    private static func time(on clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// A text of about `size` bytes that is made to cost more than its length.
package struct HostileText: Sendable, CustomStringConvertible {
    package let description: String
    private let make: @Sendable (Int) -> String

    package func text(_ size: Int) -> String { make(size) }

    package static let all: [HostileText] = [
        HostileText("combining marks of alternating class") {
            "a" + String(repeating: "\u{301}", count: $0 / 4) + String(repeating: "\u{323}", count: $0 / 4)
        },
        HostileText("vowel signs that decompose to marks") { String(repeating: "\u{F73}", count: $0 / 3) },
        HostileText("marks just within the bound") {
            String(repeating: "a" + String(repeating: "\u{301}\u{323}", count: 15), count: $0 / 61)
        },
        HostileText("flags") { String(repeating: "\u{1F1E6}", count: $0 / 4) },
        HostileText("joined emoji") { String(repeating: "\u{1F469}\u{200D}", count: $0 / 7) },
        HostileText("dots") { String(repeating: "a.", count: $0 / 2) },
        HostileText("letters") { String(repeating: "a", count: $0) },
        HostileText("characters to escape") { String(repeating: "\u{1B}\"", count: $0 / 2) },
    ]

    private init(_ description: String, _ make: @escaping @Sendable (Int) -> String) {
        self.description = description
        self.make = make
    }
}
