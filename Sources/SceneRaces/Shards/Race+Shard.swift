internal import Basics
internal import Interleaving

extension Race {
    /// Makes the runs of a shard that it has not made, also after one goes wrong, so that all shards together count what one machine would.
    ///
    /// It makes them in slices of some seconds. Of a slice that is not made to its end, because the time is over or somebody asks for that, the runs
    /// that were made are counted if this process made them, one after the other; whoever goes on with the shard makes the others. Where
    /// several processes share it, each is elsewhere then, so the slice is not counted, and is made again.
    ///
    /// The runs do not depend on the slices, so a shard is the same at its end, however often it was ended meanwhile.
    /// - Parameters:
    ///   - options: As the shard's search says, with the time limit and the number of processes that are wanted here.
    ///   - shard: How far it came before.
    ///   - slice: How long a slice should take.
    ///   - keep: Called after each slice, and at the end, to write the shard to its file.
    /// - Returns: How far it came.
    /// - Throws: `ExplorationError` if this process cannot be explored, and what `keep` throws.
    package func search(
        _ options: Options,
        _ shard: RaceShard,
        every slice: Duration = .seconds(5),
        keep: (RaceShard) throws -> Void
    ) async throws -> RaceShard {
        var (options, shard) = (options, shard)
        guard let iterations = shard.search.iterations else {
            return try await prove(options, shard, every: slice, keep: keep)
        }
        options.iterations = iterations
        options.seed = shard.search.seed
        options.countsEnds = true
        var exploring = exploring(options)
        exploring.continuesAfterFailure = true
        let clock = ContinuousClock()
        let end = options.timeLimit.map { clock.now + $0 }
        var size = Self.firstSlice
        while !shard.isDone, !options.isAskedToEnd() {
            let begin = clock.now
            if let end {
                guard begin < end else { break }
                exploring.timeLimit = end - begin
            }
            var part = ExplorationPart(index: shard.number - 1, count: shard.search.count)
            let next = shard.next
            let bound = (iterations - next) / part.count < size ? iterations : next + size * part.count
            part.runs = next..<bound
            exploring.part = part
            let found = try await explore(exploring, body: body.run)
            let own = (bound - next - part.index + part.count - 1) / part.count
            let isWhole = found.runs == own || !found.wasEnded && end.map { clock.now < $0 } ?? true
            guard isWhole || options.jobs == 0 && found.runs > 0 else { break }
            shard.found.merge(found.lasting)
            shard.next = isWhole ? bound : next + found.runs * part.count
            try keep(shard)
            guard isWhole else { break }
            // A slice takes about as long as somebody would like to lose.
            let took = max(clock.now - begin, .milliseconds(1))
            size = Int(min(max(Double(size) * (slice / took), 1), Double(size) * 4))
        }
        return shard
    }

    /// How many runs the first slice has.
    private static let firstSlice = 64

    /// What the shards of a search, or of a proof, found together; the race is made small if asked.
    package func report(_ options: Options, _ merged: MergedShards) async throws -> RaceReport {
        guard merged.search.proves else { return try await report(options, merged.found, survey: merged.found) }
        guard let combinations = DrawnTimes(scenario).combinations else { throw TooManyTimes() }
        var found = merged.found
        if !merged.isWhole, found.failure == nil {
            found.conclude("not complete: not every shard is done", isComplete: false, after: .zero)
        }
        conclude(&found, combinations, where: "", after: .zero)
        var report = try await report(options, found, survey: found, by: .exhaustiveReported)
        report.proof = proof(options, combinations)
        return report
    }
}
