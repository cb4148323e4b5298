internal import Interleaving
internal import Basics
internal import Testing

/// Filters the issues of an explored test: in all runs but the last, an issue only fails its run. In the last run, which repeats the
/// failure, issues are reported with a note. Warnings and issues that are known fail no run, and are reported once for each place.
final class IssueFilter: Sendable {
    private struct State {
        var passes = false
        var note: String?
        var passedAny = false
        /// Where issues that fail nothing have been reported.
        var told: [SourceLocation?] = []
    }

    // No run depends on it.
    private let state = Guarded(State())

    /// Whether an issue has passed.
    var passedAny: Bool { state.withLock(for: nil) { $0.passedAny } }

    func passAll(note: String?) {
        state.withLock(for: nil) { state in
            state.passes = true
            state.note = note
        }
    }

    @Sendable func filter(_ issue: Issue) -> Issue? {
        guard isSimulated else { return issue }
        guard issue.isFailure else {
            return state.withLock(for: nil) { state in
                guard !state.told.contains(issue.sourceLocation) else { return nil }
                state.told.append(issue.sourceLocation)
                return issue
            }
        }
        failRun(issue.description)
        return state.withLock(for: nil) { state in
            guard state.passes else { return nil }
            state.passedAny = true
            var issue = issue
            if let note = state.note { issue.comments.append(Comment(rawValue: note)) }
            return issue
        }
    }
}
