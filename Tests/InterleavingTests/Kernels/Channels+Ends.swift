// After GoBench: streams and channels that end too early, too late, twice or never.

extension Kernel {
    /// GoBench's missing close: a way out of the producer that forgets its consumer.
    static let missedFinish = Kernel(
        "missed-finish",
        .channels,
        bug: "a producer that finds itself stopped returns without finishing its stream",
        verdict: "deadlock"
    ) { variant in
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let isStopped = Cell(false)
        async let producer: Void = {
            for value in 0..<2 {
                if await isStopped.value {
                    if variant == .fixed { continuation.finish() }
                    return
                }
                continuation.yield(value)
            }
            continuation.finish()
        }()
        async let stop: Void = {
            await work(2)
            await isStopped.set(true)
        }()
        for await _ in stream {}
        _ = await (producer, stop)
    }

    /// GoBench's double close: who closes first is asked, but not in the same step.
    static let doubleClose = Kernel(
        "double-close",
        .channels,
        bug: "two tasks see an open channel and both close it"
    ) { variant in
        let (channel, isClosing) = (Channel<Int>(capacity: 1), Cell(false))
        let close: @Sendable () async throws -> Void = {
            let isMine: Bool
            switch variant {
            case .broken: isMine = !(await channel.isClosed)
            case .fixed:
                isMine = await isClosing.update { isClosing in
                    defer { isClosing = true }
                    return !isClosing
                }
            }
            if isMine { try await channel.close() }
        }
        async let one: Void = close()
        async let two: Void = {
            await work(2)
            try await close()
        }()
        _ = try await (one, two)
    }

    /// GoBench's send on a closed channel: the receiver closes, the sender has just looked.
    static let sendAfterFinish = Kernel(
        "send-after-finish",
        .channels,
        bug: "a sender sees an open stream, another task finishes it, and the element is silently dropped"
    ) { variant in
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let (isOpen, accepted) = (Cell(true), Cell(0))
        async let sender: Void = {
            switch variant {
            case .broken:
                if await isOpen.value {
                    await accepted.update { $0 += 1 }
                    continuation.yield(1)
                }
            case .fixed:
                if case .enqueued = continuation.yield(1) { await accepted.update { $0 += 1 } }
            }
        }()
        async let closer: Void = {
            await work(2)
            await isOpen.set(false)
            continuation.finish()
        }()
        var received = 0
        for await _ in stream { received += 1 }
        _ = await (sender, closer)
        try require(await accepted.value == received, "an accepted element is gone")
    }

    /// GoBench's most frequent leak: a result is sent to somebody who does not wait any more.
    static let producerLeak = Kernel(
        "producer-leak",
        .channels,
        bug: "a task that waits for a result gives up, and the one that computes it waits for ever to hand it over",
        verdict: "task-leak"
    ) { variant in
        let results = Channel<Int>(capacity: variant == .fixed ? 1 : 0)
        let isTired = Cell(false)
        Task { try await results.send(1) }
        let impatience = Task {
            await work(2)
            await isTired.set(true)
        }
        await work(1)
        if !(await isTired.value) { _ = await results.receive() }
        await impatience.value
    }

    /// A stream that keeps the newest only: what comes faster than it is read is gone.
    static let droppedElement = Kernel(
        "dropped-element",
        .channels,
        bug: "a stream keeps its newest element; two events at the same time count as one"
    ) { variant in
        let policy: AsyncStream<Int>.Continuation.BufferingPolicy = variant == .fixed ? .unbounded : .bufferingNewest(1)
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: policy)
        async let producer: Void = {
            for value in 1...2 {
                continuation.yield(value)
                await work(2)
            }
            continuation.finish()
        }()
        async let consumer: Int = {
            var sum = 0
            for await value in stream { sum += value }
            return sum
        }()
        let sum = await consumer
        await producer
        try require(sum == 3, "an event is gone")
    }

    /// GoBench's mix of a lock and a channel: the sender keeps the lock that the receiver needs.
    static let lockAndChannel = Kernel(
        "lock-and-channel",
        .channels,
        bug: "a sender waits for room in a channel with a lock held that the receiver needs to make room",
        verdict: "deadlock"
    ) { variant in
        let (channel, lock) = (Channel<Int>(capacity: 1), Lock())
        async let sender: Void = {
            for value in 0..<2 {
                if variant == .broken { await lock.acquire() }
                try await channel.send(value)
                if variant == .broken { await lock.release() }
            }
        }()
        async let receiver: Void = {
            for _ in 0..<2 { _ = await lock.whileHeld { await channel.receive() } }
        }()
        _ = try await (sender, receiver)
    }
}
