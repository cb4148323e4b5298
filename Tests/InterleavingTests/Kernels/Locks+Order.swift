// After SCTBench: what was taken for an order is none.

extension Kernel {
    /// SCTBench's reorder: setters write `a`, then `b`; a checker must not see the one without the other.
    private static func reorder(_ setters: Int) -> Kernel {
        Kernel(
            "reorder-\(setters)",
            .locks,
            bug: "\(setters) tasks write two variables one after the other; another reads both in between"
        ) { variant in
            let (a, b) = (Cell(0), Cell(0))
            let lock = Lock()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<setters {
                    group.addTask {
                        if variant == .fixed { await lock.acquire() }
                        await a.set(1)
                        await b.set(-1)
                        if variant == .fixed { await lock.release() }
                    }
                }
                group.addTask {
                    await work(1)
                    if variant == .fixed { await lock.acquire() }
                    // In the other order than they are written: calls from one actor straight to the next overtake none.
                    let b = await b.value
                    let seen = (await a.value, b)
                    if variant == .fixed { await lock.release() }
                    try require(seen == (0, 0) || seen == (1, -1), "saw \(seen)")
                }
                try await group.waitForAll()
            }
        }
    }

    static let reorder2 = reorder(2)
    static let reorder4 = reorder(4)
    static let reorder6 = reorder(6)

    /// SCTBench's token ring: each node copies from the one before, which may not have got anything yet.
    static let tokenRing = Kernel(
        "token-ring",
        .locks,
        bug: "each node of a ring copies the token from the one before and relies on having been started later"
    ) { variant in
        let nodes = [Cell(1), Cell(0), Cell(0)]
        let started = (0..<3).map { _ in Channel<Void>(capacity: 1) }
        try await started[0].send(())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 1..<3 {
                group.addTask {
                    switch variant {
                    case .broken: await work(2 * index)
                    case .fixed: _ = await started[index - 1].receive()
                    }
                    await nodes[index].set(await nodes[index - 1].value)
                    if variant == .fixed { try await started[index].send(()) }
                }
            }
            try await group.waitForAll()
        }
        try require(await nodes[2].value == 1, "the token got lost")
    }

    /// SCTBench's queue: an entry is announced before it is there.
    static let queue = Kernel(
        "queue",
        .locks,
        bug: "a queue counts an entry before it is stored; a task that takes it in between gets nothing"
    ) { variant in
        let (count, storage) = (Cell(0), Cell<[Int]>([]))
        async let producer: Void = {
            for value in 1...2 {
                if variant == .fixed { await storage.update { $0.append(value) } }
                await count.update { $0 += 1 }
                if variant == .broken { await storage.update { $0.append(value) } }
            }
        }()
        async let consumer: Void = {
            let available = await count.value
            guard available > 0 else { return }
            try require(await storage.value.count >= available, "a counted entry is missing")
        }()
        _ = try await (producer, consumer)
    }

    /// SCTBench's circular buffer: two producers find the same place free.
    static let circularBuffer = Kernel(
        "circular-buffer",
        .locks,
        bug: "two producers read the same write index of a ring buffer; one entry overwrites the other"
    ) { variant in
        let (slots, next) = (Cell<[Int?]>([nil, nil, nil, nil]), Cell(0))
        @Sendable func put(_ value: Int) async {
            let index: Int
            switch variant {
            case .broken:
                index = await next.value
                await next.set((index + 1) % 4)
            case .fixed:
                index = await next.update { next in
                    defer { next = (next + 1) % 4 }
                    return next
                }
            }
            await slots.update { $0[index] = value }
        }
        async let one: Void = put(1)
        async let two: Void = {
            await work(2)
            await put(2)
        }()
        _ = await (one, two)
        try require(await slots.value.compactMap(\.self).sorted() == [1, 2], "an entry was overwritten")
    }

    /// SCTBench's arithmetic progression: one hands numbers to another through a place for one number.
    static let progression = Kernel(
        "arithmetic-progression",
        .locks,
        bug:
            "a producer does not wait for its number to be taken; the consumer, woken twice, adds the second one twice"
    ) { variant in
        let (slot, sum) = (Cell<Int?>(nil), Cell(0))
        let (filled, emptied) = (Channel<Void>(capacity: 4), Channel<Void>(capacity: 4))
        async let producer: Void = {
            for number in 1...2 {
                await slot.set(number)
                try await filled.send(())
                // The broken one goes on without waiting for the number to be taken.
                if variant == .fixed { _ = await emptied.receive() } else { await work(1) }
            }
        }()
        async let consumer: Void = {
            for _ in 1...2 {
                _ = await filled.receive()
                let number = await slot.value ?? 0
                await sum.update { $0 += number }
                try await emptied.send(())
            }
        }()
        _ = try await (producer, consumer)
        try require(await sum.value == 3, "1 + 2 is not 3")
    }
}
