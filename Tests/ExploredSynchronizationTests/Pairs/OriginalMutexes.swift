// The same text as in the file of the other module's, but for names: `PairTests` compares them.

import Synchronization

/// What a `Mutex` does, in words.
enum OriginalMutexes {
    /// A value that cannot be copied.
    struct Ticket: ~Copyable {
        let number: Int
    }

    struct Refused: Error, Equatable {
        let number: Int
    }

    /// A value that is not `Sendable`.
    final class Box {
        var number: Int
        init(_ number: Int) { self.number = number }
    }

    static func log() -> [String] {
        var log: [String] = []
        let number = Mutex(3)
        number.withLock { $0 += 1 }
        log.append("\(number.withLock { $0 })")

        let inside = number.withLock { _ in number.withLockIfAvailable { $0 } }
        log.append("\(String(describing: inside))")
        log.append("\(String(describing: number.withLockIfAvailable { $0 * 2 }))")

        // Typed errors stay typed, the lock is free after them, and changes before them stay.
        do throws(Refused) {
            try number.withLock { value throws(Refused) in
                value = 9
                throw Refused(number: value)
            }
        } catch {
            log.append("refused \(error.number)")
        }
        do throws(Refused) {
            _ = try number.withLockIfAvailable { value throws(Refused) -> Int in throw Refused(number: value + 1) }
        } catch {
            log.append("refused \(error.number)")
        }
        log.append("\(number.withLock { $0 })")

        let ticket = Mutex(Ticket(number: 1))
        let taken = ticket.withLock { ticket in
            let old = ticket.number
            ticket = Ticket(number: old + 1)
            return Ticket(number: old)
        }
        log.append("\(taken.number) \(ticket.withLock { $0.number })")
        if let other = ticket.withLockIfAvailable({ Ticket(number: $0.number * 10) }) { log.append("\(other.number)") }

        let box = Mutex(Box(5))
        let out = box.withLock { box in
            let old = box.number
            box = Box(old + 1)
            return Box(old)
        }
        log.append("\(out.number) \(box.withLock { $0.number })")

        let optional = Mutex<String?>(nil)
        optional.withLock { $0 = "there" }
        log.append(optional.withLock { $0.take() } ?? "nil")
        log.append(optional.withLock { $0 } ?? "nil")
        log.append(contentsOf: references())
        return log
    }

    /// What keeps a reference, and for how long.
    private static func references() -> [String] {
        var log: [String] = []
        weak var first: Box?
        weak var second: Box?
        do {
            let reference = AtomicLazyReference<Box>()
            log.append("\(reference.load() == nil)")
            let (one, other) = (Box(1), Box(2))
            (first, second) = (one, other)
            log.append("\(reference.storeIfNil(one).number) \(reference.storeIfNil(other).number)")
            log.append("\(reference.load()?.number ?? 0)")
        }
        log.append("\(first == nil) \(second == nil)")
        final class Token: Sendable {}
        weak var kept: Token?
        do {
            let mutex = Mutex(Token())
            mutex.withLock { kept = $0 }
            log.append("\(kept == nil)")
        }
        log.append("\(kept == nil)")
        return log
    }

    /// Adds from many threads at once.
    /// - Returns: The sums behind a lock, by additions, and by exchanges in a loop.
    static func sums(threads: Int, times: Int, _ run: (Int, @escaping @Sendable () -> Void) -> Void) -> [Int] {
        final class Sums: Sendable {
            let locked = Mutex(0)
            let added = Atomic(0)
            let exchanged = Atomic(0)
            let tried = Mutex(0)
        }
        let sums = Sums()
        run(threads) {
            for _ in 0..<times {
                sums.locked.withLock { $0 += 1 }
                sums.added.wrappingAdd(1, ordering: .relaxed)
                var old = sums.exchanged.load(ordering: .relaxed)
                while true {
                    let (done, original) = sums.exchanged.weakCompareExchange(
                        expected: old,
                        desired: old + 1,
                        ordering: .acquiringAndReleasing
                    )
                    if done { break }
                    old = original
                }
                while sums.tried.withLockIfAvailable({ $0 += 1 }) == nil {}
            }
            atomicMemoryFence(ordering: .sequentiallyConsistent)
        }
        return [
            sums.locked.withLock { $0 }, sums.added.load(ordering: .relaxed),
            sums.exchanged.load(ordering: .relaxed), sums.tried.withLock { $0 },
        ]
    }
}
