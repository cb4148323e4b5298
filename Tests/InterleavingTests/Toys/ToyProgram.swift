import Interleaving

/// A small machine for trying strategies without executors: its tasks are lists of steps.
struct ToyProgram: Sendable {
    struct Step: Sendable {
        /// The serial executor it runs on; 0 is none.
        var executor: Int
        /// Tasks that begin with it.
        var begins: [Int] = []
        /// Tasks that are woken, now or when they next fall asleep.
        var wakes: [Int] = []
        /// Whether the task sleeps after this step until it is woken.
        var sleeps = false
        /// What it does with shared objects, named from 1 to 31.
        var accesses: [RunAccess] = []
        var priority: UInt8 = 0
        /// Its effect on the shared state.
        var action: @Sendable (inout ToyState) -> Void = { _ in }
    }

    /// The first one is the root.
    var tasks: [[Step]]
    var mailboxes = MailboxPolicy.fifo
    /// What is wrong at the end, if anything.
    var check: @Sendable (ToyState) -> String? = { _ in nil }
    /// The most steps of a run.
    var maxSteps = 10_000
}

/// The state that all tasks share.
struct ToyState: Hashable, Sendable {
    var values = [Int](repeating: 0, count: 8)
    var failure: String?
}

struct ToyRun: Sendable {
    var steps: [RunStep]
    var accesses: RunAccesses
    var failure: String?
    var schedule: RunSchedule { RunSchedule(following: steps) }
}

extension ToyProgram {
    private struct Job {
        let task: Int
        let enabler: Int?
    }

    private struct Machine {
        var state = ToyState()
        var pending: [Job] = []
        /// By task: the number of its next step, whether it sleeps, and whether it was woken before it slept.
        var next: [Int]
        var asleep: [Bool]
        var woken: [Bool]
    }

    /// One run under a strategy.
    func run(
        _ strategy: inout some ExplorationStrategy,
        seed: UInt64 = 0,
        length: Int = 1,
        without deleted: Set<Int> = []
    )
        -> ToyRun
    {
        strategy.begin(seed: seed, length: length)
        var machine = Machine(
            pending: [Job(task: 0, enabler: nil)],
            next: Array(repeating: 0, count: tasks.count),
            asleep: Array(repeating: false, count: tasks.count),
            woken: Array(repeating: false, count: tasks.count)
        )
        var steps: [RunStep] = []
        var accesses: [[RunAccess]] = []
        while !machine.pending.isEmpty, steps.count < maxSteps {
            let offered = offered(machine)
            let choices = offered.map { choice(of: machine.pending[$0], machine) }
            let position = choices.count > 1 ? strategy.choose(among: choices.span, at: steps.count) : 0
            let job = machine.pending.remove(at: offered[position])
            let step = tasks[job.task][machine.next[job.task]]
            steps.append(
                RunStep(
                    choice: choices[position],
                    position: position,
                    alternatives: choices.count,
                    enabler: job.enabler,
                    time: 0,
                    passedOver: position > 0 ? choices[0].event : nil
                )
            )
            accesses.append(step.accesses + wakeups(step, of: job.task))
            perform(step, of: job.task, at: steps.count - 1, without: deleted, &machine)
        }
        strategy.end(steps.span, RunAccesses(accesses))
        return ToyRun(
            steps: steps,
            accesses: RunAccesses(accesses),
            failure: machine.state.failure ?? check(machine.state)
        )
    }

    private func perform(_ step: Step, of task: Int, at index: Int, without deleted: Set<Int>, _ machine: inout Machine)
    {
        step.action(&machine.state)
        machine.next[task] += 1
        for begun in step.begins where !deleted.contains(begun) {
            machine.pending.append(Job(task: begun, enabler: index))
        }
        for sleeper in step.wakes {
            if machine.asleep[sleeper] {
                machine.asleep[sleeper] = false
                machine.pending.append(Job(task: sleeper, enabler: index))
            } else {
                machine.woken[sleeper] = true
            }
        }
        guard machine.next[task] < tasks[task].count else { return }
        if step.sleeps, !machine.woken[task] {
            machine.asleep[task] = true
        } else {
            if step.sleeps { machine.woken[task] = false }
            machine.pending.append(Job(task: task, enabler: index))
        }
    }

    /// The positions of the jobs that the mailboxes offer.
    private func offered(_ machine: Machine) -> [Int] {
        let all = Array(machine.pending.indices)
        guard mailboxes != .anyOrder else { return all }
        return all.filter { place in
            let choice = choice(of: machine.pending[place], machine)
            guard choice.executor > 0 else { return true }
            return !all.contains { other in
                let rival = self.choice(of: machine.pending[other], machine)
                guard rival.executor == choice.executor, other != place else { return false }
                if mailboxes == .priority, rival.priority != choice.priority { return rival.priority > choice.priority }
                return other < place
            }
        }
    }

    /// A task and those that wake it share whether it is awake.
    private func wakeups(_ step: Step, of task: Int) -> [RunAccess] {
        ((step.sleeps ? [task] : []) + step.wakes).map { RunAccess(UInt64(32 + $0), .write) }
    }

    private func choice(of job: Job, _ machine: Machine) -> RunChoice {
        let step = tasks[job.task][machine.next[job.task]]
        return RunChoice(
            event: RunEventID(task: UInt64(job.task + 1), ordinal: UInt32(machine.next[job.task])),
            task: job.task,
            executor: step.executor,
            priority: step.priority,
            kind: .job
        )
    }
}
