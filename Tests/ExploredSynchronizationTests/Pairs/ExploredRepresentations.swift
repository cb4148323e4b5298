// The same text as in the file of the other module's, but for names: `PairTests` compares them.

import ExploredSynchronization

/// What atomic values of types other than integers do, in words.
enum ExploredRepresentations {
    enum Phase: Int, AtomicRepresentable {
        case idle, busy
    }

    final class Object {}

    private static func exercise<Value: AtomicRepresentable & Sendable>(
        _ first: Value,
        _ second: Value,
        _ load: (borrowing Atomic<Value>) -> Value,
        _ exchange: (borrowing Atomic<Value>, Value) -> Value
    ) -> String {
        let atomic = Atomic(first)
        let before = load(atomic)
        let old = exchange(atomic, second)
        return "\(before) \(old) \(load(atomic))"
    }

    static func log() -> [String] {
        var log: [String] = []
        log.append(exercise(1.5, -0.0, { $0.load(ordering: .acquiring) }, { $0.exchange($1, ordering: .relaxed) }))
        log.append(
            exercise(Float(2), .infinity, { $0.load(ordering: .relaxed) }, { $0.exchange($1, ordering: .releasing) })
        )
        log.append(exercise(true, false, { $0.load(ordering: .relaxed) }, { $0.exchange($1, ordering: .acquiring) }))
        log.append(
            exercise(
                Phase.idle,
                .busy,
                { $0.load(ordering: .relaxed) },
                { $0.exchange($1, ordering: .acquiringAndReleasing) }
            )
        )
        log.append(
            exercise(
                Duration.seconds(1),
                .nanoseconds(-1),
                { $0.load(ordering: .sequentiallyConsistent) },
                { $0.exchange($1, ordering: .sequentiallyConsistent) }
            )
        )

        let pair = Atomic(WordPair(first: 1, second: 2))
        let swapped = pair.compareExchange(
            expected: WordPair(first: 1, second: 2),
            desired: WordPair(first: 3, second: 4),
            successOrdering: .acquiringAndReleasing,
            failureOrdering: .acquiring
        )
        log.append("\(swapped.exchanged) \(swapped.original) \(pair.load(ordering: .relaxed))")

        let pointer = Atomic<UnsafeRawPointer?>(nil)
        log.append("\(pointer.exchange(UnsafeRawPointer(bitPattern: 16), ordering: .relaxed) == nil)")
        pointer.store(UnsafeRawPointer(bitPattern: 32), ordering: .releasing)
        log.append("\(String(describing: pointer.load(ordering: .acquiring)))")

        // Zero and minus zero are equal, but not the same bits.
        let zero = Atomic(0.0)
        log.append("\(zero.compareExchange(expected: -0.0, desired: 1, ordering: .relaxed))")
        return log
    }
}
