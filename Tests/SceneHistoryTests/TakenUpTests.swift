import Basics
import SceneHistory
import SceneManifest
import SceneModel
import SceneRouting
import StrictJSON
import Testing

/// A history of which records are missing is judged again from the next snapshot on.
@Suite(.timeLimit(.minutes(15))) struct TakenUpTests {
    /// Histories of random hosts, with snapshots in them.
    private static func histories(_ seeds: ClosedRange<UInt64>) async throws -> [(AppManifest, [JSONObject])] {
        var all: [(AppManifest, [JSONObject])] = []
        for seed in seeds {
            for manifest in [
                try .builtInShop(), try RandomWalkTests.app("login-first"), try RandomWalkTests.app("club"),
                try RandomWalkTests.app("offers"),
            ] {
                var walk = try RandomWalk(seed: seed, manifest: manifest, users: 3, keeps: true)
                try await walk.go(steps: 200)
                all.append((manifest, walk.records))
            }
            var host = try RandomHost(seed: seed)
            host.actions = 30
            all.append((host.manifest, try await host.run()))
        }
        return all
    }

    private static func check(_ records: some Sequence<JSONObject>, _ manifest: AppManifest) throws -> HostReport {
        var checker = HistoryChecker(apps: [AppModel(manifest)])
        for record in records { checker.check(try HistoryRecord(record)) }
        return try #require(checker.finish().hosts.first)
    }

    @Test func `a true history is not called false wherever it is taken up, and most of it is judged`() async throws {
        var tried = 0
        for (number, (manifest, records)) in try await Self.histories(1...3).enumerated() {
            #expect(try Self.check(records, manifest).unjudged == 0)
            var random = SplitMix(seed: UInt64(number))
            for _ in 0..<12 {
                // The beginning is missing, or a stretch in the middle.
                let end = 1 + random.below(records.count)
                let start = Bool.random(using: &random) ? 0 : random.below(end)
                let report = try Self.check(records[..<start] + records[end...], manifest)
                guard end < records.count else { continue }
                for verdict in report.verdicts {
                    guard case .violated(let violations, _) = verdict.verdict else { continue }
                    Issue.record("history \(number) without \(start)..<\(end), \(verdict.invariant): \(violations)")
                }
                let next = records[end...].firstIndex { $0["kind"] == "host.snapshot" } ?? records.count
                #expect(report.unjudged >= next - end)
                tried += 1
            }
        }
        #expect(tried > 90)
    }

    @Test func `what is false after it is noticed as if nothing were missing`() async throws {
        var (noticed, both) = (0, 0)
        for (number, (manifest, objects)) in try await Self.histories(4...5).enumerated() {
            var random = SplitMix(seed: UInt64(number))
            let records = try objects.map { try HistoryRecord($0) }
            let fields = HistoryFields(of: objects)
            // With the second round of snapshots every scene has made one.
            let cut = 1 + random.below(50)
            let known = try #require(
                objects.indices.filter { $0 > cut && objects[$0]["kind"] == "host.snapshot" }.dropFirst().first
            )
            var falsifications: [Int: [Falsification]] = [:]
            for _ in 0..<25 {
                let place = known + random.below(objects.count - known - 1)
                for one in Falsification.all(of: objects, at: place, fields, &random).shuffled(using: &random).prefix(8)
                where one.places.lowerBound > known {
                    falsifications[one.places.lowerBound, default: []].append(one)
                }
            }
            var whole = HistoryChecker(apps: [AppModel(manifest)])
            var taken = whole
            for (place, record) in records.enumerated() {
                for one in falsifications[place] ?? [] where one.isViolation(for: whole, records) {
                    noticed += 1
                    both += one.isViolation(for: taken, records) ? 1 : 0
                }
                whole.check(record)
                if place >= cut { taken.check(record) }
            }
        }
        #expect(noticed > 300)
        #expect(both * 100 >= noticed * 98, "\(both) of \(noticed)")
    }
}

extension Falsification {
    /// Whether a checker that has seen the records before it finds it false.
    fileprivate func isViolation(for before: HistoryChecker, _ all: [HistoryRecord]) -> Bool {
        var checker = before
        for object in records {
            guard let record = try? HistoryRecord(object) else { return false }
            checker.check(record)
        }
        for var record in all[places.upperBound...] {
            if checker.violationCount > 0 { return true }
            record.index += records.count - places.count
            checker.check(record)
        }
        return checker.violationCount > 0
    }
}
