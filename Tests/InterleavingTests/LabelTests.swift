@testable import Interleaving
import Testing

@Suite("The labels of steps")
struct LabelTests {
    @Test(
        "a function's name is as a person would write it",
        arguments: [
            (
                "(1) await resume partial function for Shop.Account.withdraw(_: Swift.Int, by: Swift.String) async -> Swift.Int",
                "Account.withdraw(_:by:)"
            ),
            (
                "(2) suspend resume partial function for closure #1 @Sendable () async -> () in closure #2 (inout Swift.TaskGroup<()>) async -> () in Shop.run() async -> ()",
                "closure #1 in closure #2 in run()"
            ),
            (
                "(1) await resume partial function for static (extension in Swift):Swift.Task< where A == Swift.Never, B == Swift.Never>.yield() async -> ()",
                "Task.yield()"
            ),
            (
                "(1) await resume partial function for generic specialization <Swift.ContinuousClock> of static (extension in _Concurrency):Swift.Task< where A == Swift.Never, B == Swift.Never>.sleep<A where A1: Swift.Clock>(until: A1.Instant, tolerance: A1.Instant.Duration?, clock: A1) async throws -> ()",
                "Task.sleep(until:tolerance:clock:)"
            ),
            (
                "(3) suspend resume partial function for function signature specialization <Arg[0] = Dead, Arg[1] = [Closure Propagated : closure #1 () -> () in Shop.run() -> (), Argument Types : []> of generic not re-abstracted specialization <Shop.Order, [Swift.Int]> of Shop.Store.keep<A>(_: A) async -> ()",
                "Store.keep(_:)"
            ),
            (
                "(1) await resume partial function for protocol witness for SceneRuntime.RuntimeClock.sleep(until: Swift.Duration) async throws -> () in conformance SceneRaces.DatedClock : SceneRuntime.RuntimeClock in SceneRaces",
                "RuntimeClock.sleep(until:)"
            ),
            (
                "(2) await resume partial function for partial apply forwarder for closure #1 @Sendable () async -> () in static Shop.(Till in _87606D5F06762591714A0C6799D2B3F2).count(_: Swift.Int) async -> ()",
                "closure #1 in Till.count(_:)"
            ),
            ("_ZL14future_adapterPN5swift12AsyncContextE", "its beginning"), ("main", "main"), ("", ""),
        ]
    )
    func names(demangled: String, name: String) {
        #expect(FunctionName.short(demangled) == name)
    }

    @Test(
        "a line of addr2line is read",
        arguments: [
            ("/a b/c.swift:12", "/a b/c.swift", 12), ("/a/c.swift:7 (discriminator 2)", "/a/c.swift", 7),
        ]
    )
    func line(text: String, file: String, line: Int) {
        #expect(SourceLines.place(text) == SourceLines.Place(file: file, line: line))
    }

    @Test(
        "a line without a place is nil",
        arguments: ["??:0", "??:?", "", "/a/c.swift:0", "/a/c.swift", "<compiler-generated>:3"]
    )
    func noLine(text: String) {
        #expect(SourceLines.place(text) == nil)
    }

    @Test("a named task is labelled by its name, and also by its number if two tasks have the same name")
    func taskNames() async throws {
        let run = try await replay(.firstInFirstOut) {
            await withTaskGroup { group in
                for name in ["window A", "window B", "push", "push"] {
                    group.addTask(name: name) { await Task.yield() }
                }
            }
        }
        let tasks = Set(run.labels().map(\.task))
        #expect(tasks.isSuperset(of: ["task 0", "window A", "window B", "push (task 3)", "push (task 4)"]), "\(tasks)")
        #expect(tasks.isDisjoint(with: ["task 1", "task 2", "task 3", "task 4"]), "\(tasks)")
    }

    @Test("a task that waits for ever is described by its name")
    func waiterName() async throws {
        let run = try await replay(.firstInFirstOut) {
            await Task(name: "window B") { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
                .value
        }
        guard case .deadlock(let waiters) = run.verdict else {
            Issue.record("\(run.verdict)")
            return
        }
        #expect(waiters.map(\.name) == [nil, "window B"])
    }

    @Test("a thread's name that may have lost its end is marked")
    func threadNames() {
        #expect(ThreadName.marked("worker 1") == "worker 1")
        #expect(ThreadName.marked("worker of the s") == "worker of the s…")
        #expect(
            ThreadName.marked(String(decoding: "worker of thé s".utf8.prefix(14) + [0xC3], as: UTF8.self))
                == "worker of thé…"
        )
    }

    @Test(
        "a function is of a library where the library or the compiler made it",
        arguments: [
            ("Swift.withUnsafeContinuation<A>(isolation: isolated Swift.Actor?) async -> A", true),
            (
                "(1) await resume partial function for (extension in Swift):Swift.Clock.sleep(for: A.Duration) async",
                true
            ),
            ("closure #1 @Sendable () async -> () in (extension in Swift):Swift.Task.init(name: Swift.String?)", true),
            ("reabstraction thunk helper from @escaping () -> () to @escaping () -> ()", true),
            ("(1) await resume partial function for Shop.Account.withdraw(_: Swift.Int) async -> Swift.Int", false),
            ("(1) await resume partial function for (extension in Shop):Swift.Clock.pause() async -> ()", false),
            ("closure #1 () async -> () in closure #2 (inout Swift.TaskGroup<()>) async -> () in Shop.run()", false),
            (
                "protocol witness for Swift.Clock.sleep(until: A.Instant) async in conformance Shop.Late : Swift.Clock in Shop",
                false
            ),
            ("static Shop.(Till in _87606D5F06762591714A0C6799D2B3F2).count(_: Swift.Int) async -> ()", false),
            ("main", false),
        ]
    )
    func libraries(demangled: String, isOfLibrary: Bool) {
        #expect(FunctionName.isOfLibrary(demangled) == isOfLibrary)
    }

    private static func nap() async throws { try await Task.sleep(for: .seconds(1)) }

    @Test(
        "the end of a sleep, and what follows it, name the function and the line that slept",
        arguments: SimulationSettings.Granularity.allCases
    )
    func sleeps(_ granularity: SimulationSettings.Granularity) async throws {
        var settings = SimulationSettings()
        settings.granularity = granularity
        let run = try await replay(.firstInFirstOut, settings: settings) { try await Self.nap() }
        let labels = run.labels()
        let end = try #require(run.steps.firstIndex { $0.choice.kind == .timer })
        #expect(labels[end].function == "a sleep ends, in LabelTests.nap()")
        #expect(labels[end + 1].function == "LabelTests.nap()")
        #expect(labels[end].place?.hasPrefix("LabelTests.swift:") == true, "\(labels[end])")
        #expect(labels[end].place == labels[end + 1].place)
    }

    private struct Waits {
        func forContinuation() async { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        func forTask(_ task: Task<Void, Never>) async { await task.value }
        func forGroup(_ task: Task<Void, Never>) async {
            await withTaskGroup { group in
                group.addTask { await self.forTask(task) }
                await group.waitForAll()
            }
        }
    }

    @Test("a run that ends with tasks that wait says for each in which function and line")
    func waits() async throws {
        let run = try await replay(.firstInFirstOut) {
            let task = Task(name: "reader") { await Waits().forContinuation() }
            await Waits().forGroup(task)
        }
        let lines = run.ending().split(separator: "\n")
        #expect(lines.count == 4, "\(lines)")
        #expect(lines.first == "deadlock:")
        for (line, words) in zip(
            lines.dropFirst(),
            [
                "forGroup", "“reader” waits for a continuation to be resumed in LabelTests.Waits.forContinuation() at ",
                "waits for task 1 in LabelTests.Waits.forTask() at ",
            ]
        ) {
            #expect(line.contains(words))
            #expect(line.contains(" at LabelTests.swift:"))
        }
        let again = try await replay(.firstInFirstOut) {
            let task = Task(name: "reader") { await Waits().forContinuation() }
            await Waits().forGroup(task)
        }
        #expect(again.verdict == run.verdict)
        #expect("\(run.verdict)".hasPrefix("deadlock: task 0 waits"))
        #expect(!"\(run.verdict)".contains("LabelTests.swift"))
        // As another process hands it over.
        #expect(ExploredRun(json: run.json)?.ending() == run.ending())
    }

    private actor Account {
        nonisolated let executor = SimulatedExecutor(name: "the account")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        var balance = 0
        func deposit(_ value: Int) { balance += value }
    }

    @Test("the steps of a run name their functions, actors and lines")
    func labels() async throws {
        let run = try await replay(.firstInFirstOut) {
            let account = Account()
            await account.deposit(1)
            await account.deposit(2)
        }
        let labels = run.labels()
        #expect(labels.count == run.steps.count)
        #expect(labels.contains { $0.actor == "the account" })
        // Test executables are not stripped, and test machines have addr2line.
        #expect(
            labels.contains { $0.function?.contains("labels()") == true || $0.function?.contains("deposit") == true }
        )
        #expect(labels.contains { $0.file?.hasSuffix("LabelTests.swift") == true }, "\(labels)")
    }
}
