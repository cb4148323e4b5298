import CInterleaving
import Glibc
import Testing

@testable import Interleaving

/// What the bodies of fibers do, by number. A body is a function of C, which captures nothing; the tests of the suite come one at a time.
private nonisolated(unsafe) var bodies: [Int32: () -> Void] = [:]

private func run(_ fiber: Int32) -> Bool {
    interleaving_run_fiber(fiber) { number in bodies[number]?() }
}

private func take(_ body: @escaping () -> Void) throws -> Int32 {
    let number = interleaving_take_fiber()
    try #require(number >= 0)
    bodies[number] = body
    return number
}

@Suite("A fiber", .serialized, .enabled(if: interleaving_reason_not_to_stop() == nil))
struct FiberTests {
    /// Work on the fibers of this thread, which go when it has ended.
    private func withFibers(_ work: () throws -> Void) throws {
        // What is found once for a thread; another thread may have asked when the suite was looked at.
        try #require(interleaving_reason_not_to_stop() == nil)
        defer {
            bodies = [:]
            interleaving_free_fibers()
        }
        try work()
    }

    private final class Cell {
        var value = 0
    }

    @inline(never) private static func whileChanging(_ value: inout Int, _ body: () -> Void) {
        value += 1
        body()
        value += 1
    }

    /// Adds up numbers, and stops in the middle of a recursion: with values in registers and on the stack.
    @inline(never) private static func sum(_ depth: Int, _ scale: Double) -> Double {
        let mine = Double(depth) * scale
        if depth % 3 == 0 { interleaving_stop_fiber() }
        return depth == 0 ? mine : mine + sum(depth - 1, scale)
    }

    @Test(
        "goes on where it stopped, with everything that it had, in whatever order fibers take turns",
        arguments: 0..<20
    )
    func turns(seed: UInt64) throws {
        try withFibers {
            var random = SplitMix(seed: seed)
            var results = [Double](repeating: 0, count: 60)
            var open: [Int32] = []
            for index in results.indices {
                open.append(
                    try take {
                        for round in 0..<3 { results[index] += Self.sum(20 + index, Double(round) + 0.5) }
                    }
                )
            }
            #expect(Set(open).count == 60)
            while !open.isEmpty {
                let index = Int.random(in: 0..<open.count, using: &random)
                #expect(interleaving_fiber() == -1)
                if run(open[index]) { open.remove(at: index) }
            }
            for index in results.indices {
                let numbers = Double((20 + index) * (21 + index) / 2)
                #expect(results[index] == numbers * (0.5 + 1.5 + 2.5))
            }
        }
    }

    @Test("begins as a new thread does, and takes its words of the runtime with it")
    func words() throws {
        try withFibers {
            let outside = swift_task_getCurrent()
            #expect(outside != nil)
            let cell = Cell()
            var inside: [Bool] = []
            let bodies = try (0..<2).map { _ in
                // An access that is open on one fiber is none of the other's, and none of the thread's.
                try take {
                    inside.append(swift_task_getCurrent() == nil)
                    Self.whileChanging(&cell.value) { interleaving_stop_fiber() }
                    inside.append(swift_task_getCurrent() == nil)
                }
            }
            #expect(bodies.map { run($0) } == [false, false])
            Self.whileChanging(&cell.value) {}
            #expect(swift_task_getCurrent() == outside)
            #expect(bodies.map { run($0) } == [true, true])
            #expect(inside == [true, true, true, true] && cell.value == 6)
        }
    }

    @Test("keeps its way of rounding, and the number of the last error")
    func modes() throws {
        try withFibers {
            var seen: [Int32] = []
            let fiber = try take {
                fesetround(FE_UPWARD)
                errno = 77
                interleaving_stop_fiber()
                seen.append(errno)
                seen.append(fegetround())
            }
            #expect(!run(fiber))
            #expect(fegetround() == FE_TONEAREST)
            errno = 3
            #expect(run(fiber))
            #expect(seen == [77, FE_UPWARD])
            #expect(fegetround() == FE_TONEAREST)
        }
    }

    @Test("that has ended serves again, and one that was abandoned with another stack")
    func again() throws {
        try withFibers {
            var addresses: [UInt] = []
            let body = {
                withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { bytes in
                    addresses.append(UInt(bitPattern: bytes.baseAddress) >> 12)
                }
                interleaving_stop_fiber()
            }
            let first = try take(body)
            #expect(!run(first))
            #expect(run(first))
            let second = try take(body)
            #expect(second == first && !run(second))
            interleaving_abandon_fiber(second)
            let third = try take(body)
            #expect(third == first && !run(third))
            #expect(run(third))
            #expect(addresses.count == 3 && addresses[0] == addresses[1] && addresses[1] != addresses[2])
        }
    }

    @Test("finds who called a library, and nobody where none was called or outside of a fiber")
    func caller() throws {
        try withFibers {
            #expect(interleaving_caller_beyond_libraries() == 0)
            var found: [UInt] = []
            let fiber = try take {
                found.append(interleaving_caller_beyond_libraries())
                var numbers: [Int32] = [2, 1]
                qsort(&numbers, 2, 4) { _, _ in
                    places.append(interleaving_caller_beyond_libraries())
                    return 0
                }
            }
            places = []
            #expect(run(fiber))
            // The C library may have been compiled without frames, and then its caller's is not found; but never another.
            #expect(found == [0])
            for place in places where place != 0 {
                #expect(FunctionName.at(place)?.contains("caller") == true, "\(FunctionName.at(place) ?? "")")
            }
        }
    }
}

private nonisolated(unsafe) var places: [UInt] = []
