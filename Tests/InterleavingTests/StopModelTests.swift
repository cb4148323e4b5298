import Testing

@testable import Interleaving

/// Small programs, and all their outcomes by a model that knows nothing of simulations.
@Suite("An exhaustive search of stops", .enabled(if: SimulationSettings.reasonNotToStop == nil))
struct StopModelTests {
    /// What a task does in one piece, with nothing of another in between.
    enum Action: Sendable {
        /// It reads a register, which is a default actor.
        case read(Int)
        /// It writes one more than what it read last.
        case write(Int)
        /// It reads a number that all share and then writes one more than what it read last.
        case swap
        /// It wakes a task that does nothing.
        case wake
    }

    private actor Register {
        var value = 0
        func write(_ value: Int) { self.value = value }
    }

    struct Program: Sendable, CustomTestStringConvertible {
        let tasks: [[Action]]
        var testDescription: String { "\(tasks)" }

        init(seed: UInt64) {
            var random = SplitMix(seed: seed)
            var tasks: [[Action]] = []
            for _ in 0..<2 {
                var actions: [Action] = []
                for _ in 0..<Int.random(in: 1...2, using: &random) {
                    let register = Int.random(in: 0...1, using: &random)
                    switch Int.random(in: 0...7, using: &random) {
                    case 0...2: actions.append(.read(register))
                    case 3...5: actions.append(.write(register))
                    case 6: actions.append(.swap)
                    default: actions += [.swap, .wake, .swap]
                    }
                }
                tasks.append(actions)
            }
            self.tasks = tasks
        }

        /// All outcomes: every way to merge the tasks. Pieces that no stop separates are one.
        var outcomes: Set<String> {
            var found: Set<String> = []
            func go(_ registers: [Int], _ shared: Int, _ last: [Int], _ next: [Int]) {
                var isOver = true
                for task in tasks.indices where next[task] < tasks[task].count {
                    isOver = false
                    var (registers, shared, last, next) = (registers, shared, last, next)
                    var isSwap = false
                    repeat {
                        switch tasks[task][next[task]] {
                        case .read(let register): last[task] = registers[register]
                        case .write(let register): registers[register] = last[task] + 1
                        case .swap: (last[task], shared) = (shared, last[task] + 1)
                        case .wake: break
                        }
                        isSwap = if case .swap = tasks[task][next[task]] { true } else { false }
                        next[task] += 1
                        guard isSwap, next[task] < tasks[task].count, case .swap = tasks[task][next[task]] else {
                            break
                        }
                    } while true
                    go(registers, shared, last, next)
                }
                if isOver { found.insert("\(registers) \(shared) \(last)") }
            }
            go([0, 0], 0, tasks.map { _ in 0 }, tasks.map { _ in 0 })
            return found
        }

        /// The same in Swift.
        func run() async -> String {
            let registers = [Register(), Register()]
            let shared = StopTests.Number()
            let actions = tasks
            @Sendable func task(_ actions: [Action]) async -> Int {
                var last = 0
                for action in actions {
                    switch action {
                    case .read(let register): last = await registers[register].value
                    case .write(let register): await registers[register].write(last + 1)
                    case .swap:
                        let before = shared.value
                        shared.value = last + 1
                        last = before
                    case .wake: Task {}
                    }
                }
                return last
            }
            async let one = task(actions[0])
            async let two = task(actions[1])
            let last = await [one, two]
            return "\([await registers[0].value, await registers[1].value]) \(shared.value) \(last)"
        }
    }

    @Test(
        "sees exactly the outcomes that trying every merge of the pieces sees",
        arguments: (0..<24).map { Program(seed: $0) }
    )
    func outcomes(_ program: Program) async throws {
        let seen = Collected<String>()
        let exploration = try await explore(StopTests.options(.exhaustive(preemptions: nil), iterations: 60_000)) {
            seen.append(await program.run())
        }
        #expect(exploration.isComplete, "\(exploration.summary ?? "") \(exploration.runs)")
        let expected = program.outcomes
        let found = Set(seen.takeAll())
        #expect(found == expected, "\(found.count) instead of \(expected.count), in \(exploration.runs) runs")
    }
}
