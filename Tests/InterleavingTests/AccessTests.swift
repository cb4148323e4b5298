import Basics
import Interleaving
import Testing

/// What steps do with what they share is reported, and orders that make no difference to that are one class.
@Suite("Accesses to what tasks share")
struct AccessTests {
    /// The classes that a complete search sees, and how the runs ended.
    private func search(
        _ strategy: StrategyName = .exhaustiveReported,
        _ body: @escaping @Sendable () async throws -> String
    ) async throws -> (classes: Int, ends: Set<String>, runs: Int) {
        let ends = Guarded<Set<String>>([], isReported: false)
        var settings = SimulationSettings(granularity: .jobs)
        settings.takesJobsWhole = true
        var options = ExplorationOptions(iterations: 100_000, seed: 1, strategy: strategy, settings: settings)
        options.coverageDependency = .reported(.fifo)
        let exploration = try await explore(options) { _ in
            let end = try await body()
            ends.withLock { _ = $0.insert(end) }
        }
        #expect(exploration.isComplete, "\(exploration.summary ?? "no summary")")
        return (exploration.coverage?.classes ?? 0, ends.withLock { $0 }, exploration.runs)
    }

    enum Access: CaseIterable {
        case read
        case add
        case write
        case watch

        func take(_ value: Guarded<Int>) {
            switch self {
            case .read: value.read { _ = $0 }
            case .add: value.add { $0 += 1 }
            case .write: value.withLock { $0 += 1 }
            case .watch: value.watch { _ = $0 }
            }
        }
    }

    @Test("two of them make a difference unless both read, both add, or one only watches", arguments: Access.allCases)
    func pairs(_ one: Access) async throws {
        for other in Access.allCases {
            let seen = try await search {
                let value = Guarded(0)
                await withDiscardingTaskGroup { group in
                    for access in [one, other] { group.addTask { access.take(value) } }
                }
                return ""
            }
            let isSame = one == other && one != .write || one == .watch || other == .watch
            #expect(seen.classes == (isSame ? 1 : 2), "\(one) and \(other)")
        }
    }

    @Test("parts of one value are apart from each other")
    func parts() async throws {
        for (names, classes) in [(["a", "b"], 1), (["a", "a"], 2)] {
            let seen = try await search {
                let value = Guarded(0, isReported: false)
                await withDiscardingTaskGroup { group in
                    for name in names { group.addTask { value.report(.write, of: name) } }
                }
                return ""
            }
            #expect(seen.classes == classes)
        }
    }

    @Test("an object has the same name in every order, whoever makes another one before")
    func names() async throws {
        let seen = try await search {
            await withDiscardingTaskGroup { group in
                for _ in 0..<3 {
                    group.addTask {
                        let own = Guarded(0)
                        await Task.yield()
                        own.withLock { $0 += 1 }
                    }
                }
            }
            return ""
        }
        #expect(seen.classes == 1)
    }

    /// Tasks that do something with two values, with a suspension in between.
    struct Program {
        enum Operation {
            case read(Int)
            case add(Int, Int)
            case write(Int, Int)
        }

        let tasks: [[Operation]]

        init(_ random: inout SplitMix) {
            let count = 2 + random.below(2)
            tasks = (0..<count).map { task in
                (0..<(count == 2 ? 1 + random.below(3) : 1)).map { step in
                    switch random.below(3) {
                    case 0: .read(random.below(2))
                    case 1: .add(random.below(2), 1 << (task * 3 + step))
                    default: .write(random.below(2), task * 3 + step + 1)
                    }
                }
            }
        }

        /// What every task has read, and the values in the end.
        func run() async -> String {
            let values = [Guarded(0), Guarded(0)]
            let seen = Guarded([Int: [Int]](), isReported: false)
            await withDiscardingTaskGroup { group in
                for (number, operations) in tasks.enumerated() {
                    group.addTask {
                        for (step, operation) in operations.enumerated() {
                            if step > 0 { await Task.yield() }
                            switch operation {
                            case .read(let value):
                                let read = values[value].read { $0 }
                                seen.withLock { $0[number, default: []].append(read) }
                            case .add(let value, let number): values[value].add { $0 += number }
                            case .write(let value, let number): values[value].withLock { $0 = $0 * 31 + number }
                            }
                        }
                    }
                }
            }
            let end = values.map { $0.read { $0 } }
            return "\(seen.withLock { $0.sorted { $0.key < $1.key } }) \(end)"
        }
    }

    @Test("a search by them sees every end that trying every order sees, in fewer runs")
    func sameEnds() async throws {
        var (runs, all) = (0, 0)
        for seed: UInt64 in 0..<40 {
            var random = SplitMix(seed: seed)
            let program = Program(&random)
            let plain = try await search(.exhaustiveAll) { await program.run() }
            let reduced = try await search(.exhaustiveReported) { await program.run() }
            #expect(reduced.ends == plain.ends, "program of seed \(seed)")
            #expect(reduced.classes == plain.classes, "program of seed \(seed)")
            runs += reduced.runs
            all += plain.runs
        }
        #expect(all > 3 * runs, "\(runs) of \(all)")
    }

    @Test("nothing is chosen while a piece of the body is not explored")
    func unexploredPiece() async throws {
        let seen = try await search(.exhaustiveAll) {
            let order = Guarded<[Int]>([])
            await unexplored {
                await withDiscardingTaskGroup { group in
                    for number in 0..<5 { group.addTask { order.withLock { $0.append(number) } } }
                }
            }
            await withDiscardingTaskGroup { group in
                for number in 5..<7 { group.addTask { order.withLock { $0.append(number) } } }
            }
            return "\(order.withLock { $0 })"
        }
        #expect(seen.ends == ["[0, 1, 2, 3, 4, 5, 6]", "[0, 1, 2, 3, 4, 6, 5]"])
        #expect(await unexplored { 7 } == 7, "outside of an exploration")
    }
}
