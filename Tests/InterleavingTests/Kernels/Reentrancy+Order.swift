import Interleaving

// Orders that nobody promised.

private actor Journal: Explored {
    nonisolated let executor = SimulatedExecutor(name: "journal")
    private(set) var entries: [String] = []

    func write(_ entry: String) { entries.append(entry) }
}

extension Kernel {
    /// `async let` begins both; what is written first need not run first.
    static let asyncLetOrder = Kernel(
        "async-let-order",
        .reentrancy,
        bug: "two `async let` are assumed to run in the order in which they are written"
    ) { variant in
        let journal = Journal()
        if variant == .fixed { await journal.write("configure") }
        async let configure: Void = { if variant == .broken { await journal.write("configure") } }()
        async let start: Void = journal.write("start")
        _ = await (configure, start)
        try require(await journal.entries == ["configure", "start"], "started before it was configured")
    }

    /// `Task {}` for each message: the messages may overtake each other.
    static let unorderedTasks = Kernel(
        "unordered-tasks",
        .reentrancy,
        bug: "each message is sent by another task, and the last message is not the last to arrive"
    ) { variant in
        let journal = Journal()
        let words = ["on", "off", "on"]
        switch variant {
        case .broken:
            let tasks = words.map { word in Task { await journal.write(word) } }
            for task in tasks { await task.value }
        case .fixed:
            await Task { for word in words { await journal.write(word) } }.value
        }
        try require(await journal.entries == words, "arrived in another order")
    }

    /// A scene that gets no turn while another has many.
    static let starvedScene = Kernel(
        "starved-scene",
        .reentrancy,
        bug: "a scene relies on a turn while another does six things, as if turns were shared fairly"
    ) { variant in
        let (beats, isDone) = (Cell(0), Channel<Void>(capacity: 1))
        async let quiet: Void = {
            await beats.update { $0 += 1 }
            try await isDone.send(())
        }()
        async let busy: Void = {
            await work(6)
            if variant == .fixed { _ = await isDone.receive() }
            try require(await beats.value > 0, "the quiet scene had no turn")
        }()
        _ = try await (quiet, busy)
    }

    /// A spinner that an early return leaves behind.
    static let stuckSpinner = Kernel(
        "stuck-spinner",
        .reentrancy,
        bug: "a reload that finds another in progress returns early and hides the spinner that the other one needs"
    ) { variant in
        let (loading, spinner) = (Cell(false), Cell(false))
        let wasHiddenEarly = Cell(false)
        @Sendable func reload() async {
            let isFirst = await loading.update { loading in
                defer { loading = true }
                return !loading
            }
            guard isFirst else {
                if variant == .broken { await spinner.set(false) }
                return
            }
            await spinner.set(true)
            await work(1)
            if !(await spinner.value) { await wasHiddenEarly.set(true) }
            await loading.set(false)
            await spinner.set(false)
        }
        async let one: Void = reload()
        async let two: Void = {
            await work(3)
            await reload()
        }()
        _ = await (one, two)
        try require(!(await wasHiddenEarly.value), "loads without a spinner")
    }
}
