import Interleaving

extension ToyProgram {
    /// A root that begins tasks with steps on the given executors.
    static func parallel(_ executors: [[Int]], mailboxes: MailboxPolicy = .fifo) -> ToyProgram {
        let children = executors.map { $0.map { Step(executor: $0) } }
        return ToyProgram(
            tasks: [[Step(executor: 0, begins: Array(1..<executors.count + 1))]] + children,
            mailboxes: mailboxes
        )
    }

    /// Tasks that each read a number on one actor, hop to another, and write the number plus one on the first.
    static func lostUpdate(tasks count: Int) -> ToyProgram {
        let children = (1...count).map { task in
            [
                Step(executor: 1) { $0.values[task] = $0.values[0] },
                Step(executor: task + 1),
                Step(executor: 1) { $0.values[0] = $0.values[task] + 1 },
            ]
        }
        return ToyProgram(
            tasks: [[Step(executor: 0, begins: Array(1...count))]] + children,
            check: { $0.values[0] == count ? nil : "lost update" }
        )
    }

    /// The same with nothing between reading and writing.
    static func keptUpdate(tasks count: Int) -> ToyProgram {
        let children = (1...count).map { _ in
            [Step(executor: 0), Step(executor: 1) { $0.values[0] += 1 }, Step(executor: 0)]
        }
        return ToyProgram(
            tasks: [[Step(executor: 0, begins: Array(1...count))]] + children,
            check: { $0.values[0] == count ? nil : "lost update" }
        )
    }

    /// Fails if the first task's only step comes after all of the second's: needs one long delay of one task.
    static func starved(steps: Int) -> ToyProgram {
        ToyProgram(
            tasks: [
                [Step(executor: 0, begins: [1, 2])],
                [Step(executor: 0) { if $0.values[0] == steps { $0.failure = "starved" } }],
                (0..<steps).map { _ in Step(executor: 0) { $0.values[0] += 1 } },
            ]
        )
    }

    /// A random program for comparing searches, with a few tasks, executors, sleeps and wake-ups.
    /// - Parameter accesses: One of so many steps does something with a shared object.
    static func random(_ random: inout SplitMix, mailboxes: MailboxPolicy, accesses: Int = 8) -> ToyProgram {
        let count = 2 + random.below(3)
        let executors = 1 + random.below(3)
        var tasks: [[Step]] = [[Step(executor: 0, begins: [1, 2])]]
        for _ in 1...count {
            var steps: [Step] = []
            for _ in 0..<(1 + random.below(3)) {
                var step = Step(executor: random.below(4) == 0 ? 0 : 1 + random.below(executors))
                if random.below(5) == 0 { step.wakes = [1 + random.below(count)] }
                if random.below(8) == 0 { step.sleeps = true }
                if random.below(accesses) == 0 {
                    let kinds: [SharedAccess] = [.read, .addition, .write]
                    step.accesses = [RunAccess(UInt64(1 + random.below(2)), kinds[random.below(3)])]
                }
                step.priority = UInt8(random.below(3))
                steps.append(step)
            }
            tasks.append(steps)
        }
        if count > 2 { for task in 3...count { tasks[random.below(2) + 1][0].begins.append(task) } }
        return ToyProgram(tasks: tasks, mailboxes: mailboxes)
    }
}
