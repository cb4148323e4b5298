import Basics
import Foundation
import Glibc
import Testing

@testable import Interleaving

/// What real threads do must be among what a search sees, and what a search sees what a model of the program allows.
///
/// `DIFFERENTIAL_RUNS` is how often each program is run on real threads, and `DIFFERENTIAL_PROGRAMS` which programs, such as `0..<500`.
@Suite("Programs on real threads", .enabled(if: SimulationSettings.reasonNotToStop == nil))
struct DifferentialTests {
    /// What a task does in one piece.
    enum Action: Sendable {
        /// It reads a register: two are actors with the default executor, one is behind a mutex, one behind `NSLock`.
        case read(Int)
        /// It writes one more than what it read last.
        case write(Int)
        /// It wakes whoever waits at a gate, now or later.
        case open(Int)
        /// It waits at the gate of a task before it, which opens it.
        case wait(Int)
        /// It cancels a task before it.
        case cancel(Int)
        /// It reads whether it is cancelled: 50 if it is, or else 0.
        case look
    }

    struct Program: Sendable, CustomTestStringConvertible {
        let seed: UInt64
        /// Each task's actions. A task that others wait for opens its gate at some time.
        let tasks: [[Action]]
        var testDescription: String { "\(seed): \(tasks)" }

        init(seed: UInt64) {
            self.seed = seed
            var random = SplitMix(seed: seed)
            let count = 2 + random.below(2)
            var tasks: [[Action]] = []
            for task in 0..<count {
                var actions: [Action] = (0..<(count == 2 ? 2 + random.below(3) : 1 + random.below(3))).map { _ in
                    switch random.below(task == 0 ? 7 : 10) {
                    case 0...2: .read(random.below(4))
                    case 3...5: .write(random.below(4))
                    case 6: .look
                    case 7, 8: .cancel(random.below(task))
                    default: .wait(random.below(task))
                    }
                }
                if task + 1 < count, random.below(2) == 0 {
                    actions.insert(.open(task), at: random.below(actions.count + 1))
                }
                tasks.append(actions)
            }
            // Nobody waits for what never comes.
            let opened = Set(
                tasks.joined().compactMap { action -> Int? in
                    if case .open(let gate) = action { gate } else { nil }
                }
            )
            self.tasks = tasks.map { actions in
                actions.map { action in
                    if case .wait(let gate) = action, !opened.contains(gate) { .look } else { action }
                }
            }
        }

        /// All ends: every way to merge the tasks.
        var ends: Set<String> {
            struct State: Hashable {
                var registers = [0, 0, 0, 0]
                var last: [Int]
                var next: [Int]
                var open: Set<Int> = []
                var cancelled: Set<Int> = []
            }
            var (found, seen): (Set<String>, Set<State>) = ([], [])
            func go(_ state: State) {
                guard seen.insert(state).inserted else { return }
                var isOver = true
                for task in tasks.indices where state.next[task] < tasks[task].count {
                    isOver = false
                    var state = state
                    switch tasks[task][state.next[task]] {
                    case .read(let register): state.last[task] = state.registers[register]
                    case .write(let register): state.registers[register] = state.last[task] + 1
                    case .open(let gate): state.open.insert(gate)
                    case .wait(let gate): if !state.open.contains(gate) { continue }
                    case .cancel(let other): state.cancelled.insert(other)
                    case .look: state.last[task] = state.cancelled.contains(task) ? 50 : 0
                    }
                    state.next[task] += 1
                    go(state)
                }
                if isOver { found.insert("\(state.registers) \(state.last)") }
            }
            let none = tasks.map { _ in 0 }
            go(State(last: none, next: none))
            return found
        }

        /// The same in Swift.
        func run() async -> String {
            let actors = [Register(), Register()]
            let guarded = Guarded(0)
            let locked = Locked()
            let gates = tasks.map { _ in Gate() }
            var running: [Task<Int, Never>] = []
            for actions in tasks {
                let before = running
                running.append(
                    Task {
                        var last = 0
                        for action in actions {
                            switch action {
                            case .read(2): last = guarded.read { $0 }
                            case .read(3): last = locked.value
                            case .read(let register): last = await actors[register].value
                            case .write(2): guarded.withLock { [last] in $0 = last + 1 }
                            case .write(3): locked.value = last + 1
                            case .write(let register): await actors[register].write(last + 1)
                            case .open(let gate): gates[gate].open()
                            case .wait(let gate): await gates[gate].wait()
                            case .cancel(let other): before[other].cancel()
                            case .look: last = Task.isCancelled ? 50 : 0
                            }
                        }
                        return last
                    }
                )
            }
            var last: [Int] = []
            for task in running { last.append(await task.value) }
            let registers = [
                await actors[0].value, await actors[1].value, guarded.read { $0 }, locked.value,
            ]
            return "\(registers) \(last)"
        }
    }

    private actor Register {
        var value = 0
        func write(_ value: Int) { self.value = value }
    }

    private final class Locked: @unchecked Sendable {
        // Sendable: the lock guards it.
        private let lock = NSLock()
        private var number = 0
        var value: Int {
            get { lock.withLock { number } }
            set { lock.withLock { number = newValue } }
        }
    }

    private static let environment = ProcessInfo.processInfo.environment
    static let programs: [Program] = {
        let bounds = (environment["DIFFERENTIAL_PROGRAMS"] ?? "0..<16").split(separator: "..<").compactMap {
            UInt64($0)
        }
        guard bounds.count == 2, bounds[0] <= bounds[1] else { fatalError("DIFFERENTIAL_PROGRAMS is FROM..<TO") }
        return (bounds[0]..<bounds[1]).map { Program(seed: $0) }
    }()
    static let runs = environment["DIFFERENTIAL_RUNS"].flatMap { Int($0) } ?? 500

    @Test("end as a search sees, and it sees what trying every merge sees", arguments: programs)
    func ends(_ program: Program) async throws {
        let expected = program.ends
        let seen = Guarded<Set<String>>([])
        let exploration = try await explore(
            StopTests.options(.exhaustiveReported, iterations: 50_000, .locks)
        ) {
            let end = await program.run()
            seen.withLock(for: nil) { _ = $0.insert(end) }
        }
        #expect(exploration.failure == nil, "\(exploration.failure?.verdict.description ?? "")")
        #expect(exploration.isComplete, "\(exploration.summary ?? "") \(exploration.runs)")
        let found = seen.read { $0 }
        #expect(found == expected, "\(found.count) instead of \(expected.count), in \(exploration.runs) runs")

        let real = Guarded<[String: Int]>([:])
        await withDiscardingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    var ends: [String: Int] = [:]
                    for _ in 0..<Self.runs / 4 { ends[await program.run(), default: 0] += 1 }
                    real.withLock { [ends] in $0.merge(ends, uniquingKeysWith: +) }
                }
            }
        }
        let unexplained = real.read { $0.filter { !found.contains($0.key) } }
        #expect(unexplained.isEmpty, "only on real threads")
        if Self.environment["DIFFERENTIAL_RUNS"] != nil {
            print(
                "program \(program.seed): \(real.read { $0.count }) of \(found.count) ends on real threads, \(exploration.runs) orders"
            )
        }
    }
}
