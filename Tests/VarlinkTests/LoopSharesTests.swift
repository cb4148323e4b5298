import Basics
import Testing
@testable import Varlink

@Suite("Event loops and the users who have them")
struct LoopSharesTests {
    @Test("a user has several loops while half of them are free, and others find one of their own")
    func spreads() {
        var shares = LoopShares(loops: 8, most: 2)
        #expect((0..<6).map { _ in shares.take(for: 1) } == [0, 1, 0, 1, 0, 1])
        #expect((0..<4).map { _ in shares.take(for: 2) } == [2, 3, 2, 3])
        // Four of eight are free, then three.
        #expect(shares.take(for: 3) == 4)
        #expect((0..<3).map { _ in shares.take(for: 3) } == [4, 4, 4])
        #expect((4...6).map { shares.take(for: $0) } == [5, 6, 7])
        // A loop that was given back is free for others.
        for loop in [2, 3, 2, 3] { shares.release(loop, of: 2) }
        #expect(shares.take(for: 7) == 2)
    }

    @Test("a single user has all loops of a group with one loop per core")
    func alone() {
        var shares = LoopShares(loops: 2, most: 2)
        #expect((0..<4).map { _ in shares.take(for: 1) } == [0, 1, 0, 1])
    }

    @Test("users share loops only when none is free, and those with the fewest users")
    func sharesAtLast() {
        var shares = LoopShares(loops: 2, most: 2)
        #expect((1...5).map { shares.take(for: $0) } == [0, 1, 0, 1, 0])
        shares.release(1, of: 2)
        shares.release(1, of: 4)
        #expect(shares.take(for: 6) == 1, "a loop that nobody has any more")
    }

    /// Whatever comes and goes, in any order.
    @Test("no two users share a loop while one is free", arguments: 0..<40)
    func neverTooEarly(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        let (count, most) = (Int.random(in: 1...16, using: &generator), Int.random(in: 1...8, using: &generator))
        var shares = LoopShares(loops: count, most: most)
        var places: [(user: UInt32, loop: Int)] = []
        for _ in 0..<400 {
            if !places.isEmpty, Int.random(in: 0..<5, using: &generator) < 2 {
                let gone = places.remove(at: Int.random(in: places.indices, using: &generator))
                shares.release(gone.loop, of: gone.user)
            } else {
                let user = UInt32.random(in: 1...12, using: &generator)
                let (taken, before) = (Set(places.map(\.loop)), Set(places.filter { $0.user == user }.map(\.loop)))
                let loop = shares.take(for: user)
                #expect((0..<count).contains(loop))
                let isOthers = places.contains { $0.loop == loop && $0.user != user }
                if isOthers, !before.contains(loop) { #expect(taken.count == count, "while one is free") }
                places.append((user, loop))
                #expect(Set(places.filter { $0.user == user }.map(\.loop)).count <= most)
            }
        }
    }
}
