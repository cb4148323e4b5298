public import Basics

/// What a step of a run did with something that tasks share.
public struct RunAccess: Hashable, Sendable {
    /// The name of the object, the same in every run: it follows from the step that made it.
    public let object: UInt64
    /// What the step did.
    public internal(set) var kind: SharedAccess

    package init(_ object: UInt64, _ kind: SharedAccess) {
        self.object = object
        self.kind = kind
    }
}

/// What the steps of a run did with what tasks share, as far as that is reported, and what their executors and tasks are.
public struct RunAccesses: Sendable {
    /// The accesses of all steps, one step after the other; of each step in ascending order of the objects.
    private var accesses: [RunAccess] = []
    /// The step of each of ``accesses``.
    private var steps: [Int32] = []
    /// The step that runs, and the index of its first access.
    private var current: (step: Int32, first: Int) = (-1, 0)
    /// The names of the serial executors, the same in every run, from number 1.
    private var executors: [UInt64] = []
    /// By the number of a task: whether a task waits for its end.
    private var areAwaited: [Bool] = []

    package init() {}

    /// The accesses of some steps that have ended.
    package init(_ steps: [[RunAccess]]) {
        for step in steps {
            beginStep()
            for access in step { add(access) }
        }
        end()
    }

    /// What a step did, in ascending order of the objects, each of which is there once.
    public subscript(step: Int) -> ArraySlice<RunAccess> {
        accesses[firstIndex(from: step)..<firstIndex(from: step + 1)]
    }

    /// Appends what a step did.
    func appendAccesses(of step: Int, to all: inout [RunAccess]) {
        var index = firstIndex(from: step)
        while index < accesses.count, steps[index] == step {
            all.append(accesses[index])
            index += 1
        }
    }

    /// The index of the first access of a step or a later one.
    private func firstIndex(from step: Int) -> Int {
        var (low, high) = (0, steps.count)
        while low < high {
            let middle = (low + high) / 2
            if steps[middle] < step { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether nothing was reported.
    var isEmpty: Bool { accesses.isEmpty }

    /// The name of a serial executor, by its number; 0 for none.
    func name(ofExecutor number: Int) -> UInt64 {
        executors.indices.contains(number - 1) ? executors[number - 1] : UInt64(truncatingIfNeeded: number)
    }

    /// Whether a task may wait for the end of another, which began it.
    func isAwaited(_ task: Int) -> Bool { areAwaited.indices.contains(task) ? areAwaited[task] : true }
}

extension RunAccesses {
    /// Begins a run.
    mutating func removeAll() {
        accesses.removeAll(keepingCapacity: true)
        steps.removeAll(keepingCapacity: true)
        current = (-1, 0)
        executors.removeAll(keepingCapacity: true)
        areAwaited.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    mutating func beginStep() {
        // What comes before the first step belongs to it.
        if current.step >= 0, accesses.count > current.first { endStep() }
        current.step += 1
    }

    /// Ends the last step.
    mutating func end() { if accesses.count > current.first { endStep() } }

    mutating func add(_ access: RunAccess) {
        if let last = accesses.last, last.object == access.object, accesses.count > current.first {
            accesses[accesses.count - 1].kind = last.kind.joined(with: access.kind)
        } else {
            accesses.append(access)
        }
    }

    mutating func addExecutor(_ name: UInt64) { executors.append(name) }
    mutating func addTask(isAwaited: Bool) { areAwaited.append(isAwaited) }

    private mutating func endStep() {
        accesses.joinByObject(from: current.first)
        while steps.count < accesses.count { steps.append(current.step) }
        current.first = accesses.count
    }
}

extension Array<RunAccess> {
    /// Brings what begins at an index into ascending order of the objects, each once.
    mutating func joinByObject(from first: Int = 0) {
        guard count > first + 1 else { return }
        self[first...].sort { $0.object < $1.object }
        var last = first
        for index in (first + 1)..<count {
            if self[index].object == self[last].object {
                self[last].kind = self[last].kind.joined(with: self[index].kind)
            } else {
                last += 1
                self[last] = self[index]
            }
        }
        removeLast(count - 1 - last)
    }
}
