import Interleaving

// What holds only where a mailbox keeps the order of its messages, which nobody promised for actors: urgent ones may go first.

private actor Outbox: Explored {
    nonisolated let executor = SimulatedExecutor(name: "outbox")
    private(set) var sent: [String] = []

    /// Sends each word by a task of its own, which is in this actor's mailbox when the call returns.
    func sendLater(_ words: [String]) -> [Task<Void, Never>] {
        words.map { word in Task { sent.append(word) } }
    }

    func send(_ words: [String]) { sent += words }
}

extension Kernel {
    /// Tasks that an actor begins for itself run one after the other, if its mailbox keeps order.
    static let mailboxOrder = Kernel(
        "mailbox-order",
        .reentrancy,
        bug: "an actor begins two tasks for itself and counts on their running in this order, whatever their priority",
        mailbox: .anyOrder
    ) { variant in
        let outbox = Outbox()
        let words = ["save", "close"]
        switch variant {
        case .broken: for task in await outbox.sendLater(words) { await task.value }
        case .fixed: await outbox.send(words)
        }
        try require(await outbox.sent == words, "closed before it was saved")
    }

    /// Two tasks call the same two actors in the same order: none overtakes the other, if mailboxes keep order.
    static let overtaking = Kernel(
        "overtaking",
        .reentrancy,
        bug: "a change goes through two actors, and a question behind it overtakes it at the second",
        mailbox: .anyOrder
    ) { variant in
        let (stock, orders, both) = (Cell(1), Cell(0), Cell((1, 0)))
        async let buyer: Void = {
            if variant == .fixed { return await both.set((0, 1)) }
            await stock.set(0)
            await orders.set(1)
        }()
        async let auditor: (Int, Int) = {
            if variant == .fixed { return await both.value }
            let left = await stock.value
            return (left, await orders.value)
        }()
        let seen = await auditor
        await buyer
        try require(seen != (0, 0), "something is neither in stock nor ordered")
    }
}
