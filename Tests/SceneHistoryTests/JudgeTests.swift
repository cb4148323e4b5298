import Basics
import Foundation
import SceneHistory
import SceneManifest
import SceneModel
import SceneRouting
import StrictJSON
import Testing

/// How good the judge is: histories of real hosts are falsified in every way, and it has to notice.
///
/// `TEST_JUDGE` says how many records of each kind are falsified in each history, `TEST_JUDGE_PAGE` writes the table of the
/// contract. With `TEST_JUDGE_SHARD=K/N` every N-th falsification from the K-th on is judged, and the scores are written to
/// `TEST_JUDGE_FILE`; with `TEST_JUDGE_MERGED` those of all shards are read from that folder.
@Suite(.timeLimit(.minutes(15))) struct JudgeTests {
    private static let perKind = environment("TEST_JUDGE").flatMap(Int.init) ?? 2

    private struct Score: Codable, Equatable {
        var tried = 0
        /// By the records alone.
        var noticed = 0
        /// Only with the app's manifest.
        var noticedByModel = 0
        /// Not noticed, of a field that the contract lists as not always judged.
        var listed = 0
        var unnoticed: Int { tried - noticed - noticedByModel }

        mutating func add(_ other: Score) {
            tried += other.tried
            noticed += other.noticed
            noticedByModel += other.noticedByModel
            listed += other.listed
        }
    }

    /// The scores by what was changed, and for each an example of what was not noticed.
    private struct Scores: Codable {
        var all: [Falsification.Way: [String: Score]] = [:]
        var examples: [String: String] = [:]
        /// How many falsifications there were, also of other shards.
        var turns = 0

        mutating func add(_ other: Scores) {
            all.merge(other.all) { one, other in
                one.merging(other) { one, other in
                    var sum = one
                    sum.add(other)
                    return sum
                }
            }
            examples.merge(other.examples) { one, _ in one }
        }
    }

    private typealias History = (app: AppManifest, records: [JSONObject])

    /// The scores of one shard.
    private static func scores(
        _ histories: [History],
        shard number: Int,
        of count: Int,
        perKind: Int
    ) throws -> Scores {
        var scores = Scores()
        for (index, (manifest, records)) in histories.enumerated() {
            var random = SplitMix(seed: UInt64(index))
            try Self.judge(records, AppModel(manifest), &scores, &random, perKind) { $0 % count == number - 1 }
        }
        return scores
    }

    @Test func `what shards find together is what one finds`() async throws {
        let histories = Array(try await Self.histories().prefix(3))
        let whole = try Self.scores(histories, shard: 1, of: 1, perKind: 1)
        var sum = Scores()
        for number in 1...3 { sum.add(try Self.scores(histories, shard: number, of: 3, perKind: 1)) }
        #expect(sum.all == whole.all && whole.turns > 500)
    }

    @Test func `a falsified history is noticed, but for what the contract lists`() async throws {
        if let shard = Self.environment("TEST_JUDGE_SHARD"), let file = Self.environment("TEST_JUDGE_FILE") {
            let parts = shard.split(separator: "/").compactMap { Int($0) }
            try #require(parts.count == 2, "TEST_JUDGE_SHARD=\(shard): expected K/N")
            let histories = try await Self.histories()
            let scores = try Self.scores(histories, shard: parts[0], of: parts[1], perKind: Self.perKind)
            return try JSONEncoder().encode(scores).write(to: URL(filePath: file))
        }
        var scores = Scores()
        if let folder = Self.environment("TEST_JUDGE_MERGED") {
            for file in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
                let bytes = try Data(contentsOf: URL(filePath: folder).appending(path: file))
                scores.add(try JSONDecoder().decode(Scores.self, from: bytes))
            }
        } else {
            scores = try Self.scores(try await Self.histories(), shard: 1, of: 1, perKind: Self.perKind)
        }
        let free = try Self.fields(under: "## What is not always judged")
        let modelled = try Self.fields(under: "## What is always judged with the manifest")
        for way in Falsification.Way.allCases {
            for (what, score) in scores.all[way, default: [:]] {
                if free.contains(what) { scores.all[way]?[what]?.listed = score.unnoticed }
                if modelled.contains(what) { #expect(score.unnoticed == 0, "\(what)") }
            }
            for (what, score) in scores.all[way, default: [:]].sorted(by: { $0.key < $1.key })
            where score.listed < score.unnoticed {
                print(
                    "\(what): noticed \(score.tried - score.unnoticed) of \(score.tried); not \(scores.examples[what] ?? "")"
                )
            }
        }
        let sums = Falsification.Way.allCases.map { way in
            scores.all[way, default: [:]].values.reduce(into: Score()) { $0.add($1) }
        }
        for (way, sum) in zip(Falsification.Way.allCases, sums) {
            #expect(sum.tried > ([.kept, .unknown].contains(way) ? 8 : 100), "\(way.rawValue)")
            // A sweep may come later than it did, and what comes before it may remove the same; there are few of these.
            let most = way == .kept ? 10 : 4
            #expect((sum.unnoticed - sum.listed) * 100 <= sum.tried * most, "\(way.rawValue): \(sum)")
        }
        // Few changes of one field say nothing, and a few are not false.
        var blind: [String] = []
        for (what, score) in scores.all.values.joined() {
            let judged = score.tried - score.unnoticed + score.listed
            if score.tried >= 8, judged * 5 < score.tried * 2 { blind.append(what) }
        }
        #expect(blind.sorted() == [], "neither judged nor listed")
        // A kind that never came was not tried.
        let kinds = Set(scores.all.values.flatMap { $0.keys.compactMap { $0.split(separator: " ").first } })
        #expect(kinds.count >= 19, "\(kinds.sorted())")
        if Self.environment("TEST_JUDGE_PAGE") != nil { try Self.write(sums) }
    }

    // MARK: - The page of the contract

    private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/SceneRuntime/SceneRuntime.docc/Invariants.md")
    private static let head =
        "| change | tried | noticed by the records alone | only with the manifest | not noticed, listed below | not noticed |"

    /// The fields that the contract lists in the table under this heading.
    private static func fields(under heading: String) throws -> Set<String> {
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        var free: Set<String> = []
        let section = lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("#") }
        for line in section where line.hasPrefix("| `") {
            let cells = line.split(separator: "|")
            guard cells.count > 1 else { continue }
            let kind = cells[0].filter { $0 != "`" && $0 != " " }
            for field in cells[1].split(separator: ",") {
                free.insert("\(kind) \(field.filter { $0 != "`" && $0 != " " })")
            }
        }
        #expect(!free.isEmpty)
        return free
    }

    private static func write(_ sums: [Score]) throws {
        var all = Score()
        for sum in sums { all.add(sum) }
        let rows = (zip(Falsification.Way.allCases.map(\.rawValue), sums) + [("all", all)]).map { name, sum in
            "| \(name) | \(sum.tried) | \(share(sum.noticed, sum.tried)) | \(share(sum.noticedByModel, sum.tried)) | "
                + "\(share(sum.listed, sum.tried)) | \(share(sum.unnoticed - sum.listed, sum.tried)) |"
        }
        var lines = try String(contentsOf: page, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let start = try #require(lines.firstIndex { $0 == head })
        let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
        lines.replaceSubrange(
            start..<end,
            with: ([head, "|---|---:|---:|---:|---:|---:|"] + rows).map { Substring($0) }
        )
        try lines.joined(separator: "\n").write(to: page, atomically: true, encoding: .utf8)
    }

    private static func share(_ part: Int, _ whole: Int) -> String {
        let tenths = whole == 0 ? 0 : (part * 1_000 + whole / 2) / whole
        return "\(tenths / 10).\(tenths % 10) %"
    }

    private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    // MARK: - Falsified histories

    private static func histories() async throws -> [History] {
        var all: [History] = []
        for (seed, manifest) in [
            (1, try AppManifest.builtInShop()), (2, try AppManifest.builtInShop()),
            (3, try RandomWalkTests.app("login-first")), (4, try RandomWalkTests.app("club")),
            (5, try RandomWalkTests.app("offers")),
            (6, try RandomWalkTests.app("vault")),
            // It has a fallback.
            (7, try RandomWalkTests.app("bank")),
        ] {
            var walk = try RandomWalk(seed: UInt64(seed), manifest: manifest, keeps: true)
            try await walk.go(steps: 250)
            all.append((manifest, walk.records))
        }
        for seed in UInt64(21)...22 {
            var host = try RandomHost(seed: seed)
            host.actions = 20
            all.append((host.manifest, try await host.run()))
        }
        return all
    }

    /// Falsifies some records of each kind in every way.
    /// - Parameters:
    ///   - perKind: How many of each kind.
    ///   - isOwn: Whether a falsification, counted from 0 over all histories, is judged here.
    private static func judge(
        _ objects: [JSONObject],
        _ app: AppModel,
        _ scores: inout Scores,
        _ random: inout SplitMix,
        _ perKind: Int,
        _ isOwn: (Int) -> Bool
    ) throws {
        let records = try objects.map { try HistoryRecord($0) }
        let fields = HistoryFields(of: objects)
        var places: [String: [Int]] = [:]
        for (place, object) in objects.enumerated() {
            places[object["kind"]?.stringValue ?? "", default: []].append(place)
        }
        var falsifications: [Int: [Falsification]] = [:]
        for (_, places) in places.sorted(by: { $0.key < $1.key }) {
            for place in Set((0..<perKind).map { _ in random.pick(places) }).sorted() {
                let all = Falsification.all(of: objects, at: place, fields, &random)
                for one in all + Falsification.exchanged(in: objects, at: place) {
                    falsifications[one.places.lowerBound, default: []].append(one)
                }
            }
        }
        for one in objects.indices.compactMap({ Falsification.kept(in: objects, at: $0) }) {
            falsifications[one.places.lowerBound, default: []].append(one)
        }
        var checker = HistoryChecker()
        var model = HistoryChecker(apps: [app])
        for (place, record) in records.enumerated() {
            for one in falsifications[place] ?? [] {
                scores.turns += 1
                guard isOwn(scores.turns - 1) else { continue }
                var isNoticed = isNoticed(one, checker, records)
                scores.all[one.way, default: [:]][one.what, default: Score()].tried += 1
                scores.all[one.way]?[one.what]?.noticed += isNoticed ? 1 : 0
                if !isNoticed, Self.isNoticed(one, model, records) {
                    scores.all[one.way]?[one.what]?.noticedByModel += 1
                    isNoticed = true
                }
                if !isNoticed {
                    scores.examples[one.what] = objects[one.places].map(\.summary).joined(separator: ", ")
                }
            }
            checker.check(record)
            model.check(record)
        }
        let report = model.finish()
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    private static func isNoticed(
        _ falsification: Falsification,
        _ before: HistoryChecker,
        _ records: [HistoryRecord]
    ) -> Bool {
        var checker = before
        for object in falsification.records {
            // A record that cannot be read is reported.
            guard let record = try? HistoryRecord(object) else { return true }
            checker.check(record)
        }
        let shift = falsification.records.count - falsification.places.count
        for var record in records[falsification.places.upperBound...] {
            if checker.violationCount > 0 { return true }
            record.index += shift
            checker.check(record)
        }
        return checker.finish().conclusion != .holds
    }
}

extension JSONObject {
    /// The record in a few words, for a person.
    fileprivate var summary: String {
        let words = ["kind", "scene", "ticket", "revision", "outcome", "reason", "flow"].compactMap { self[$0]?.text() }
        return words.joined(separator: " ").replacing("\"", with: "")
    }
}
