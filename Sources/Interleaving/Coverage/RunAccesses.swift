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
    /// For each step, the index of its first access.
    private var starts: [Int] = []
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
        guard starts.indices.contains(step) else { return [] }
        return accesses[starts[step]..<(step + 1 < starts.count ? starts[step + 1] : accesses.count)]
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
        starts.removeAll(keepingCapacity: true)
        executors.removeAll(keepingCapacity: true)
        areAwaited.removeAll(keepingCapacity: true)
    }

    mutating func beginStep() {
        // What comes before the first step belongs to it.
        if !starts.isEmpty { sortStep() }
        starts.append(starts.isEmpty ? 0 : accesses.count)
    }

    /// Ends the last step.
    mutating func end() { sortStep() }

    mutating func add(_ access: RunAccess) {
        if let last = accesses.last, last.object == access.object, accesses.count > starts.last ?? 0 {
            accesses[accesses.count - 1].kind = last.kind.joined(with: access.kind)
        } else {
            accesses.append(access)
        }
    }

    mutating func addExecutor(_ name: UInt64) { executors.append(name) }
    mutating func addTask(isAwaited: Bool) { areAwaited.append(isAwaited) }

    private mutating func sortStep() {
        guard let start = starts.last, accesses.count > start + 1 else { return }
        let sorted = accesses[start...].joinedByObject()
        accesses.replaceSubrange(start..., with: sorted)
    }
}

extension Sequence<RunAccess> {
    /// In ascending order of the objects, each once.
    func joinedByObject() -> [RunAccess] {
        var joined: [RunAccess] = []
        for access in sorted(by: { $0.object < $1.object }) {
            if let last = joined.last, last.object == access.object {
                joined[joined.count - 1].kind = last.kind.joined(with: access.kind)
            } else {
                joined.append(access)
            }
        }
        return joined
    }
}
