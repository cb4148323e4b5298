/// A step in words: which task, on which actor, in which function and line.
package struct StepLabel: Hashable, Sendable {
    /// The name of the task, such as `window B` or `task 3`.
    package var task: String
    /// The name of the actor, or other serial executor, that it ran on.
    package var actor: String?
    /// The function that went on, such as `Session.commit(_:)`.
    package var function: String?
    /// The source file in which it went on.
    package var file: String?
    /// The line in that file, counted from 1.
    package var line: Int?
    /// The task in whose lane a report shows it, by the hash of its path, if that is not the step's own.
    package var lane: UInt64?

    /// - Parameters: As the properties.
    package init(task: String, actor: String? = nil, function: String? = nil, file: String? = nil, line: Int? = nil) {
        self.task = task
        self.actor = actor
        self.function = function
        self.file = file
        self.line = line
    }
}

extension StepLabel {
    /// A label of numbers, for a step of which nothing else is known.
    package init(unknown step: RunStep) {
        self.init(
            task: "task \(step.choice.task)",
            actor: step.choice.executor == 0 ? nil : "actor \(step.choice.executor)"
        )
        switch step.choice.kind {
        case .job: break
        case .timer: function = "a sleep ends"
        case .fault: function = "a fault happens"
        }
    }

    /// The name of the file without its folders, and the line, such as `Session.swift:41`.
    package var place: String? {
        guard let name = file?.split(separator: "/").last else { return nil }
        return line.map { "\(name):\($0)" } ?? String(name)
    }
}

extension ExploredRun {
    /// The steps in words: functions, lines and names as far as this process knows them, else numbers.
    ///
    /// It reads the executable's symbols and runs `addr2line`, which takes about a second, so call it only for a run that is shown.
    package func labels() -> [StepLabel] {
        var names: [UInt: String?] = [:]
        for place in trail.places where names[place] == nil { names[place] = .some(FunctionName.at(place)) }
        let known = Array(names.keys)
        let lines = Dictionary(zip(known, SourceLines.of(known)), uniquingKeysWith: { first, _ in first })
        let uses = Dictionary(trail.tasks.lazy.compactMap(\.self).map { ($0, 1) }, uniquingKeysWith: +)
        let followers = followers()
        func title(_ task: Int) -> String {
            guard trail.tasks.indices.contains(task), let name = trail.tasks[task] else { return "task \(task)" }
            return uses[name] == 1 ? name : "\(name) (task \(task))"
        }
        return steps.indices.map { index in
            var label = StepLabel(unknown: steps[index])
            label.task = title(steps[index].choice.task)
            let executor = steps[index].choice.executor
            if executor > 0, executor <= trail.executors.count, !trail.executors[executor - 1].isEmpty {
                label.actor = trail.executors[executor - 1]
            }
            var note = trail.notes[index]
            var step = index
            // The runtime ends a sleep by a task of its own, and a yield by a job: both belong to the task that goes on after them.
            if let what = between(steps[index]) {
                note = what
                // Where the run ends before, the step that began the yield is of the same task.
                step = followers[index] ?? steps[index].enabler ?? index
                label.task = title(steps[step].choice.task)
                label.lane = steps[step].choice.event.task
                if followers[index] == nil {
                    label.function = note
                    return label
                }
            }
            if let note { label.function = note }
            guard step < trail.places.count else { return label }
            let place = trail.places[step]
            if let name = names[place] ?? nil { label.function = note.map { "\($0), in \(name)" } ?? name }
            if let line = lines[place] ?? nil { (label.file, label.line) = (line.file, line.line) }
            return label
        }
    }

    /// What a step is that the runtime takes for a task which waits; nil for a step of a task.
    private func between(_ step: RunStep) -> String? {
        step.choice.kind == .timer ? "a sleep ends" : trail.yields.contains(step.choice.task) ? "yields" : nil
    }

    /// By the step at which a sleep or a yield ends: the step at which the task goes on.
    private func followers() -> [Int: Int] {
        var followers: [Int: Int] = [:]
        for (index, step) in steps.enumerated() {
            guard let enabler = step.enabler, steps.indices.contains(enabler), between(steps[enabler]) != nil else {
                continue
            }
            if followers[enabler] == nil { followers[enabler] = index }
        }
        return followers
    }

    /// How it ended, in words: as the verdict says it, each task that waits with its line, and several of them in a list.
    ///
    /// It runs `addr2line`, as the labels of steps do, so call it only for a run that is shown.
    public func ending() -> String {
        let known = Array(Set(trail.waits.values))
        let lines = Dictionary(zip(known, SourceLines.of(known)), uniquingKeysWith: { first, _ in first })
        let text = verdict.text { waiters in
            let texts = waiters.map { waiter in
                waiter.text(at: trail.waits[waiter.task].flatMap { lines[$0] ?? nil }?.description)
            }
            switch texts.count {
            case 0: return "nothing can go on"
            case 1: return texts[0]
            default: return texts.map { "\n  \($0)" }.joined()
            }
        }
        return text.replacing(" \n", with: "\n")
    }
}
