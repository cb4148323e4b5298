import Basics
import SceneHistory
import SceneManifest
import SceneModel
import SceneRouting
import StrictJSON
import Testing

/// A host that goes on after its end is believed if it goes on as it was, and only then.
@Suite(.timeLimit(.minutes(15))) struct RestartTests {
    private typealias History = (app: AppManifest, records: [JSONObject])

    /// Histories of random hosts.
    private static func histories(_ seeds: ClosedRange<UInt64>) async throws -> [History] {
        var all: [History] = []
        for seed in seeds {
            for app in ["shop", "login-first", "club", "vault", "windows", "offers", "bank"] {
                let manifest = try app == "shop" ? .builtInShop() : RandomWalkTests.app(app)
                var walk = try RandomWalk(seed: seed, manifest: manifest, users: 3, keeps: true)
                try await walk.go(steps: 130)
                all.append((manifest, walk.records))
            }
            for policy in [Policies.WhileGated.supersede, .queue] {
                var host = try RandomHost(seed: seed, whileGated: policy)
                host.actions = 25
                all.append((host.manifest, try await host.run()))
            }
        }
        return all
    }

    /// The records with the indices that follow after `last`, and with no time before `time`.
    private static func numbered(_ records: some Sequence<JSONObject>, after last: Int, time: JSONValue?)
        -> [JSONObject]
    {
        records.enumerated().map { place, record in
            var record = record
            record["index"] = .integer(last + place + 1)
            if record["monotonic"]?.integerValue ?? 0 < time?.integerValue ?? 0 { record["monotonic"] = time }
            return record
        }
    }

    private static func check(_ records: some Sequence<JSONObject>, _ checker: inout HistoryChecker) throws {
        for record in records { checker.check(try HistoryRecord(record)) }
    }

    @Test func `a host may end after any record and go on`() async throws {
        var (ended, wentOn, committed) = (0, 0, 0)
        for (number, (manifest, records)) in try await Self.histories(1...2).enumerated() {
            var random = SplitMix(seed: UInt64(number))
            var model = RestartModel()
            var judges = [HistoryChecker(), HistoryChecker(apps: [AppModel(manifest)])]
            for (place, record) in records.enumerated() {
                model.apply(record)
                for judge in judges.indices { judges[judge].check(try HistoryRecord(record)) }
                guard model.mayEnd else { continue }
                ended += 1
                let time = record["monotonic"]
                let rest = records[(place + 1)...]
                // What screens need may be otherwise by the newest session, which only the manifest tells.
                let checker = judges[model.isSteady(before: rest) ? 1 : 0]
                var cut = checker
                let restart = Self.numbered(model.restart(before: rest), after: place + 1, time: time)
                try Self.check(restart, &cut)
                // It may end once more at once.
                if random.below(4) == 0 {
                    try Self.check(Self.numbered(restart, after: place + 1 + restart.count, time: time), &cut)
                }
                if cut.violationCount > 0 {
                    Issue.record("history \(number) cut after record \(place + 1): \(cut.finish().text)")
                    break
                }
                let commit = model.ownCommit
                guard commit != nil || random.below(40) == 0, let again = model.again(before: rest) else { continue }
                wentOn += 1
                if var commit {
                    committed += 1
                    // Once more it changes nothing.
                    commit["revision"] = .integer((commit["revision"]?.integerValue ?? 0) + 1)
                    commit["facts"] = [:]
                    var twice = judges[1]
                    try Self.check(Self.numbered(restart + again + [commit], after: place + 1, time: time), &twice)
                    let violated = twice.finish().violated
                    #expect(!violated.isDisjoint(with: [.continuity, .agreement]), "history \(number), \(place + 1)")
                }
                var onward = checker
                let later = restart + again + rest.map(model.shifted)
                try Self.check(Self.numbered(later, after: place + 1, time: time), &onward)
                let report = onward.finish()
                if report.conclusion != .holds {
                    Issue.record("history \(number) went on after record \(place + 1): \(report.text)")
                    break
                }
            }
        }
        #expect(ended > 8_000 && wentOn > 120 && committed > 20, "\(ended), \(wentOn), \(committed)")
    }

    @Test func `a host that goes on in any other way is noticed`() async throws {
        var told: [String: Int] = [:]
        for (number, (manifest, records)) in try await Self.histories(3...3).enumerated() {
            var random = SplitMix(seed: UInt64(number))
            var model = RestartModel()
            var judges = [HistoryChecker(), HistoryChecker(apps: [AppModel(manifest)])]
            for (place, record) in records.enumerated() {
                model.apply(record)
                for judge in judges.indices { judges[judge].check(try HistoryRecord(record)) }
                guard model.mayEnd, random.below(model.isCrowded ? 6 : 40) == 0 else { continue }
                let rest = records[(place + 1)...]
                let restart = model.restart(before: rest)
                for lie in RestartLie.all {
                    guard var records = lie.tell(restart, model, &random) else { continue }
                    // What is owed is missed once the host is quiet.
                    records.append([
                        "host": record["host"] ?? nil, "kind": "host.quiet", "monotonic": .integer(1 << 60),
                    ])
                    let shifted = records.enumerated().map { index, record in
                        var record = record
                        record["index"] = .integer(place + 2 + index)
                        return record
                    }
                    var checker = judges[0]
                    try Self.check(shifted, &checker)
                    told[lie.description, default: 0] += 1
                    let isNoticed = checker.finish().violated.contains { [.continuity, .coordinators].contains($0) }
                    if !isNoticed { Issue.record("history \(number) after record \(place + 1): \(lie)") }
                }
            }
        }
        for lie in RestartLie.all { #expect(told[lie.description, default: 0] > 0, "\(lie)") }
    }
}
