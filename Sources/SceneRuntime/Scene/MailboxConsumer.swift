/// The one consumer of a mailbox: it handles the next item only when the last has ended, whatever awaits lie in between.
protocol MailboxConsumer: Actor {
    nonisolated var mailbox: Mailbox { get }
    /// The name of its tasks in reports.
    nonisolated var taskName: String { get }
    /// Lets others that share the consumer's executor run; with `nil` it goes to the end of the executor's queue.
    nonisolated var pause: SceneContext.Pause? { get }
    /// Handles one item.
    func handle(_ item: MailboxItem) async
    /// Called once, when the mailbox is closed and empty.
    func finish()
}

/// How many items are handled before others on the same executor have their turn.
private let itemsPerTurn = 8

/// A closure that starts a task with `body`, from any thread. The task begins on the executor of the actor in which `body` is
/// written; one started outside the actor would begin on the shared thread pool and then hop.
private func taskStarter(
    _ name: String,
    @_inheritActorContext _ body: @escaping @isolated(any) @Sendable () async -> Void
) -> @Sendable () -> Void {
    { Task(name: name, operation: body) }
}

extension MailboxConsumer {
    /// Handles the mailbox's items one after the other until none is left. The mailbox starts it again for the next item.
    ///
    /// An idle consumer has no task: a task keeps the memory that handling took, some 20 KiB, until it ends.
    func run() async {
        let wake = taskStarter(taskName) { [self] in await run() }
        var handled = 0
        while true {
            switch mailbox.take(orRest: wake) {
            case .rest: return
            case .closed: return finish()
            case .item(let item):
                await handle(item)
            }
            handled += 1
            guard handled.isMultiple(of: itemsPerTurn), !mailbox.isEmpty else { continue }
            guard let pause else {
                await Task.yield()
                continue
            }
            return pause(wake)
        }
    }
}
