internal import Basics
internal import Interleaving

extension Race {
    /// Searches the pieces of a proof that a shard has not searched, until one goes wrong: of seven shards, each takes every seventh piece.
    ///
    /// A piece that is not searched to its end, because the time is over or somebody asks for that, is not counted; whoever goes on with the
    /// shard searches it again.
    /// - Parameters:
    ///   - options: With the time limit and the number of processes that are wanted here.
    ///   - shard: How far it came before.
    ///   - slice: How often to keep it, about.
    ///   - keep: Called after a piece, if a slice is over, and at the end, to write the shard to its file.
    /// - Returns: How far it came.
    /// - Throws: `ExplorationError` if this process cannot be explored; ``TooManyTimes``; and what `keep` throws.
    func prove(
        _ options: Options,
        _ shard: RaceShard,
        every slice: Duration,
        keep: (RaceShard) throws -> Void
    ) async throws -> RaceShard {
        guard let combinations = DrawnTimes(scenario).combinations else { throw TooManyTimes() }
        guard !shard.isDone else { return shard }
        var (options, shard) = (options, shard)
        options.seed = shard.search.seed
        options.countsEnds = true
        let clock = ContinuousClock()
        let end = options.timeLimit.map { clock.now + $0 }
        let cut = try await cut(options, shard.search.count, combinations, until: end)
        if let race = cut.race { shard.found.add(race.lasting, of: shard.search) }
        guard let pieces = cut.pieces else {
            try keep(shard)
            return shard
        }
        shard.pieces = pieces.count
        let own = stride(from: shard.number - 1, to: pieces.count, by: shard.search.count).filter { $0 >= shard.next }
        // There may be fewer pieces than shards.
        if own.isEmpty { shard.next = pieces.count }
        var kept = clock.now
        for index in own where !shard.isDone {
            var exploring = proving(options, combination: pieces[index].combination)
            exploring.strategy = ExhaustiveSearch(.reported(mailbox), in: pieces[index].piece)
            // The first is first in, first out, and so not of the piece.
            exploring.part.runs = 1..<Int.max
            if let end {
                guard clock.now < end else { break }
                exploring.timeLimit = end - clock.now
            }
            let found = try await explore(exploring, body: body.run)
            // A piece has a run at least: without one it was not searched.
            let isWhole = !found.wasEnded && found.runs > 0 && end.map { clock.now < $0 } ?? true
            guard isWhole || found.failure != nil else { break }
            shard.found.add(found.lasting, of: shard.search)
            shard.next = min(index + shard.search.count, pieces.count)
            if clock.now - kept >= slice {
                try keep(shard)
                kept = clock.now
            }
        }
        try keep(shard)
        return shard
    }

    /// A piece of a proof: the part of the search of one combination of times.
    private struct ProofPiece {
        let combination: Int
        let piece: SearchPiece
    }

    /// How many pieces there are to be, at least, for a number of shards: several for each, because some are much larger than others, but not so
    /// many that to find them takes long.
    private static func pieces(for shards: Int) -> Int { shards == 1 ? 1 : max(shards, min(8 * shards, 4_096)) }

    /// Cuts a proof into pieces, which are the same on every machine.
    /// - Returns: The pieces; `nil` if it was ended before. The race, if one was found by that.
    private func cut(
        _ options: Options,
        _ shards: Int,
        _ combinations: Int,
        until end: ContinuousClock.Instant?
    ) async throws -> (pieces: [ProofPiece]?, race: Exploration?) {
        let each = (Self.pieces(for: shards) + combinations - 1) / combinations
        let isAskedToEnd = { @Sendable in options.isAskedToEnd() || end.map { .now >= $0 } ?? false }
        let search = ExhaustiveSearch(.reported(mailbox))
        var pieces: [ProofPiece] = []
        for combination in 0..<combinations {
            guard each > 1 else {
                pieces.append(ProofPiece(combination: combination, piece: SearchPiece()))
                continue
            }
            if options.jobs > 0 {
                // What traps would end this process.
                var exploring = proving(options, combination: combination)
                exploring.strategy = SearchCut(search, into: each)
                exploring.isAskedToEnd = isAskedToEnd
                let tried = try await explore(exploring, body: body.run)
                if tried.failure != nil { return (nil, tried) }
            }
            let cut = try await withExplorationRunner(settings(options.granularity), body: body.run) { runner in
                runner.pieces(
                    of: search,
                    atLeast: each,
                    seed: DrawnTimes.seed(combination),
                    isAskedToEnd: isAskedToEnd
                )
            }
            guard let cut else { return (nil, nil) }
            pieces += cut.map { ProofPiece(combination: combination, piece: $0) }
        }
        return (pieces, nil)
    }
}
