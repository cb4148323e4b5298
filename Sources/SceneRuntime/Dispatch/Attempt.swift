internal import SceneNavigation
internal import SceneRouting
internal import SceneVocabulary

/// One attempt to dispatch an event (<doc:Words>), and what is known about it so far.
package final class Attempt {
    let event: AdmittedEvent
    /// 1 for the first, 2 and more for resumes.
    let number: Int
    let kind: DispatchKind
    /// How many attempts before this one the end of the host has interrupted, one after the other.
    let interruptions: Int
    let subject: Record.Subject
    /// What the event is answered with, if it is an intent that is.
    var answer: [String: FactValue]?
    /// Whether an op of this attempt has begun, in any round.
    var hasChangedWindow = false
    /// Whether the attempt has committed something itself.
    var hasCommitted = false
    /// The windows that it has asked for.
    var windows: [WindowAnswer] = []
    /// What its own window is for, if windows that are for it are to be closed.
    var closing: Destination?
    /// Whether it has closed its own window.
    var hasClosedWindow = false
    /// The epoch to which the attempt belongs: that of the event's admission, or the one that the attempt's own commit made
    /// (<doc:TheSession#S8>). `nil` for what is decided afresh: navigation from outside, and what was parked.
    var epoch: Int?
    /// What attempts before a restart have done outside of their window, and this one has not come to yet.
    private var done: [KeptEffect]
    /// How many commits it has come to.
    private var commits = 0
    /// Who has taken its intent in an attempt before a restart, and what was wanted.
    private let taken: (chain: [String], commands: [FlowCommand])?
    /// The gate that the intent's own flow left closed. If it stops the attempt again, the event is rejected.
    let unsatisfied: ParkedIntent.Gate?

    /// - Parameter scene: The scene that dispatches it; `nil` for the app itself.
    init(
        event: AdmittedEvent,
        number: Int,
        kind: DispatchKind,
        interruptions: Int = 0,
        scene: String?,
        unsatisfied: ParkedIntent.Gate? = nil
    ) {
        self.interruptions = interruptions
        self.unsatisfied = unsatisfied
        self.event = event
        self.number = number
        self.kind = kind
        // What was parked is decided afresh, and only navigates.
        let effects = kind == .dispatch ? event.effects : []
        done = effects.filter { $0.taken == nil }
        taken = effects.lazy.compactMap(\.taken).last
        epoch = kind == .dispatch && event.work.isOwned ? event.epoch : nil
        if let committed = done.lazy.compactMap(\.epoch).last { epoch = committed }
        subject = Record.Subject(
            scene: scene,
            ticket: event.ticket,
            attempt: number,
            event: event.id,
            connection: event.connection
        )
    }

    /// The attempt that parked the intent.
    convenience init(_ parked: ParkedIntent, scene: String) {
        self.init(event: parked.event, number: parked.attempt, kind: .dispatch, scene: scene)
    }

    /// The attempt that begins with an event's turn: the first, or after a restart the one that does again what was not brought to its end.
    convenience init(_ event: AdmittedEvent, scene: String?) {
        self.init(
            event: event,
            number: event.lastAttempt + 1,
            kind: .dispatch,
            interruptions: event.lastAttempt,
            scene: scene
        )
    }

    /// Whether its event is given up, because the host has ended in so many attempts of it.
    var isGivenUp: Bool { interruptions >= Interruptions.most }

    /// Whether it is that of an event from outside which is newer than what is parked: the first attempt. A resume is not newer.
    var isNewer: Bool { kind == .dispatch && event.source == .external }

    /// Whether an attempt before a restart has done something that this one has not come to yet: it goes on with what that had decided, by a
    /// session that is not the same any more.
    var goesOn: Bool { !done.isEmpty }

    /// Who has taken its intent in an attempt before a restart that has committed what was wanted, and that: asked by the session as it
    /// is since, somebody else might take it, or nobody.
    var decision: (chain: [String], commands: [FlowCommand])? {
        done.contains { $0.epoch != nil } ? taken : nil
    }

    /// Whether an attempt before a restart has made the commit to which this one has come: then it is not made again (<doc:TheSession#S8>).
    /// Asked once before each commit.
    func hasCommittedBefore() -> Bool {
        commits += 1
        guard let index = done.firstIndex(where: { $0.isCommit(commits) }) else { return false }
        done.remove(at: index)
        return true
    }

    /// The answer that an attempt before a restart has got to the request for a window to which this one has come; `nil` if it had not asked.
    func answerBefore() -> WindowAnswer? {
        for (index, effect) in done.enumerated() {
            guard case .window(let answer) = effect else { continue }
            done.remove(at: index)
            return answer
        }
        return nil
    }

    /// What is kept when it begins.
    var began: KeptChange { .began(event.key, attempt: number) }

    /// Whether the user to whom the attempt belongs has left since.
    func isLeft(by newest: SessionSnapshot) -> Bool { epoch != nil && epoch != newest.epoch }

    /// The origin of commits that this attempt makes.
    var origin: CommitOrigin {
        var origin = CommitOrigin(scene: subject.scene, event: event.id, connection: event.connection)
        (origin.key, origin.number) = (event.key, commits)
        return origin
    }
}

/// How an attempt ended, with the snapshot that decided it.
struct Ending {
    let outcome: Outcome
    let snapshot: SessionSnapshot

    init(_ outcome: Outcome, _ snapshot: SessionSnapshot) {
        self.outcome = outcome
        self.snapshot = snapshot
    }

    /// That of an attempt that does nothing, because the host has ended in so many before it.
    static func givenUp(at snapshot: SessionSnapshot) -> Ending {
        Ending(.abandoned(reason: Interruptions.reason), snapshot)
    }
}
