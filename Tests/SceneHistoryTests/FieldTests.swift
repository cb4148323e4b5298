import Basics
import Foundation
import SceneHistory
import SceneManifest
import SceneRouting
import StrictJSON
import Testing

/// Whether every field of every kind of record is judged, or listed as not always judged.
@Suite(.timeLimit(.minutes(15))) struct FieldTests {
    /// How often a field was changed, and how often the checker noticed.
    private struct Score {
        var noticed = 0
        var changed = 0
        var example = ""
    }

    @Test func `every field is judged, or the contract says that it is not always`() async throws {
        var scores: [String: Score] = [:]
        for (number, records) in try await Self.histories().enumerated() {
            var random = SplitMix(seed: UInt64(number))
            try Self.judge(records, &scores, &random)
        }
        let free = try Self.free()
        for (field, score) in scores.sorted(by: { $0.key < $1.key }) where score.noticed < score.changed {
            let note = free.contains(field) ? "listed" : score.example
            print("\(field): noticed \(score.noticed) of \(score.changed) (\(note))")
        }
        // Few changes of a field say nothing, and a few are not false.
        let blind = scores.filter { $0.value.changed >= 8 && $0.value.noticed * 5 < $0.value.changed * 2 }.keys
        #expect(Set(blind).subtracting(free).sorted() == [], "neither judged nor listed")
        // A kind that never came was not tried.
        let kinds = Set(scores.keys.compactMap { $0.split(separator: " ").first.map(String.init) })
        #expect(kinds.count >= 19, "\(kinds.sorted())")
    }

    /// The fields that the contract lists as not always judged.
    private static func free() throws -> Set<String> {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/SceneRuntime/SceneRuntime.docc/Invariants.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        var free: Set<String> = []
        for line in lines.drop(while: { $0 != "## What is not always judged" }) where line.hasPrefix("| `") {
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

    private static func histories() async throws -> [[JSONObject]] {
        var all: [[JSONObject]] = []
        for (seed, manifest) in [
            (1, try AppManifest.builtInShop()), (2, try AppManifest.builtInShop()),
            (3, try RandomWalkTests.loginFirst()),
        ] {
            var walk = try RandomWalk(seed: UInt64(seed), manifest: manifest, keeps: true)
            try await walk.go(steps: 250)
            all.append(walk.records)
        }
        for seed in UInt64(21)...22 {
            var host = try RandomHost(seed: seed)
            host.actions = 20
            all.append(try await host.run())
        }
        return all
    }

    /// Changes each field of some records of each kind.
    private static func judge(_ objects: [JSONObject], _ scores: inout [String: Score], _ random: inout SplitMix) throws
    {
        let records = try objects.map { try HistoryRecord($0) }
        let values = Fields(of: objects)
        var places: [String: [Int]] = [:]
        for (place, object) in objects.enumerated() {
            places[object["kind"]?.stringValue ?? "", default: []].append(place)
        }
        let chosen = Set(
            places.sorted { $0.key < $1.key }.flatMap { _, places in
                (0..<min(3, places.count)).map { _ in random.pick(places) }
            }
        )
        var checker = HistoryChecker()
        for (place, record) in records.enumerated() {
            if chosen.contains(place) {
                for (field, changed) in values.variants(of: objects[place], &random) {
                    let isNoticed = isNoticed(changed, checker, records[(place + 1)...])
                    scores[field, default: Score()].changed += 1
                    scores[field]?.noticed += isNoticed ? 1 : 0
                    if !isNoticed { scores[field]?.example = "as in record \(place + 1)" }
                }
            }
            checker.check(record)
        }
        let report = checker.finish()
        #expect(report.conclusion == .holds, "\(report.text)")
    }

    private static func isNoticed(_ object: JSONObject, _ before: HistoryChecker, _ rest: ArraySlice<HistoryRecord>)
        -> Bool
    {
        // A record that cannot be read is reported.
        guard let record = try? HistoryRecord(object) else { return true }
        var checker = before
        checker.check(record)
        for record in rest {
            if checker.violationCount > 0 { return true }
            checker.check(record)
        }
        return checker.finish().conclusion != .holds
    }
}

/// The fields of the records of a history, and the values that each has.
private struct Fields {
    private var values: [String: [JSONValue]] = [:]

    /// Objects whose members are named by the app.
    private static let maps: Set<String> = ["holds", "parameters"]

    init(of objects: [JSONObject]) {
        for object in objects { collect(.object(object), object["kind"]?.stringValue ?? "") }
    }

    private mutating func collect(_ value: JSONValue, _ path: String) {
        switch value {
        case .object(let members): for (key, value) in members { collect(value, Self.path(path, key)) }
        case .array(let elements): for element in elements { collect(element, path + "[]") }
        default:
            if values[path]?.contains(value) != true, values[path, default: []].count < 12 {
                values[path, default: []].append(value)
            }
        }
    }

    private static func path(_ path: String, _ key: String) -> String {
        let isTop = !path.contains(" ")
        let parent = path.split(whereSeparator: { " .".contains($0) }).last.map(String.init) ?? ""
        return "\(path)\(isTop ? " " : ".")\(maps.contains(parent) ? "*" : key)"
    }

    /// The record with one field changed to another value of its kind, left out, or shortened.
    func variants(of object: JSONObject, _ random: inout SplitMix) -> [(field: String, JSONObject)] {
        let kind = object["kind"]?.stringValue ?? ""
        return variants(of: .object(object), kind, &random).compactMap { field, value in
            field.hasSuffix(" kind") || field.hasSuffix(" kind?") ? nil : value.objectValue.map { (field, $0) }
        }
    }

    private func variants(of value: JSONValue, _ path: String, _ random: inout SplitMix) -> [(String, JSONValue)] {
        switch value {
        case .object(let members):
            return members.flatMap { key, member -> [(String, JSONValue)] in
                let place = Self.path(path, key)
                var changed = variants(of: member, place, &random).map { field, value -> (String, JSONValue) in
                    var copy = members
                    copy[key] = value
                    return (field, .object(copy))
                }
                var shorter = members
                shorter[key] = nil
                changed.append((place + "?", .object(shorter)))
                return changed
            }
        case .array(let elements):
            guard !elements.isEmpty else { return [] }
            let index = random.below(elements.count)
            return variants(of: elements[index], path + "[]", &random).map { field, value in
                var copy = elements
                copy[index] = value
                return (field, .array(copy))
            } + [(path + "[]?", .array(Array(elements.dropLast())))]
        case .bool(let bool): return [(path, .bool(!bool))]
        // Before everything else, or after it.
        case .integer where path == "host.started monotonic": return [(path, .integer(1 << 62))]
        case .integer where path.hasSuffix(" monotonic"): return [(path, .integer(-1))]
        case .integer(let integer): return [(path, .integer(integer + 1))]
        default:
            let others = (values[path] ?? []).filter { $0 != value }
            return [(path, others.isEmpty ? .string((value.stringValue ?? "") + "x") : random.pick(others))]
        }
    }
}
