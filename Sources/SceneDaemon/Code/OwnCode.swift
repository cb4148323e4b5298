internal import Basics
internal import CFatalSignal
internal import CommandMistakes
internal import Logging
internal import NIOCore
internal import SceneEntryPoints
internal import SceneRuntime
internal import Systemd

/// Where an app's own code runs, and who knows what it is doing: apart from the event loops, so that code which does not return
/// delays only its own window, or who sent the event about which an adapter was asked.
final class OwnCode: Sendable {
    private let watch: CodeWatch
    /// The kinds of the events that have not ended, by their IDs.
    private let kinds = Guarded<[String: String]>([:])
    /// Idle queues for adapters.
    private let idle = Guarded<[CodeQueue]>([])

    init(eventLoop: any EventLoop, logger: Logger) {
        watch = CodeWatch(
            eventLoop: eventLoop,
            blocks: { logger.log(.codeBlocks, $0.metadata) },
            goesOn: { logger.log(.codeGoesOn, $0.metadata) }
        )
    }

    /// Has a signal that ends the daemon tell first what the code was doing.
    static func tellOfFatalSignals() {
        // Journald takes the level from the beginning of a line.
        let level = standardErrorIsJournal() ? "<2>" : ""
        _ = fatal_signals_tell("\(level)\(CommandName.own): ")
    }

    /// A queue for a window, or for the app itself.
    func queue() -> CodeQueue { CodeQueue(watch: watch) }

    /// Notes what the windows do, on their own queues.
    func follow(_ records: RecordLog) {
        _ = records.listen { [self] record in
            guard let event = record.subject.event else { return }
            switch record.kind {
            case .eventAdmitted:
                if case .eventAdmitted(let arrival) = record.body { kinds.withLock { $0[event] = arrival.kind } }
            case .dispatchBegan:
                let kind = kinds.withLock { $0[event] }
                let subject = record.subject
                CodeWork.current?.doing(
                    CodeActivity(scene: subject.scene, event: event, kind: kind, ticket: subject.ticket)
                )
            case .dispatchEnded:
                CodeWork.current?.doing(record.subject.scene.map { CodeActivity(scene: $0) })
                if case .dispatchEnded(let outcome) = record.body, outcome.isTerminal {
                    kinds.withLock { $0[event] = nil }
                }
            default: break
            }
        }
    }

    /// Runs what asks the app's adapters about an event of a kind.
    func askAdapters(kind: EntryKind, _ body: @escaping @Sendable () -> Void) {
        let queue = idle.withLock { $0.popLast() } ?? queue()
        queue.run { [self] in
            queue.work.doing(.adapters(kind: kind.rawValue))
            body()
            queue.work.doing(nil)
            idle.withLock { $0.append(queue) }
        }
    }
}

extension CodeWork.Overdue {
    fileprivate var metadata: Logger.Metadata {
        var metadata = activity?.metadata ?? ["doing": "the app's code, between two events"]
        metadata["seconds"] = "\(time.nanoseconds / 1_000_000_000)"
        return metadata
    }
}
