import Testing

@testable import Varlink

@Suite("The memory that all connections together may hold")
struct VarlinkMemoryPoolTests {
    private static let own = VarlinkMemoryPool.allowance

    @Test("a user's share is limited, and others' shares are untouched")
    func sharesByUser() {
        let pool = VarlinkMemoryPool(total: 1_000, perUser: 600)
        #expect(pool.change(user: 1, from: 0, to: Self.own + 600))
        #expect(!pool.change(user: 1, from: 0, to: Self.own + 1))
        #expect(pool.change(user: 1, from: 0, to: Self.own), "what is its own does not count")
        #expect(pool.change(user: 2, from: 0, to: Self.own + 400))
        #expect(!pool.change(user: 3, from: 0, to: Self.own + 1), "there is no more altogether")
        #expect(pool.used == 1_000)
    }

    @Test("released memory can be held again, and holding less is always allowed")
    func givesBack() {
        let pool = VarlinkMemoryPool(total: 100, perUser: 100)
        #expect(pool.change(user: 1, from: 0, to: Self.own + 100))
        #expect(pool.change(user: 1, from: Self.own + 100, to: Self.own + 40))
        #expect(pool.change(user: 2, from: 0, to: Self.own + 60))
        #expect(pool.change(user: 1, from: Self.own + 40, to: 0))
        #expect(pool.change(user: 2, from: Self.own + 60, to: 10))
        #expect(pool.used == 0)
    }

    @Test("a share that is refused more stays as it was, and can release what it holds")
    func share() {
        let pool = VarlinkMemoryPool(total: 100, perUser: 100)
        var one = VarlinkMemoryShare(of: pool, user: 1)
        var other = VarlinkMemoryShare(of: pool, user: 1)
        let (first, second) = (one.hold(Self.own + 70), other.hold(Self.own + 70))
        #expect(first && !second)
        #expect(pool.used == 70)
        one.release()
        let third = other.hold(Self.own + 70)
        #expect(third)
    }
}
