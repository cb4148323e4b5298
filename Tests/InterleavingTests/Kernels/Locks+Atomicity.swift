// After SCTBench: what must happen at once happens in several steps.

extension Kernel {
    /// SCTBench's account: a deposit and a withdrawal each read the balance and write it back.
    static let account = Kernel(
        "account",
        .locks,
        bug: "a deposit and a withdrawal read the balance and write it back; one of them is lost"
    ) { variant in
        let balance = Cell(100)
        @Sendable func add(_ amount: Int) async {
            switch variant {
            case .broken: await balance.set(await balance.value + amount)
            case .fixed: await balance.update { $0 += amount }
            }
        }
        async let deposit: Void = add(50)
        async let withdrawal: Void = {
            await work(2)
            await add(-30)
        }()
        _ = await (deposit, withdrawal)
        try require(await balance.value == 120, "the balance is wrong")
    }

    /// SCTBench's twostage: two values belong together, but each has a guard of its own.
    static let twoStage = Kernel(
        "two-stage",
        .locks,
        bug: "two values that belong together have a guard each; a reader sees one new and one old"
    ) { variant in
        let (first, second, both) = (Cell(0), Cell(0), Cell((0, 0)))
        async let writer: Void = {
            switch variant {
            case .broken:
                await first.set(1)
                await second.set(2)
            case .fixed: await both.set((1, 2))
            }
        }()
        async let reader: (Int, Int) = {
            await work(1)
            if variant == .fixed { return await both.value }
            let two = await second.value
            return (await first.value, two)
        }()
        let seen = await reader
        await writer
        try require(seen == (0, 0) || seen == (1, 2), "saw half of a change")
    }

    /// SCTBench's lazy initialization: whoever finds nothing there makes it.
    static let lazyInit = Kernel(
        "lazy-init",
        .locks,
        bug: "two tasks find a shared object missing and both make it"
    ) { variant in
        let (instance, made) = (Cell<Int?>(nil), Cell(0))
        let lock = Lock()
        @Sendable func shared() async -> Int {
            if variant == .fixed { await lock.acquire() }
            var found = await instance.value
            if found == nil {
                let number = await made.update { count in
                    count += 1
                    return count
                }
                await instance.set(number)
                found = number
            }
            if variant == .fixed { await lock.release() }
            return found ?? 0
        }
        async let early = shared()
        async let late: Int = {
            await work(3)
            return await shared()
        }()
        let both = await (early, late)
        try require(both.0 == both.1, "there are two shared objects")
    }

    /// SCTBench's wrong lock: everybody locks, but not the same lock.
    static let wrongLock = Kernel(
        "wrong-lock",
        .locks,
        bug: "two tasks guard one counter with different locks"
    ) { variant in
        let counter = Cell(0)
        let (right, wrong) = (Lock(), Lock())
        async let one: Void = right.whileHeld { await counter.set(await counter.value + 1) }
        async let two: Void = {
            await work(2)
            await (variant == .fixed ? right : wrong).whileHeld { await counter.set(await counter.value + 1) }
        }()
        _ = await (one, two)
        try require(await counter.value == 2, "an increment is lost")
    }

    /// SCTBench's stack: whether there is something to pop is asked before the lock is taken.
    static let stack = Kernel(
        "stack",
        .locks,
        bug: "two tasks see one element on a stack, and both pop it"
    ) { variant in
        let (elements, lock) = (Cell([7]), Lock())
        let pop: @Sendable () async throws -> Void = {
            if variant == .fixed { await lock.acquire() }
            let isEmpty = await elements.value.isEmpty
            if variant == .broken { await lock.acquire() }
            var failure: Broken?
            if !isEmpty {
                let popped = await elements.update { $0.popLast() }
                if popped == nil { failure = Broken(what: "popped from an empty stack") }
            }
            await lock.release()
            if let failure { throw failure }
        }
        async let one: Void = pop()
        async let two: Void = {
            await work(2)
            try await pop()
        }()
        _ = try await (one, two)
    }

    /// SCTBench's lastzero: a search from the end, while others change what it has passed.
    static let lastZero = Kernel(
        "last-zero",
        .locks,
        bug: "a search for the last zero passes an entry, and the entry it stops at changes before it is used"
    ) { variant in
        let (entries, lock) = (Cell([0, 0, 0]), Lock())
        async let searcher: Void = {
            if variant == .fixed { await lock.acquire() }
            var index = 2
            while index > 0, await entries.value[index] != 0 { index -= 1 }
            let found = await entries.value[index]
            if variant == .fixed { await lock.release() }
            try require(index == 0 || found == 0, "what was found is no zero")
        }()
        async let filler: Void = {
            await work(2)
            for index in [2, 1] {
                if variant == .fixed { await lock.acquire() }
                await entries.update { $0[index] += 1 }
                if variant == .fixed { await lock.release() }
            }
        }()
        _ = try await (searcher, filler)
    }
}
