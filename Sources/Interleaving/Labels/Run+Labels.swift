/// What a run leaves behind for those who want to know what its steps were.
struct Trail: Hashable, Sendable {
    /// Where in the code each step went on; addresses of this process.
    var places: [UInt] = []
    /// What its tasks were named, from number 0.
    var tasks: [String?] = []
    /// The names of its serial executors, from number 1.
    var executors: [String] = []
    /// What happened at the steps that were faults.
    var notes: [Int: String] = [:]
}

extension Run {
    /// What a person calls the steps: functions, lines and names as far as this process can tell, else numbers.
    ///
    /// It reads the executable's symbols and asks a program for the lines, which takes a second or so: for the one run that is
    /// shown, not for many.
    public func labels() -> [StepLabel] {
        var names: [UInt: String?] = [:]
        for place in trail.places where names[place] == nil { names[place] = .some(FunctionName.at(place)) }
        let known = Array(names.keys)
        let lines = Dictionary(zip(known, SourceLines.of(known)), uniquingKeysWith: { first, _ in first })
        return steps.indices.map { index in
            var label = StepLabel(unknown: steps[index])
            let task = steps[index].choice.task
            if trail.tasks.indices.contains(task), let name = trail.tasks[task] {
                label.task = trail.tasks.count { $0 == name } == 1 ? name : "\(name) (\(label.task))"
            }
            let executor = steps[index].choice.executor
            if executor > 0, executor <= trail.executors.count, !trail.executors[executor - 1].isEmpty {
                label.actor = trail.executors[executor - 1]
            }
            if let note = trail.notes[index] { label.function = note }
            guard index < trail.places.count else { return label }
            let place = trail.places[index]
            if let name = names[place] ?? nil {
                label.function = trail.notes[index].map { "\($0), in \(name)" } ?? name
            }
            if let line = lines[place] ?? nil { (label.file, label.line) = (line.file, line.line) }
            return label
        }
    }
}
