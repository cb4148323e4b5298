import Interleaving

// After SCTBench: who waits for whom.

/// Where two tasks wait for each other.
private actor Barrier: Explored {
    nonisolated let executor = SimulatedExecutor(name: "barrier")
    private let variant: Kernel.Variant
    private var arrived = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ variant: Kernel.Variant) {
        self.variant = variant
    }

    func meet() async {
        arrived += 1
        guard arrived == 2 else { return await withCheckedContinuation { waiting.append($0) } }
        if variant == .fixed { arrived = 0 }
        let woken = waiting
        waiting = []
        for continuation in woken { continuation.resume() }
        guard variant == .broken else { return }
        await work(1)
        arrived = 0
    }
}

extension Kernel {
    /// SCTBench's bluetooth driver: a request looks whether the driver stops, and only then says that it is there.
    static let bluetooth = Kernel(
        "bluetooth",
        .locks,
        bug: "a request asks whether the driver is stopping, and only then counts itself; it works on a stopped driver"
    ) { variant in
        let (isStopping, pending, isStopped) = (Cell(false), Cell(1), Cell(false))
        // Room for two, since who leaves last may be the one who is waited for, and then come back.
        let idle = Channel<Void>(capacity: 2)
        @Sendable func leave() async throws {
            let left = await pending.update { pending in
                pending -= 1
                return pending
            }
            if left == 0 { try await idle.send(()) }
        }
        async let request: Void = {
            if variant == .fixed { await pending.update { $0 += 1 } }
            let isTooLate = await isStopping.value
            if variant == .broken, !isTooLate { await pending.update { $0 += 1 } }
            if !isTooLate { try require(!(await isStopped.value), "used a stopped driver") }
            if variant == .fixed || !isTooLate { try await leave() }
        }()
        async let stop: Void = {
            await isStopping.set(true)
            try await leave()
            _ = await idle.receive()
            await isStopped.set(true)
        }()
        _ = try await (request, stop)
    }

    /// SCTBench's dining philosophers: everybody takes the left fork first.
    private static func philosophers(_ count: Int) -> Kernel {
        Kernel(
            "philosophers-\(count)",
            .locks,
            bug: "\(count) philosophers take the left fork and wait for the right one",
            verdict: "deadlock"
        ) { variant in
            let forks = (0..<count).map { _ in Lock() }
            await withTaskGroup { group in
                for seat in 0..<count {
                    group.addTask {
                        // One of them is a little faster.
                        await work(seat == 0 ? 0 : 1)
                        let (left, right) = (forks[seat], forks[(seat + 1) % count])
                        let isLast = variant == .fixed && seat == count - 1
                        await (isLast ? right : left).whileHeld {
                            await (isLast ? left : right).whileHeld {}
                        }
                    }
                }
            }
        }
    }

    static let philosophers3 = philosophers(3)
    static let philosophers5 = philosophers(5)

    /// SCTBench's deadlock01: two locks in opposite orders.
    static let opposite = Kernel(
        "opposite-locks",
        .locks,
        bug: "two tasks take the same two locks in opposite orders",
        verdict: "deadlock"
    ) { variant in
        let (a, b) = (Lock(), Lock())
        async let one: Void = a.whileHeld { await b.whileHeld {} }
        async let two: Void = {
            await work(2)
            switch variant {
            case .broken: await b.whileHeld { await a.whileHeld {} }
            case .fixed: await a.whileHeld { await b.whileHeld {} }
            }
        }()
        _ = await (one, two)
    }

    /// SCTBench's carter: the first of a group takes the room's lock while it holds the desk that everybody needs to leave.
    static let carter = Kernel(
        "carter",
        .locks,
        bug: "a task that waits for a room keeps the desk at which others have to announce that they leave",
        verdict: "deadlock"
    ) { variant in
        let (room, desk) = (Lock(), Lock())
        let visit: @Sendable (Lock) async -> Void = { desk in
            await desk.whileHeld { await room.acquire() }
            await desk.whileHeld { await room.release() }
        }
        async let one: Void = visit(desk)
        let other = variant == .fixed ? Lock() : desk
        async let two: Void = {
            await work(3)
            await visit(other)
        }()
        _ = await (one, two)
    }

    /// SCTBench's sync: whether to wait and waiting are two steps, and the signal comes in between.
    static let lostWakeUp = Kernel(
        "lost-wake-up",
        .locks,
        bug: "a consumer finds nothing, the producer signals, and then the consumer begins to wait",
        verdict: "deadlock"
    ) { variant in
        let (isThere, signal, remembered) = (Cell(false), Signal(), Channel<Void>(capacity: 1))
        async let consumer: Void = {
            if await isThere.value { return }
            switch variant {
            case .broken: await signal.wait()
            case .fixed: _ = await remembered.receive()
            }
        }()
        async let producer: Void = {
            await isThere.set(true)
            await work(1)
            switch variant {
            case .broken: await signal.wakeOne()
            case .fixed: try await remembered.send(())
            }
        }()
        _ = try await (consumer, producer)
    }

    /// SCTBench's phase: a barrier that is used again before everybody has left it.
    static let phase = Kernel(
        "phase-barrier",
        .locks,
        bug:
            "a barrier counts arrivals, and the last task resets it after waking the others; a fast task is counted too early",
        verdict: "deadlock"
    ) { variant in
        let barrier = Barrier(variant)
        await withTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    await barrier.meet()
                    await work(1)
                    await barrier.meet()
                }
            }
        }
    }

    /// SCTBench's work-stealing queue: the owner and a thief take the last item.
    static let workStealing = Kernel(
        "work-stealing",
        .locks,
        bug: "the owner takes from the tail and a thief from the head, and both get the last item"
    ) { variant in
        let items = [10]
        let (head, tail, lock) = (Cell(0), Cell(1), Lock())
        let done = Cell<[Int]>([])
        async let owner: Void = {
            if variant == .fixed { await lock.acquire() }
            let last = await tail.value - 1
            let isLeft = await head.value <= last
            if isLeft {
                await tail.set(last)
                await done.update { $0.append(items[last]) }
            }
            if variant == .fixed { await lock.release() }
        }()
        async let thief: Void = {
            await work(2)
            if variant == .fixed { await lock.acquire() }
            let first = await head.value
            if first < (await tail.value) {
                await head.set(first + 1)
                await done.update { $0.append(items[first]) }
            }
            if variant == .fixed { await lock.release() }
        }()
        _ = await (owner, thief)
        let taken = await done.value
        try require(Set(taken).count == taken.count, "an item was taken twice")
    }
}
