import Interleaving
import Synchronization

// After GoBench: continuations, cancellation and wait groups.

/// One event, and who waits for it.
private actor SingleWaiter: Explored {
    nonisolated let executor = SimulatedExecutor(name: "waiter")
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var hasHappened = false

    func wait(_ variant: Kernel.Variant) async {
        if hasHappened { return }
        await withCheckedContinuation { continuation in
            // The broken one has room for one, and who came before is dropped.
            if variant == .broken { waiting = [continuation] } else { waiting.append(continuation) }
        }
    }

    func happen() {
        hasHappened = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

/// A value that comes once. It says so if it came twice, where resuming a continuation again would end the process.
private actor Promise: Explored {
    nonisolated let executor = SimulatedExecutor(name: "promise")
    private var value: Int?
    private var waiting: CheckedContinuation<Int, Never>?

    var isResumed: Bool { value != nil }

    func wait() async -> Int {
        if let value { return value }
        return await withCheckedContinuation { waiting = $0 }
    }

    func resume(_ value: Int) throws {
        try require(self.value == nil, "resumed twice")
        self.value = value
        waiting?.resume(returning: value)
        waiting = nil
    }

    func resumeIfFirst(_ value: Int) throws {
        if self.value == nil { try resume(value) }
    }
}

/// Go's wait group.
private actor WaitGroup: Explored {
    nonisolated let executor = SimulatedExecutor(name: "group")
    private(set) var count = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func add() { count += 1 }

    func done() throws {
        count -= 1
        try require(count >= 0, "more are done than there were")
        guard count == 0 else { return }
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func wait() async {
        if count > 0 { await withCheckedContinuation { waiting.append($0) } }
    }
}

extension Kernel {
    /// A continuation kept where there is room for one.
    static let lostContinuation = Kernel(
        "lost-continuation",
        .channels,
        bug: "two tasks wait for one event, and the second takes the first one's place",
        verdict: "lost-continuation"
    ) { variant in
        let waiter = SingleWaiter()
        async let one: Void = waiter.wait(variant)
        async let event: Void = {
            await work(1)
            await waiter.happen()
        }()
        async let two: Void = {
            await work(2)
            await waiter.wait(variant)
        }()
        _ = await (one, event, two)
    }

    /// GoBench's cancelled waiter: the cancellation comes before there is anything to resume.
    static let cancelledWaiter = Kernel(
        "cancelled-waiter",
        .channels,
        bug: "a cancellation handler finds no continuation to resume, which is stored just after",
        verdict: "deadlock"
    ) { variant in
        // The lock that programs under test have.
        let state = Mutex<(isCancelled: Bool, waiting: CheckedContinuation<Void, Never>?)>((false, nil))
        let waiter = Task {
            await withTaskCancellationHandler {
                await Task.yield()
                await withCheckedContinuation { continuation in
                    let isTooLate = state.withLock { state in
                        let isTooLate = variant == .fixed && state.isCancelled
                        if !isTooLate { state.waiting = continuation }
                        return isTooLate
                    }
                    if isTooLate { continuation.resume() }
                }
            } onCancel: {
                state.withLock { state in
                    state.isCancelled = true
                    defer { state.waiting = nil }
                    return state.waiting
                }?.resume()
            }
        }
        await work(2)
        waiter.cancel()
        await waiter.value
    }

    /// A response and its time-out both answer.
    static let doubleResume = Kernel(
        "double-resume",
        .channels,
        bug: "a response and a time-out both find a request unanswered, and both answer it"
    ) { variant in
        let promise = Promise()
        let answer: @Sendable (Int) async throws -> Void = { value in
            switch variant {
            case .broken:
                let isTooLate = await promise.isResumed
                await work(1)
                if !isTooLate { try await promise.resume(value) }
            case .fixed: try await promise.resumeIfFirst(value)
            }
        }
        async let value = promise.wait()
        async let response: Void = answer(1)
        async let timeout: Void = {
            await work(3)
            try await answer(2)
        }()
        _ = try await (value, response, timeout)
    }

    /// GoBench's wait group: who is to be waited for registers itself, when it runs.
    static let waitGroupAdd = Kernel(
        "wait-group-add",
        .channels,
        bug: "tasks add themselves to a wait group when they begin; a task that waits may come first and find none"
    ) { variant in
        let (group, done) = (WaitGroup(), Cell(0))
        for _ in 0..<2 {
            if variant == .fixed { await group.add() }
            Task {
                if variant == .broken { await group.add() }
                await done.update { $0 += 1 }
                try await group.done()
            }
        }
        await work(1)
        await group.wait()
        try require(await done.value == 2, "did not wait")
    }

    /// GoBench's negative wait group: a stop and an end both say that a task is done.
    static let waitGroupUnderflow = Kernel(
        "wait-group-underflow",
        .channels,
        bug: "a task that ends and one that stops it both find it running, and both count it as done"
    ) { variant in
        let (group, isRunning) = (WaitGroup(), Cell(true))
        await group.add()
        let end: @Sendable () async throws -> Void = {
            let wasRunning: Bool
            switch variant {
            case .broken:
                wasRunning = await isRunning.value
                await isRunning.set(false)
            case .fixed:
                wasRunning = await isRunning.update { isRunning in
                    defer { isRunning = false }
                    return isRunning
                }
            }
            if wasRunning { try await group.done() }
        }
        async let task: Void = end()
        async let stop: Void = {
            await work(2)
            try await end()
        }()
        _ = try await (task, stop)
        await group.wait()
    }

    /// GoBench's select: a newer value is there, but an older one is handled last.
    static let staleSelect = Kernel(
        "stale-select",
        .channels,
        bug: "answers to two requests come through one stream, and the older one is shown last"
    ) { variant in
        let (answers, continuation) = AsyncStream.makeStream(of: Int.self)
        async let older: Void = {
            await work(1)
            continuation.yield(1)
        }()
        async let newer: Void = {
            await work(2)
            continuation.yield(2)
        }()
        var shown = 0
        var iterator = answers.makeAsyncIterator()
        for _ in 0..<2 {
            guard let answer = await iterator.next() else { break }
            shown = variant == .fixed ? max(shown, answer) : answer
        }
        _ = await (older, newer)
        try require(shown == 2, "an old answer is shown")
    }

    /// GoBench's context: a child registers with its parent while the parent is being cancelled.
    static let lateChild = Kernel(
        "late-child",
        .channels,
        bug:
            "a child asks whether its parent is cancelled, the parent cancels its children, and then the child registers",
        verdict: "deadlock"
    ) { variant in
        let (isCancelled, children) = (Cell(false), Cell<[Channel<Void>]>([]))
        async let child: Void = {
            let cancelled = Channel<Void>(capacity: 2)
            let mayRegister = variant == .fixed ? true : !(await isCancelled.value)
            if mayRegister { await children.update { $0.append(cancelled) } }
            let mustWait = variant == .fixed ? !(await isCancelled.value) : mayRegister
            if mustWait { _ = await cancelled.receive() }
        }()
        async let parent: Void = {
            await work(2)
            await isCancelled.set(true)
            for child in await children.value { try await child.send(()) }
        }()
        _ = try await (child, parent)
    }

    /// GoBench's nested read lock: a writer in between blocks the second, and the first blocks the writer.
    static let nestedReadLock = Kernel(
        "nested-read-lock",
        .channels,
        bug: "a reader reads again while a writer waits for it to end",
        verdict: "deadlock"
    ) { variant in
        let lock = ReadWriteLock()
        async let reader: Void = {
            await lock.beginReading()
            if variant == .broken {
                await lock.beginReading()
                await lock.endReading()
            }
            await lock.endReading()
        }()
        async let writer: Void = {
            await work(2)
            await lock.beginWriting()
            await lock.endWriting()
        }()
        _ = await (reader, writer)
    }
}

/// Many readers or one writer; who wants to read waits behind a writer who waits.
private actor ReadWriteLock: Explored {
    nonisolated let executor = SimulatedExecutor(name: "read-write lock")
    private var readers = 0
    private var isWriting = false
    private var waiting: [(isWriter: Bool, continuation: CheckedContinuation<Void, Never>)] = []

    func beginReading() async {
        if isWriting || !waiting.isEmpty { await wait(asWriter: false) } else { readers += 1 }
    }

    func endReading() {
        readers -= 1
        admit()
    }

    func beginWriting() async {
        if isWriting || readers > 0 || !waiting.isEmpty { await wait(asWriter: true) } else { isWriting = true }
    }

    func endWriting() {
        isWriting = false
        admit()
    }

    private func wait(asWriter isWriter: Bool) async {
        await withCheckedContinuation { waiting.append((isWriter, $0)) }
    }

    private func admit() {
        while let first = waiting.first, !isWriting, !first.isWriter || readers == 0 {
            if first.isWriter { isWriting = true } else { readers += 1 }
            waiting.removeFirst().continuation.resume()
        }
    }
}
