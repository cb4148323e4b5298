import Interleaving
import Testing

@Suite("An exhaustive search")
struct ExhaustiveSearchTests {
    /// Runs a search to its end, or a failure.
    private func search(_ program: ToyProgram, _ search: ExhaustiveSearch, limit: Int = 200_000) -> ExhaustiveSearch {
        var search = search
        while !search.isExhausted, search.runs < limit { _ = program.run(&search) }
        return search
    }

    @Test("of tasks that share nothing ends after one run")
    func independent() {
        let done = search(.parallel([[1, 1], [2, 2], [3, 3]]), ExhaustiveSearch(.executors(.fifo)))
        let words =
            "do not look at which others have ended or are cancelled, as groups, sleeps and streams do"
        #expect(
            done.summary
                == "complete: 1 class of whole steps (if tasks share state only through actors, and \(words))"
        )
        #expect(done.runs == 1)
    }

    @Test(
        "of tasks in one mailbox that takes any order sees each way to merge them once",
        arguments: [
            ([2, 2], 6), ([3, 3], 20), ([4, 4], 70), ([2, 2, 2], 90), ([3, 3, 2], 560), ([1, 1, 1, 1, 1], 120),
        ]
    )
    func merges(_ lengths: [Int], _ count: Int) {
        let program = ToyProgram.parallel(lengths.map { Array(repeating: 1, count: $0) }, mailboxes: .anyOrder)
        let done = search(program, ExhaustiveSearch(.executors(.anyOrder)))
        #expect(done.classes == count)
        #expect(done.isComplete)
        #expect(done.runs == count)
    }

    @Test("of two tasks in one mailbox that keeps its order has nothing to search")
    func inOrder() {
        let done = search(.parallel([[1, 1], [1, 1]]), ExhaustiveSearch())
        #expect(done.classes == 1)
        #expect(done.summary == "complete: 1 class of whole steps (if actors share state only through messages)")
    }

    @Test(
        "counts every schedule if every order matters",
        arguments: [([2, 2], 6), ([3, 3], 20), ([2, 2, 2], 90)]
    )
    func everything(_ lengths: [Int], _ count: Int) {
        let program = ToyProgram.parallel(lengths.enumerated().map { Array(repeating: $0 + 1, count: $1) })
        let done = search(program, ExhaustiveSearch(.everything))
        #expect(done.summary == "complete: \(count) schedules of whole steps")
        #expect(done.name == "exhaustive-all")
    }

    @Test(
        "finds exactly the classes that trying every schedule finds",
        arguments: MailboxPolicy.allCases.flatMap { [StepDependency.executors($0), .unisolated($0), .reported($0)] }
    )
    func sameClasses(_ dependency: StepDependency) throws {
        let policy =
            switch dependency {
            case .executors(let policy), .unisolated(let policy), .reported(let policy): policy
            case .everything: MailboxPolicy.fifo
            }
        var schedules = 0
        var classes = 0
        var runs = 0
        for seed: UInt64 in 0..<150 {
            var random = SplitMix(seed: seed)
            let program = ToyProgram.random(&random, mailboxes: policy, accesses: 1 + Int(seed % 3) * 3)
            var all: Set<UInt64> = []
            var plain = ExhaustiveSearch(.everything)
            while !plain.isExhausted, plain.runs < 700 {
                let run = program.run(&plain)
                all.insert(classHash(of: run.steps, run.accesses, under: dependency))
            }
            guard plain.isExhausted else { continue }
            var reduced = ExhaustiveSearch(dependency)
            var found: Set<UInt64> = []
            while !reduced.isExhausted, reduced.runs <= plain.runs {
                let run = program.run(&reduced)
                found.insert(classHash(of: run.steps, run.accesses, under: dependency))
            }
            #expect(found == all, "program of seed \(seed): \(found.count) of \(all.count) classes")
            #expect(reduced.isComplete, "program of seed \(seed): \(reduced.summary)")
            schedules += plain.runs
            classes += all.count
            runs += reduced.runs
        }
        #expect(schedules > 2 * classes, "\(schedules) schedules of \(classes) classes")
        // The search does not foresee overtaking, so mailboxes with priorities repeat some classes.
        let repetition = policy == .priority ? 3 : 1.1
        #expect(Double(runs) < repetition * Double(classes), "\(runs) runs for \(classes) classes")
    }

    @Test(
        "that is cut into pieces finds exactly the classes of the whole, each in about one of them",
        arguments: MailboxPolicy.allCases.flatMap { [StepDependency.executors($0), .unisolated($0), .reported($0)] }
            + [.everything],
        [nil, 2]
    )
    func pieces(_ dependency: StepDependency, preemptions: Int?) throws {
        let policy: MailboxPolicy =
            switch dependency {
            case .executors(let policy), .unisolated(let policy), .reported(let policy): policy
            case .everything: .fifo
            }
        var whole = 0
        var inPieces = 0
        for seed: UInt64 in 0..<40 {
            var random = SplitMix(seed: seed)
            let program = ToyProgram.random(&random, mailboxes: policy, accesses: 1 + Int(seed % 3) * 3)
            func classes(_ search: ExhaustiveSearch) -> (seen: [UInt64: Int], search: ExhaustiveSearch) {
                var (search, seen) = (search, [UInt64: Int]())
                while !search.isExhausted, search.runs < 700 {
                    let run = program.run(&search)
                    seen[classHash(of: run.steps, run.accesses, under: dependency), default: 0] += 1
                }
                return (seen, search)
            }
            let all = classes(ExhaustiveSearch(dependency, preemptions: preemptions))
            guard all.search.isExhausted else { continue }
            for count in [2, 9] {
                var cut = SearchCut(ExhaustiveSearch(dependency, preemptions: preemptions), into: count)
                while !cut.isExhausted { _ = program.run(&cut) }
                var found: Set<UInt64> = []
                var runs = 0
                for piece in cut.pieces {
                    let part = classes(ExhaustiveSearch(dependency, preemptions: preemptions, in: piece))
                    #expect(part.search.isExhausted && part.search.isDeterministic && part.search.cutOff == 0)
                    found.formUnion(part.seen.keys)
                    runs += part.search.runs
                }
                #expect(
                    found == Set(all.seen.keys),
                    "program of seed \(seed), \(cut.pieces.count) pieces: \(found.count) of \(all.seen.count) classes"
                )
                #expect(cut.pieces.count >= min(count, all.seen.count) || preemptions != nil)
                whole += all.search.runs
                inPieces += runs
            }
        }
        #expect(whole > 300)
        #expect(Double(inPieces) < 1.5 * Double(whole), "\(inPieces) runs instead of \(whole)")
    }

    @Test("that is cut where the same choices lead to different steps is one piece, which finds that out")
    func nondeterministicPieces() {
        var cut = SearchCut(ExhaustiveSearch(.executors(.anyOrder)), into: 8)
        let programs = [[[1, 1], [1, 1]], [[1, 1], [1, 1], [1]]].map { ToyProgram.parallel($0, mailboxes: .anyOrder) }
        var runs = 0
        while !cut.isExhausted, runs < 100 {
            _ = programs[runs % 2].run(&cut)
            runs += 1
        }
        #expect(cut.isExhausted)
        #expect(cut.pieces.count == 1)
    }

    @Test("finds the lost update, and proves that none is lost if nothing can come between")
    func update() {
        var search = ExhaustiveSearch()
        var failures = 0
        while !search.isExhausted { failures += ToyProgram.lostUpdate(tasks: 3).run(&search).failure == nil ? 0 : 1 }
        #expect(failures > 0)
        search = ExhaustiveSearch()
        while !search.isExhausted { #expect(ToyProgram.keptUpdate(tasks: 3).run(&search).failure == nil) }
        #expect(search.isComplete)
        search = ExhaustiveSearch(.executors(.fifo))
        while !search.isExhausted { #expect(ToyProgram.keptUpdate(tasks: 3).run(&search).failure == nil) }
        #expect(search.classes == 6)
    }

    @Test("with a bound tries no more preemptions", arguments: [(0, 2), (1, 6), (2, 14), (3, 18), (9, 20)])
    func bounded(_ bound: Int, _ count: Int) {
        let program = ToyProgram.parallel([[1, 1, 1], [2, 2, 2]])
        let done = search(program, ExhaustiveSearch(.everything, preemptions: bound))
        #expect(done.runs == count)
        #expect(done.summary == "complete up to \(bound) preemptions: \(count) schedules of whole steps")
        #expect(!done.isComplete)
        #expect(done.name == "exhaustive-\(bound)")
    }

    @Test("is not complete if a run was cut off")
    func cutOff() {
        var program = ToyProgram.parallel([[1, 1, 1], [1, 1, 1]], mailboxes: .anyOrder)
        program.maxSteps = 4
        let done = search(program, ExhaustiveSearch(.executors(.anyOrder)))
        #expect(done.isExhausted)
        #expect(!done.isComplete)
        #expect(done.summary.hasPrefix("not complete: \(done.runs) of \(done.runs) runs were cut off"))
    }

    @Test("is not complete if the same choices lead to different steps")
    func nondeterministic() {
        var search = ExhaustiveSearch(.executors(.anyOrder))
        let programs = [[[1, 1], [1, 1]], [[1, 1], [1, 1], [1]]].map { ToyProgram.parallel($0, mailboxes: .anyOrder) }
        while !search.isExhausted, search.runs < 10_000 { _ = programs[search.runs % 2].run(&search) }
        #expect(search.isExhausted)
        #expect(!search.isComplete)
        #expect(search.summary.hasPrefix("not complete: the same choices led to different steps"))
    }

    @Test("is not exhausted before it begins")
    func notYet() {
        #expect(!ExhaustiveSearch().isExhausted)
        #expect(ExhaustiveSearch().summary == "not complete: 0 classes so far")
        #expect(ExhaustiveSearch(.everything).summary == "not complete: 0 schedules so far")
    }
}
