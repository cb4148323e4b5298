/// How much of what can happen was seen over many runs: classes of schedules, how fast new ones still appear, and an estimate
/// of how many exist.
public struct ExplorationCoverage: Sendable {
    /// A point of the saturation curve.
    public struct Point: Hashable, Sendable {
        /// The number of runs so far.
        public let runs: Int
        /// How many classes these runs showed.
        public let classes: Int

        package init(runs: Int, classes: Int) {
            self.runs = runs
            self.classes = classes
        }
    }

    /// Which steps count as dependent, and so what a class is.
    public let dependency: StepDependency
    /// How many runs were counted.
    public private(set) var runs = 0
    /// How many runs failed.
    public private(set) var failures = 0
    /// The most steps that a run had.
    public private(set) var longest = 0
    /// The most steps with a choice that a run had.
    public private(set) var mostChoices = 0
    /// The number of classes after 1, 2, 3, 4, 6, 8, 12, 16 … runs.
    public private(set) var curve: [Point] = []

    /// How often each class was seen.
    package private(set) var occurrences: [UInt64: UInt32] = [:]
    /// How many classes were seen once, and twice.
    private var singles = 0
    private var doubles = 0
    private var hash = ClassHash()
    private var nextPoint = 1

    package init(dependency: StepDependency) {
        self.dependency = dependency
    }

    /// What another process saw, from the numbers it sent.
    package init(
        dependency: StepDependency,
        runs: Int,
        failures: Int,
        longest: Int,
        mostChoices: Int,
        occurrences: [UInt64: UInt32]
    ) {
        self.init(dependency: dependency)
        self.runs = runs
        self.failures = failures
        self.longest = longest
        self.mostChoices = mostChoices
        for (name, times) in occurrences where times > 0 { note(name, times: times) }
    }

    /// How many classes were seen.
    public var classes: Int { occurrences.count }

    /// Counts a run.
    /// - Returns: The name of its class, and whether it is new.
    @discardableResult
    package mutating func add(_ steps: Span<RunStep>, _ accesses: RunAccesses = RunAccesses(), failed: Bool) -> (
        class: UInt64, isNew: Bool
    ) {
        runs += 1
        if failed { failures += 1 }
        var choices = 0
        for index in steps.indices where steps[index].alternatives > 1 { choices += 1 }
        longest = max(longest, steps.count)
        mostChoices = max(mostChoices, choices)
        let name = hash.hash(steps, accesses, dependency)
        let count = note(name, times: 1)
        if runs >= nextPoint { mark() }
        return (name, count == 1)
    }

    /// Adds what another process, or another search, saw. The curve goes on from its end.
    package mutating func merge(_ other: ExplorationCoverage) {
        runs += other.runs
        failures += other.failures
        longest = max(longest, other.longest)
        mostChoices = max(mostChoices, other.mostChoices)
        for (name, times) in other.occurrences { note(name, times: times) }
        mark()
    }

    /// The chance that one more run shows a new class: the number of classes seen once, divided by the runs. Source: Good, *The Population
    /// Frequencies of Species and the Estimation of Population Parameters*, 1953 (due to Turing).
    public var chanceOfNew: Double { runs == 0 ? 1 : Double(singles) / Double(runs) }

    /// An estimate of how many classes exist: those seen, plus those missed, which follow from how many were seen once and twice. Source:
    /// Chao, *Nonparametric Estimation of the Number of Classes in a Population*, 1984, in its bias-corrected form (Chao1).
    ///
    /// It is a lower bound if all runs are drawn from the same distribution, which a portfolio of strategies only approximates.
    public var estimatedClasses: Double {
        let singles = Double(singles)
        return Double(classes) + singles * (singles - 1) / (2 * (Double(doubles) + 1))
    }

    /// Reasons why the numbers say less than they seem to.
    public var warnings: [Warning] {
        var warnings: [Warning] = []
        if runs > 0, mostChoices == 0 {
            warnings.append(.nothingToChoose)
        } else if runs > 1, classes == 1 {
            warnings.append(.oneClass)
        }
        return warnings
    }

    @discardableResult
    private mutating func note(_ name: UInt64, times: UInt32) -> UInt32 {
        let before = occurrences[name] ?? 0
        let after = before &+ times
        occurrences[name] = after
        if before == 1 { singles -= 1 } else if before == 2 { doubles -= 1 }
        if after == 1 { singles += 1 } else if after == 2 { doubles += 1 }
        return after
    }

    private mutating func mark() {
        curve.append(Point(runs: runs, classes: classes))
        // 1, 2, 3, 4, 6, 8, 12, 16 …
        while nextPoint <= runs {
            nextPoint = nextPoint < 2 ? 2 : nextPoint & (nextPoint - 1) == 0 ? nextPoint / 2 * 3 : nextPoint / 3 * 4
        }
    }
}

extension ExplorationCoverage {
    /// A reason why the numbers of runs and classes say less than they seem to.
    public enum Warning: Hashable, Sendable, CustomStringConvertible {
        /// No step of any run had a choice.
        case nothingToChoose
        /// There were choices, but none of them made a difference.
        case oneClass

        /// The reason, and what to do about it.
        public var description: String {
            switch self {
            case .nothingToChoose:
                "there was nothing to choose: at every step of every run only one thing could happen, so all runs were the same. "
                    + "Start tasks that run at the same time, and give each actor its own executor"
            case .oneClass:
                "no choice made a difference: all runs belong to one class, so no two steps that could swap places shared a "
                    + "serial executor"
            }
        }
    }
}

extension ExplorationCoverage: CustomStringConvertible {
    /// Such as `1000 schedules, 78 classes (about 80 or more), 1 in 500 runs shows a new one`.
    public var description: String {
        guard runs > 0 else { return "no schedules" }
        // One run says nothing of others.
        guard runs > 1 else { return "1 schedule" }
        var text = "\(runs) schedules, \(classes) \(classes == 1 ? "class" : "classes")"
        let estimate = Int(min(estimatedClasses, 1e15) + 0.5)
        if estimate > classes { text += " (about \(estimate) or more)" }
        let rarity = (runs + singles / 2) / max(singles, 1)
        switch (singles, rarity) {
        case (0, _): text += ", no new ones expected"
        case (_, ...1): text += ", nearly every run shows a new one"
        default: text += ", 1 in \(rarity) runs shows a new one"
        }
        return text
    }
}
