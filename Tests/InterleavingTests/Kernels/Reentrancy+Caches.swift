import Interleaving

// Actors that do something else while they wait, and take what they knew before for what is.

/// What a session knows, and how often it asked the server for a token.
private actor Session: Explored {
    nonisolated let executor = SimulatedExecutor(name: "session")
    private let variant: Kernel.Variant
    private let server: Cell<Int>
    private var token: Int?
    private var refresh: Task<Int, Never>?

    init(_ variant: Kernel.Variant, _ server: Cell<Int>) {
        self.variant = variant
        self.server = server
    }

    func validToken() async -> Int {
        if let token { return token }
        if variant == .fixed, let refresh { return await refresh.value }
        let task = Task { [server] in
            await server.update { count in
                count += 1
                return count
            }
        }
        if variant == .fixed { refresh = task }
        let new = await task.value
        token = new
        return new
    }
}

/// Keeps what was loaded. A load that was made pointless by a removal must not put its value back.
private actor Cache: Explored {
    nonisolated let executor = SimulatedExecutor(name: "cache")
    private let variant: Kernel.Variant
    private let disk: Cell<Int>
    private var value: Int?
    private var generation = 0

    init(_ variant: Kernel.Variant, _ disk: Cell<Int>) {
        self.variant = variant
        self.disk = disk
    }

    func load() async -> Int {
        if let value { return value }
        let before = generation
        let loaded = await disk.value
        await work(1)
        if variant == .broken || before == generation { value = loaded }
        return loaded
    }

    func remove() {
        value = nil
        generation += 1
    }
}

/// Pictures by address: every caller must get the same one.
private actor ImageCache: Explored {
    nonisolated let executor = SimulatedExecutor(name: "images")
    private let variant: Kernel.Variant
    private let network: Cell<Int>
    private var image: Int?

    init(_ variant: Kernel.Variant, _ network: Cell<Int>) {
        self.variant = variant
        self.network = network
    }

    func picture() async -> Int {
        if let image { return image }
        let loaded = await network.update { count in
            count += 1
            return count
        }
        // Somebody else may have put one there meanwhile, which others show by now.
        if variant == .fixed, let image { return image }
        image = loaded
        return loaded
    }

    var current: Int? { image }
}

extension Kernel {
    /// The classic of sign-in code: everybody who finds no token asks for one.
    static let tokenStampede = Kernel(
        "token-stampede",
        .reentrancy,
        bug: "three scenes find no token while one of them is refreshing it, and each refreshes it again"
    ) { variant in
        let server = Cell(0)
        let session = Session(variant, server)
        await withTaskGroup { group in
            for scene in 0..<3 {
                group.addTask {
                    await work(3 * scene)
                    _ = await session.validToken()
                }
            }
        }
        try require(await server.value == 1, "the token was refreshed \(await server.value) times")
    }

    /// A cache that a load fills after it was emptied.
    static let staleCache = Kernel(
        "stale-cache",
        .reentrancy,
        bug: "a load that began before a removal ends after it and puts the removed value back"
    ) { variant in
        let disk = Cell(1)
        let cache = Cache(variant, disk)
        async let reader = cache.load()
        async let writer: Void = {
            await work(4)
            await disk.set(2)
            await cache.remove()
        }()
        _ = await (reader, writer)
        try require(await cache.load() == 2, "the cache has what was removed")
    }

    /// The image cache of the conference talk: after the wait the cache is written without looking again.
    static let imageCache = Kernel(
        "image-cache",
        .reentrancy,
        bug: "two views load one address; the second overwrites the picture that the first shows"
    ) { variant in
        let images = ImageCache(variant, Cell(0))
        async let one = images.picture()
        async let two: Int = {
            await work(2)
            return await images.picture()
        }()
        let shown = await (one, two)
        try require(shown.0 == shown.1, "two pictures of one address")
    }
}
