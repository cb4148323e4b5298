internal import Basics
internal import SceneRuntime

/// The commits, admissions and records of a run, observed as they happen. A simulation runs on one thread, so they have one order, and the
/// history that the checker reads has to agree with it.
final class ObservedOrder: Sendable {
    private struct Heard {
        let index: Int
        let kind: RecordKind
        /// The newest revision at that time, as the session's listeners heard it.
        let committed: Int
    }

    private struct Admitted {
        let admission: Admission
        /// The records that were made while it was admitted. Where others may come in between, theirs are among them.
        let during: StepMark
    }

    /// What an event was admitted as.
    private struct Admission: Hashable {
        let event: String
        let scene: String?
        let ticket: Int?
    }

    private struct State {
        var heard: [Heard] = []
        var commits: [Int] = []
        var admitted: [Admitted] = []
    }

    // It only watches: what is explored does not depend on it.
    private let state = Guarded(State(), isReported: false)

    /// Observes a host until it is gone.
    init(_ host: SceneHost) {
        state.withLock { $0.commits = [host.session.snapshot.revision] }
        let next = host.records.watchedIndex
        _ = host.session.listen { [self] snapshot in
            state.withLock { state in
                if state.commits.last != snapshot.revision { state.commits.append(snapshot.revision) }
            }
        }
        _ = host.records.listen(onlyWatches: true) { [self] record in
            guard record.index > next else { return }
            state.withLock { state in
                let committed = state.commits.last ?? 0
                state.heard.append(Heard(index: record.index, kind: record.kind, committed: committed))
            }
        }
    }

    /// Notes that an event was admitted.
    /// - Parameter during: The records before and after the call that has admitted it.
    func admitted(_ event: String, _ receipt: Receipt, during: StepMark) {
        state.withLock { state in
            state.admitted.append(
                Admitted(
                    admission: Admission(event: event, scene: receipt.scene, ticket: receipt.ticket),
                    during: during
                )
            )
        }
    }

    /// How a history differs, one sentence each.
    /// - Parameter events: The IDs of all events that could be observed; `nil` if there are no others. Code of the app sends its own.
    func differences(from history: [Record], ofEvents events: Set<String>? = nil) -> [String] {
        let state = state.withLock { $0 }
        guard let first = state.heard.first?.index else { return [] }
        let told = history.filter { $0.index >= first }
        var differences: [String] = []
        if told.map(\.index) != state.heard.map(\.index) || told.map(\.kind) != state.heard.map(\.kind) {
            differences.append("the records, or their order, differ from what was observed")
        }
        for (record, heard) in zip(told, state.heard) {
            guard case .navigationStep = record.body, let revision = record.subject.revision,
                revision != heard.committed
            else { continue }
            differences.append(
                "record \(record.index), a step, says revision \(revision), but \(heard.committed) was the newest"
            )
        }
        let revisions = told.compactMap { record in
            record.kind == .sessionCommitted ? record.subject.revision : nil
        }
        if revisions != Array(state.commits.dropFirst()) {
            differences.append("the recorded commits are \(revisions), but \(state.commits.dropFirst()) happened")
        }
        // The records that tell of each admission.
        var recorded: [Admission: [Int]] = [:]
        for record in told {
            // With what a window begins that the app asked for, nobody has sent.
            guard case .eventAdmitted(let arrival) = record.body, !arrival.isForRequestedWindow,
                let event = record.subject.event, events?.contains(event) ?? true
            else { continue }
            let admission = Admission(event: event, scene: record.subject.scene, ticket: record.subject.ticket)
            recorded[admission, default: []].append(record.index)
        }
        let areTold = state.admitted.allSatisfy { admitted in
            recorded[admitted.admission]?.contains {
                $0 > admitted.during.began && $0 <= admitted.during.done
            } ?? false
        }
        let count = recorded.values.reduce(0) { $0 + $1.count }
        if count != state.admitted.count || !areTold {
            differences.append("the recorded admissions, or their order, differ from what happened")
        }
        return differences
    }
}
