internal import CInterleaving

/// How a run ended, when nothing more can happen or too much has.
extension Simulator {
    /// What left the simulation, if anything did. The first time that a run comes to rest too early, it waits a little: what
    /// escaped to another thread may not have come back yet.
    func escape() -> String? {
        while true {
            if let escape = Escapes.take(of: tasks) { return escape }
            guard !rootHasEnded, patience > 0 else { return nil }
            interleaving_pause(1)
            patience -= 1
        }
    }

    func verdictAtRest() -> Verdict {
        if let failure { return .failed(failure) }
        if let misuse = interleaving_misuse().map({ String(cString: $0) }) {
            return .lostContinuation(Self.sentence(misuse), rootHasEnded ? [] : waiters())
        }
        if !rootHasEnded { return .deadlock(waiters()) }
        let leaked = allowsTaskLeaks ? [] : waiters()
        return leaked.isEmpty ? .passed : .taskLeak(leaked)
    }

    func livelockVerdict() -> Verdict {
        if let failure { return .failed(failure) }
        if !rootHasEnded { return .livelock(steps: log.count) }
        return allowsTaskLeaks ? .passed : .taskLeak(waiters())
    }

    /// The tasks that have not ended and are not to end a sleep, in the order of their making.
    private func waiters() -> [Waiter] {
        var found: [Int: Waiter] = [:]
        var open = tasks.entries.compactMap { entry in
            entry.object.flatMap { entry.isTimer || RuntimeTask.isComplete($0) ? nil : $0 }
        }
        // The memory of an `async let` may be gone, except where a task waits for it.
        while let task = open.popLast() {
            guard let number = tasks.index(of: RuntimeTask.id(of: task)), found[number] == nil else { continue }
            let dependency = RuntimeTask.dependency(of: task)
            if case .task(let other) = dependency { open.append(other) }
            found[number] = Waiter(
                task: number,
                name: tasks.entries[number].name,
                function: FunctionName.at(RuntimeTask.place(of: task)),
                reason: dependency.reason { self.tasks.index(of: RuntimeTask.id(of: $0)) }
            )
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The runtime's report without its shouting prefix and line ends.
    private static func sentence(_ report: String) -> String {
        var text = Substring(report)
        if let prefix = text.firstRange(of: "CONTINUATION MISUSE: ") { text = text[prefix.upperBound...] }
        while let last = text.last, last.isNewline { text.removeLast() }
        return String(text)
    }
}
