import Interleaving
import Testing

@Suite("Coverage")
struct CoverageTests {
    private func coverage(of program: ToyProgram, runs: Int, seed: UInt64 = 1) -> ExplorationCoverage {
        var coverage = ExplorationCoverage(dependency: .executors(program.mailboxes))
        var strategy = RandomWalk()
        for run in 0..<runs {
            let run = program.run(&strategy, seed: seed &* 1_000_003 &+ UInt64(run))
            coverage.add(run.steps.span, failed: run.failure != nil)
        }
        return coverage
    }

    @Test("counts runs that differ only in the order of independent steps once")
    func independent() {
        let coverage = coverage(of: .parallel([[1, 1, 1], [2, 2, 2], [3, 3]]), runs: 500)
        #expect(coverage.classes == 1)
        #expect(coverage.warnings == [.oneClass])
        #expect(coverage.longest == 9)
    }

    @Test("counts each order of dependent steps, and knows when it has seen all of them")
    func dependent() {
        let coverage = coverage(of: .parallel([[1, 1, 1], [1, 1, 1]], mailboxes: .anyOrder), runs: 2_000)
        #expect(coverage.classes == 20)
        #expect(coverage.estimatedClasses == 20)
        #expect(coverage.chanceOfNew == 0)
        #expect(coverage.description == "2000 schedules, 20 classes, no new ones expected")
        #expect(coverage.warnings.isEmpty)
    }

    @Test("estimates what it has not seen", arguments: 1...5)
    func estimate(_ seed: UInt64) {
        // There are 560 classes.
        let program = ToyProgram.parallel([[1, 1, 1], [1, 1, 1], [1, 1]], mailboxes: .anyOrder)
        let coverage = coverage(of: program, runs: 400, seed: seed)
        #expect(coverage.classes < 400)
        #expect((350...750) ~= coverage.estimatedClasses, "\(coverage)")
        #expect(coverage.chanceOfNew > 0.1)
    }

    @Test("has a curve that rises to the number of classes, with points ever farther apart")
    func curve() {
        let coverage = coverage(of: .parallel([[1, 1], [1, 1]], mailboxes: .anyOrder), runs: 1_000)
        #expect(
            coverage.curve.map(\.runs) == [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768]
        )
        #expect(coverage.curve.first?.classes == 1)
        #expect(coverage.curve.last?.classes == 6)
        #expect(zip(coverage.curve, coverage.curve.dropFirst()).allSatisfy { $0.classes <= $1.classes })
    }

    @Test("warns if there is nothing to choose")
    func nothing() {
        var program = ToyProgram.parallel([[1, 1, 1]])
        #expect(coverage(of: program, runs: 10).warnings == [.nothingToChoose])
        program = .parallel([[1], [1]])
        #expect(coverage(of: program, runs: 10).warnings == [.nothingToChoose])
        #expect("\(ExplorationCoverage.Warning.nothingToChoose)".contains("nothing to choose"))
    }

    @Test("of several searches counts what they saw together")
    func merged() {
        let program = ToyProgram.parallel([[1, 1], [1, 1], [1, 1]], mailboxes: .anyOrder)
        var one = coverage(of: program, runs: 60, seed: 1)
        let other = coverage(of: program, runs: 60, seed: 2)
        let both = Set([one.classes, other.classes])
        one.merge(
            ExplorationCoverage(
                dependency: other.dependency,
                runs: other.runs,
                failures: other.failures,
                longest: other.longest,
                mostChoices: other.mostChoices,
                occurrences: other.occurrences
            )
        )
        #expect(one.runs == 120)
        #expect(one.classes > both.max() ?? 0)
        #expect(one.classes <= 90)
        #expect((one.classes...140) ~= Int(one.estimatedClasses))
        #expect(one.curve.last == ExplorationCoverage.Point(runs: 120, classes: one.classes))
    }

    @Test("distinguishes orders of the same steps only where they matter", arguments: 0..<50)
    func hash(_ seed: UInt64) {
        // Swapping independent neighbours never changes the class; swapping dependent ones always does.
        var random = SplitMix(seed: seed)
        let steps = (0..<12).map { index in
            RunStep(
                choice: RunChoice(
                    event: RunEventID(task: UInt64(index % 4), ordinal: UInt32(index / 4)),
                    task: index % 4,
                    executor: random.below(4),
                    priority: 0,
                    kind: .job
                ),
                position: 0,
                alternatives: 2,
                // An earlier step enables every step, so that none counts as enabled by time.
                enabler: 0,
                time: 0
            )
        }
        let root = RunStep(
            choice: RunChoice(event: RunEventID(task: 99, ordinal: 0), task: 9, executor: 0, priority: 0, kind: .job),
            position: 0,
            alternatives: 1,
            enabler: nil,
            time: 0
        )
        let original = [root] + steps
        let kinds: [SharedAccess] = [.read, .addition, .write]
        var accesses = original.map { _ in random.below(3) == 0 ? [RunAccess(1, kinds[random.below(3)])] : [] }
        let name = classHash(of: original, RunAccesses(accesses), under: .executors(.anyOrder))
        for index in 1..<original.count - 1 {
            let (one, other) = (original[index], original[index + 1])
            let isSameExecutor = one.choice.executor == other.choice.executor && one.choice.executor != 0
            var swapped = original
            swapped.swapAt(index, index + 1)
            let clash = zip(accesses[index], accesses[index + 1]).contains { $0.kind.clashes(with: $1.kind) }
            accesses.swapAt(index, index + 1)
            let isSame = classHash(of: swapped, RunAccesses(accesses), under: .executors(.anyOrder)) == name
            accesses.swapAt(index, index + 1)
            #expect(isSame == !(isSameExecutor || clash))
        }
    }
}
