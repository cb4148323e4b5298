internal import Basics
internal import Interleaving
internal import StrictJSON

extension RaceShard {
    /// The value of the file's first member, which distinguishes it from other JSON.
    static let format = "scened-race-shard"
    /// The version that is written, and the only one that is read.
    package static let version = 1

    /// The file, as UTF-8.
    package var bytes: [UInt8] {
        var object: JSONObject = [
            "format": .string(Self.format), "version": .integer(Self.version),
            "scenario": .string(search.scenario), "app": search.app.map { .string($0) } ?? .null,
            "contents": .string(search.contents), "program": .string(search.program),
            "seed": .string(String(search.seed)), "strategy": .string(search.strategy),
            "mailbox": .string(search.mailbox.rawValue), "granularity": .string(search.granularity.rawValue),
            "iterations": search.iterations.map { .integer($0) } ?? .null, "shards": .integer(search.count),
            "shard": .integer(number), "next": .integer(next), "pieces": pieces.map { .integer($0) } ?? .null,
            "found": found.json,
        ]
        object[Self.digest] = .string(Self.text(of: object).digest)
        return Self.text(of: object) + [UInt8(ascii: "\n")]
    }

    /// The name of the last member: a digest of all others, because numbers that somebody changed would be added up like others.
    private static let digest = "digest"

    private static func text(of object: JSONObject) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONValue.object(object).write(to: &bytes, layout: .compact)
        return bytes
    }

    /// Reads a file.
    /// - Throws: ``ShardFileError``, which says what is wrong and where.
    package init(parsing bytes: [UInt8]) throws(ShardFileError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw ShardFileError(
                text:
                    "it is not a shard's file: line \(error.line), column \(error.column): it is not JSON: \(error.reason)"
            )
        }
        do throws(JSONFieldError) {
            try self.init(JSONReader(value))
        } catch {
            let isOne = value["format"] == .string(Self.format)
            throw ShardFileError(text: isOne ? "\(error)" : "it is not a shard's file: \(error)")
        }
    }

    private static func requireUnchanged(_ file: JSONReader) throws(JSONFieldError) {
        let digest = try file[Self.digest]
        let members = file.value?.objectValue ?? JSONObject()
        let others = members.keys.filter { $0 != Self.digest }.compactMap { key in members[key].map { (key, $0) } }
        guard try digest.text() == Self.text(of: JSONObject(others)).digest else {
            throw digest.error("the file as it was written; it was changed since, or damaged: make the shard again")
        }
    }

    private init(_ file: JSONReader) throws(JSONFieldError) {
        try file.requireFormat(Self.format, version: Self.version)
        let seed = try file["seed"]
        guard let number = UInt64(try seed.text()) else { throw seed.error("number from 0 to 2^64-1, as a string") }
        let count = try file["shards"].integer(from: 1, to: Search.maxCount)
        let search = Search(
            scenario: try file["scenario"].text(),
            app: try file.optional("app")?.text(),
            contents: try file["contents"].text(),
            program: try file["program"].text(),
            seed: number,
            strategy: try file["strategy"].text(),
            mailbox: try file["mailbox"].choice(),
            granularity: try file["granularity"].choice(),
            iterations: try file.optional("iterations")?.integer(from: 1, to: Search.maxIterations),
            count: count
        )
        let found = try file["found"]
        guard let exploration = Exploration(json: found.value ?? .null), exploration.isPossible(in: search) else {
            throw found.error("what a shard has found, as it was written")
        }
        let place = try file["shard"].integer(from: 1, to: count)
        let pieces = try file.optional("pieces")?.integer(from: 0, to: Search.maxPieces)
        let next = try file["next"].integer(from: 0, to: search.iterations ?? Search.maxPieces)
        try Self.requireUnchanged(file)
        self.init(place, of: search, next: next, pieces: pieces, found: exploration)
    }
}

extension Exploration {
    /// Whether no number is out of the range that a shard of a search can have: they are added up.
    fileprivate func isPossible(in search: RaceShard.Search) -> Bool {
        let (some, numbers) = (0...search.most, 0..<search.most)
        return some ~= runs && some ~= failures && failedRuns.allSatisfy { numbers ~= $0 }
            && coverage.map { some ~= $0.runs && some ~= $0.failures } ?? true
            && some ~= ends.others && ends.all.allSatisfy { some ~= $0.runs && numbers ~= $0.example }
    }
}

/// What is wrong with a shard's file.
package struct ShardFileError: Error, CustomStringConvertible {
    let text: String

    package var description: String { text }
}
