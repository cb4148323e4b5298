package import Interleaving

/// What one of several machines has found of a search: of seven shards, each makes every seventh run, or searches every seventh piece of a
/// proof.
///
/// A run follows from the seed of the search and its number, whichever machine makes it, and every machine cuts a proof into the same pieces. So
/// all shards together find what one machine would find.
package struct RaceShard: Sendable {
    /// What all shards of a search have in common.
    package struct Search: Hashable, Sendable {
        /// The scenario as it was named: a name, or the path of a file.
        package var scenario: String
        /// The app as it was named, if the scenario was run in another one than it names itself.
        package var app: String?
        /// The digest of what the scenario and its app say.
        package var contents: String
        /// The digest of the program that searches.
        package var program: String
        package var seed: UInt64
        /// The strategy, by its name; that of a proof is `exhaustive-reported`.
        package var strategy: String
        package var mailbox: MailboxPolicy
        package var granularity: SimulationSettings.Granularity
        /// How many runs all shards make together, 1 to ``maxIterations``; `nil` for a proof, which makes as many as there are classes.
        package var iterations: Int?
        /// How many shards there are, 1 to ``maxCount``.
        package var count: Int

        /// More than anybody makes; what so many shards say of that can be added up.
        package static let maxIterations = 1 << 45
        /// The most shards.
        package static let maxCount = 100_000
        /// The most pieces that a proof is cut into, and more.
        static let maxPieces = 1 << 30

        package init(
            scenario: String,
            app: String?,
            contents: String,
            program: String,
            seed: UInt64,
            strategy: String,
            mailbox: MailboxPolicy,
            granularity: SimulationSettings.Granularity,
            iterations: Int?,
            count: Int
        ) {
            self.scenario = scenario
            self.app = app
            self.contents = contents
            self.program = program
            self.seed = seed
            self.strategy = strategy
            self.mailbox = mailbox
            self.granularity = granularity
            self.iterations = iterations
            self.count = count
        }

        private static func file(_ path: String) -> Substring? { path.split(separator: "/").last }

        /// Whether it is a proof: each class of orders is run.
        package var proves: Bool { iterations == nil }

        /// The most runs that it can have.
        var most: Int { iterations ?? Self.maxIterations }

        /// What differs in another search, such as `seed 4 instead of 3`; `nil` if nothing does.
        package func difference(from other: Search) -> String? {
            func differ<Value: Equatable>(_ name: String, _ path: KeyPath<Search, Value>) -> String? {
                self[keyPath: path] == other[keyPath: path]
                    ? nil : "\(name) \(self[keyPath: path]) instead of \(other[keyPath: path])"
            }
            // The same file may be elsewhere on another machine.
            if Self.file(scenario) != Self.file(other.scenario) {
                return "scenario \(scenario) instead of \(other.scenario)"
            }
            if app != other.app { return "app \(app ?? "of its own") instead of \(other.app ?? "its own")" }
            if contents != other.contents { return "another text of '\(scenario)' or its app" }
            if program != other.program { return "another build of the program" }
            if proves != other.proves { return proves ? "a proof instead of none" : "no proof instead of one" }
            return differ("seed", \.seed) ?? differ("strategy", \.strategy) ?? differ("iterations", \.most)
                ?? differ("mailbox", \.mailbox.rawValue) ?? differ("granularity", \.granularity.rawValue)
                ?? differ("shards", \.count)
        }
    }

    package let search: Search
    /// Which shard it is, from 1.
    package let number: Int
    /// The first run of the search, or piece of the proof, that was not made by this shard, up to ``total``.
    package internal(set) var next = 0
    /// How many pieces a proof has; `nil` as long as that is not known.
    package internal(set) var pieces: Int?
    /// What the runs or pieces before ``next`` found.
    package internal(set) var found: Exploration

    /// A shard that has made no run.
    package init(_ number: Int, of search: Search) {
        self.search = search
        self.number = number
        found = Exploration(seed: search.seed)
    }

    init(_ number: Int, of search: Search, next: Int, pieces: Int?, found: Exploration) {
        (self.number, self.search, self.next, self.pieces, self.found) = (number, search, next, pieces, found)
    }

    /// How many runs or pieces all shards make together; `nil` if that is not known yet.
    private var total: Int? { search.iterations ?? pieces }

    /// Whether it has made all of its runs or pieces. A proof is over when something goes wrong.
    package var isDone: Bool { total.map { next >= $0 } ?? false || search.proves && found.failures > 0 }

    /// How many runs or pieces it makes in all; `nil` if that is not known yet.
    package var size: Int? { total.map { ($0 - number + search.count) / search.count } }

    /// How many of them it has made.
    package var made: Int { (min(next, total ?? next) - number + search.count) / search.count }

    /// What helps a shard of a proof that ran out of time before it had searched one more piece to its end, as a sentence; `nil` if it came
    /// further, or is done. It would be where it was as often as it is started again.
    /// - Parameter earlier: The shard as it was when that began.
    package func advice(since earlier: RaceShard) -> String? {
        guard search.proves, !isDone, made == earlier.made else { return nil }
        return pieces == nil
            ? "the proof was not cut into pieces in this time; give more."
            : "no piece was searched to its end in this time; give more, or more shards, which make smaller pieces."
    }
}

/// The shards of a search together.
package struct MergedShards: Sendable {
    package let search: RaceShard.Search
    /// What they found.
    package private(set) var found: Exploration
    /// The shards that are missing, in ascending order, from 1.
    package private(set) var missing: [Int]
    /// The shards that have not made all of their runs, in ascending order.
    package private(set) var unfinished: [Int] = []

    /// Whether all runs of the search, or all pieces of the proof, were made.
    package var isWhole: Bool { missing.isEmpty && unfinished.isEmpty }

    /// Adds shards up, in any order.
    /// - Parameter shards: Each with the name of its file; at least one.
    /// - Throws: Which do not fit together.
    package init(_ shards: [(file: String, shard: RaceShard)]) throws(ShardMismatch) {
        guard let first = shards.first else { throw ShardMismatch(text: "there are no shards") }
        search = first.shard.search
        found = Exploration(seed: search.seed)
        var files: [Int: String] = [:]
        var pieces: Int?
        for (file, shard) in shards.sorted(by: { $0.shard.number < $1.shard.number }) {
            if let difference = shard.search.difference(from: search) {
                throw ShardMismatch(text: "\(file) is of another search than \(first.file): \(difference)")
            }
            if let other = files.updateValue(file, forKey: shard.number) {
                throw ShardMismatch(text: "\(other) and \(file) are both shard \(shard.number) of \(search.count)")
            }
            if let cut = shard.pieces, cut != pieces ?? cut {
                throw ShardMismatch(text: "\(file) has \(cut) pieces, another shard \(pieces ?? 0)")
            }
            pieces = pieces ?? shard.pieces
            if !shard.isDone { unfinished.append(shard.number) }
            found.add(shard.found, of: search)
        }
        missing = (1...search.count).filter { files[$0] == nil }
    }
}

/// Shards that are not of one search.
package struct ShardMismatch: Error, Hashable {
    /// Which, and what differs.
    package let text: String
}

extension Exploration {
    /// Adds other runs of a search, or other pieces of a proof.
    mutating func add(_ other: Exploration, of search: RaceShard.Search) {
        guard search.proves else { return merge(other) }
        // There may be fewer pieces than shards.
        guard other.runs > 0 else { return }
        if runs == 0 { self = other } else { join(other) }
    }
}
