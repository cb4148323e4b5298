internal import CInterleaving

/// Thrown where a micro-program finds itself outside the simulation.
private struct Outside: Error {}

private func stay() throws {
    if Simulator.current == nil { throw Outside() }
}

private actor Counter {
    var count = 0
    func increment() throws -> Int {
        try stay()
        count += 1
        return count
    }
}

private actor InjectedCounter {
    nonisolated let executor = SimulatedExecutor(name: "probe")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    var count = 0
    func increment() throws -> Int {
        try stay()
        count += 1
        return count
    }
}

@MainActor private func onMain() throws -> Int {
    try stay()
    MainActor.assertIsolated()
    return 1
}

private enum Local {
    @TaskLocal static var value = 0
}

extension MicroProgram {
    static let all: [MicroProgram] = structured + unstructured + time + isolation + waiting + ends + misuse

    private static let structured: [MicroProgram] = [
        MicroProgram(name: "async let") {
            async let a: Void = stay()
            async let b: Void = stay()
            _ = try await (a, b)
            try stay()
        },
        MicroProgram(name: "TaskGroup") {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { try stay() } }
                for try await _ in group { try stay() }
            }
            try stay()
        },
        MicroProgram(name: "DiscardingTaskGroup") {
            try await withThrowingDiscardingTaskGroup { group in
                for _ in 0..<3 { group.addTask { try stay() } }
            }
            try stay()
        },
    ]

    private static let unstructured: [MicroProgram] = [
        MicroProgram(name: "Task {}") {
            try await Task { try stay() }.value
            try stay()
        },
        MicroProgram(name: "Task.detached") {
            try await Task.detached { try stay() }.value
            try stay()
        },
        MicroProgram(name: "Task(priority:)") {
            try await Task(priority: .background) { try stay() }.value
            try stay()
        },
        MicroProgram(name: "Task.yield") {
            await Task.yield()
            try stay()
        },
        MicroProgram(name: "task-locals") {
            try await Local.$value.withValue(7) {
                let value = try await Task {
                    try stay()
                    return Local.value
                }.value
                if value != 7 { throw Outside() }
            }
        },
    ]

    private static let time: [MicroProgram] = [
        MicroProgram(name: "Task.sleep(for:)") {
            let start = ContinuousClock.now
            try await Task.sleep(for: .seconds(3600))
            try stay()
            if ContinuousClock.now - start != .seconds(3600) { throw Outside() }
        },
        MicroProgram(name: "Task.sleep(nanoseconds:)") {
            try await Task.sleep(nanoseconds: 3_600_000_000_000)
            try stay()
        },
        MicroProgram(name: "ContinuousClock.sleep(until:)") {
            let clock = ContinuousClock()
            try await clock.sleep(until: clock.now + .seconds(3600))
            try stay()
        },
        MicroProgram(name: "SuspendingClock.sleep(until:)") {
            let clock = SuspendingClock()
            try await clock.sleep(until: clock.now + .seconds(3600))
            try stay()
        },
        MicroProgram(name: "cancelled sleep") {
            let sleeper = Task { try await Task.sleep(for: .seconds(3600)) }
            await Task.yield()
            sleeper.cancel()
            guard case .failure = await sleeper.result else { throw Outside() }
            try stay()
        },
    ]

    private static let isolation: [MicroProgram] = [
        MicroProgram(name: "default actor") {
            let counter = Counter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { _ = try await counter.increment() } }
                try await group.waitForAll()
            }
            guard try await counter.increment() == 4 else { throw Outside() }
            try stay()
        },
        MicroProgram(name: "actor with a SimulatedExecutor") {
            let counter = InjectedCounter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { _ = try await counter.increment() } }
                try await group.waitForAll()
            }
            guard try await counter.increment() == 4 else { throw Outside() }
            try stay()
        },
        MicroProgram(name: "MainActor") {
            _ = try await onMain()
            try await Task { @MainActor in try stay() }.value
            try stay()
        },
    ]

    private static let waiting: [MicroProgram] = [
        MicroProgram(name: "withCheckedContinuation") {
            await withCheckedContinuation { continuation in
                Task { continuation.resume() }
            }
            try stay()
        },
        MicroProgram(name: "withUnsafeContinuation") {
            await withUnsafeContinuation { continuation in
                Task { continuation.resume() }
            }
            try stay()
        },
        MicroProgram(name: "AsyncStream") {
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            Task {
                for value in 0..<3 {
                    continuation.yield(value)
                    await Task.yield()
                }
                continuation.finish()
            }
            for await _ in stream { try stay() }
            try stay()
        },
        MicroProgram(name: "withTaskCancellationHandler") {
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            let task = Task {
                await withTaskCancellationHandler {
                    for await _ in stream {}
                } onCancel: {
                    continuation.finish()
                }
                try stay()
            }
            await Task.yield()
            task.cancel()
            try await task.value
            try stay()
        },
    ]

    /// The endings that the simulation must notice.
    private static let ends: [MicroProgram] = [
        MicroProgram(
            name: "detection of deadlocks",
            body: { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } },
            verdict: "deadlock"
        ),
        MicroProgram(
            name: "detection of task leaks",
            body: {
                Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
                await Task.yield()
            },
            verdict: "task-leak"
        ),
    ]

    /// Where the runtime is linked statically, a lost continuation is only a task that waits for ever, and nobody catches the
    /// runtime's warning about it.
    private static let misuse: [MicroProgram] =
        interleaving_sees_misuse()
        ? [
            MicroProgram(
                name: "detection of lost continuations",
                body: { await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in } },
                verdict: "lost-continuation"
            )
        ] : []
}
