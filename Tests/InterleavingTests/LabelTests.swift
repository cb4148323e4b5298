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
