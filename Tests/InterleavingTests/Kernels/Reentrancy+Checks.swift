import Interleaving

// What was checked before a wait need not hold after it.

private actor Bank: Explored {
    nonisolated let executor = SimulatedExecutor(name: "bank")
    private let variant: Kernel.Variant
    private(set) var balance = 100

    init(_ variant: Kernel.Variant) {
        self.variant = variant
    }

    func withdraw(_ amount: Int, authorize: @Sendable () async -> Void) async {
        guard balance >= amount else { return }
        await authorize()
        if variant == .fixed, balance < amount { return }
        balance -= amount
    }
}

private actor Seats: Explored {
    nonisolated let executor = SimulatedExecutor(name: "seats")
    private(set) var passengers: [String] = []

    var isFree: Bool { passengers.isEmpty }
    func book(_ name: String) { passengers.append(name) }
    func bookIfFree(_ name: String) { if isFree { book(name) } }
}

private actor Navigation: Explored {
    nonisolated let executor = SimulatedExecutor(name: "navigation")
    private let variant: Kernel.Variant
    private(set) var stack = ["home", "list", "sheet"]

    init(_ variant: Kernel.Variant) {
        self.variant = variant
    }

    func dismissSheet() async {
        guard stack.last == "sheet" else { return }
        if variant == .fixed { stack.removeLast() }
        await work(1)
        if variant == .broken { stack.removeLast() }
    }
}

private actor Search: Explored {
    nonisolated let executor = SimulatedExecutor(name: "search")
    private let variant: Kernel.Variant
    private(set) var shown = ""
    private var task: Task<Void, Never>?

    init(_ variant: Kernel.Variant) {
        self.variant = variant
    }

    func type(_ text: String, network: @escaping @Sendable (String) async -> String) -> Task<Void, Never> {
        task?.cancel()
        let task = Task {
            let result = await network(text)
            if variant == .fixed, Task.isCancelled { return }
            shown = result
        }
        self.task = task
        return task
    }
}

extension Kernel {
    /// The classic of every talk about re-entrancy: the balance is checked before a wait.
    static let withdrawal = Kernel(
        "withdrawal",
        .reentrancy,
        bug: "a balance is checked, then a withdrawal waits to be authorized, and by then another has taken the money"
    ) { variant in
        let bank = Bank(variant)
        async let one: Void = bank.withdraw(80) { await work(1) }
        async let two: Void = {
            await work(3)
            await bank.withdraw(80) { await work(1) }
        }()
        _ = await (one, two)
        try require(await bank.balance >= 0, "the account is overdrawn")
    }

    /// Asking an actor and then telling it: two calls, with a gap between them.
    static let doubleBooking = Kernel(
        "double-booking",
        .reentrancy,
        bug: "two callers ask whether a seat is free, and then both book it"
    ) { variant in
        let seats = Seats()
        let book: @Sendable (String) async -> Void = { name in
            switch variant {
            case .broken:
                guard await seats.isFree else { return }
                await work(1)
                await seats.book(name)
            case .fixed: await seats.bookIfFree(name)
            }
        }
        async let one: Void = book("Ada")
        async let two: Void = {
            await work(3)
            await book("Ben")
        }()
        _ = await (one, two)
        try require(await seats.passengers.count == 1, "a seat is booked twice")
    }

    /// A button and a time-out close the same sheet.
    static let doubleDismissal = Kernel(
        "double-dismissal",
        .reentrancy,
        bug: "a tap and a time-out both dismiss a sheet, and the second takes away the screen below it"
    ) { variant in
        let navigation = Navigation(variant)
        async let tap: Void = navigation.dismissSheet()
        async let timeout: Void = {
            await work(2)
            await navigation.dismissSheet()
        }()
        _ = await (tap, timeout)
        try require(await navigation.stack == ["home", "list"], "the wrong screen is gone")
    }

    /// A task that was cancelled does what it does all the same.
    static let cancelledResult = Kernel(
        "cancelled-result",
        .reentrancy,
        bug: "a search that the next one cancels does not check for that, and shows its results last"
    ) { variant in
        let search = Search(variant)
        let network: @Sendable (String) async -> String = { text in
            await work(1)
            return text
        }
        let first = await search.type("s", network: network)
        let second = await search.type("sw", network: network)
        _ = await (first.value, second.value)
        try require(await search.shown == "sw", "shows the results of an old search")
    }
}
