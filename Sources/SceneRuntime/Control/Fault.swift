#if DEBUG
    package import Locking
#endif

/// A mistake that the runtime makes on purpose, so that a test can see whether an exploration finds it.
///
/// Each belongs to one promise of the runtime (<doc:SceneRuntime>). A release build can make none of them: there
/// ``isMade`` is a constant, and nothing sets it.
package enum Fault: String, Hashable, Sendable, CaseIterable {
    // S1: what is decided is decided by what is so now.
    /// A dispatch that has to resolve again looks at the session it looked at first.
    case staleRounds
    /// A resume goes where its intent wanted to go, by the session that set it free, whatever has become of that since.
    case resumeWithoutResolution
    // S2, S6: what shows is valid when it shows.
    /// An op is not checked against the newest session before it begins.
    case unchecked
    /// What was resolved for one user may show for the next.
    case missingFence
    /// A step is recorded with the session it was resolved by, not with the one it was checked against.
    case oldRevisionRecorded
    // S3: what is shown is checked after each commit.
    /// Scenes hear of no commit.
    case missingSweep
    /// A commit during a sweep asks for no other.
    case sweepSwallowed
    /// A window comes back as it was, whatever the session has become.
    case restoredUnchecked
    // S4: commit before notify.
    /// A flow reports that it is complete while its commit is on its way.
    case notifyBeforeCommit
    /// What waits for a flow is judged by the session before the flow's commit.
    case judgedBeforeCommit
    // S5: one sign-in serves all windows.
    /// Only the flow that reports resumes what waits.
    case resumesOwnOnly
    /// A flow that nobody needs any more stays on screen.
    case pointlessFlowStays
    /// A late report of a flow is committed.
    case lateReportCommits
    /// An intent is resumed and parked still.
    case freedTwice
    // S7: nothing is inherited.
    /// What was parked by who left is resumed for whoever comes.
    case inherited
    /// A resume that was due for who left goes on for whoever came meanwhile.
    case resumedForNext
    /// A coordinator's commit is made for whoever is there, though another user pressed the button.
    case committedForNext
    /// The facts of who leaves stay.
    case factsStay
    /// The commit by which a user leaves makes no epoch.
    case epochStays
    /// An earlier sign-in's expiry signs out whoever is there.
    case expiryStays
    // The mailbox.
    /// Items are handled without waiting for the one before.
    case overlap
    /// A lock that suspends stands where the mailbox should: who waits longest need not be next.
    case suspendingLock
    /// The mailbox looks whether it is empty, and falls asleep a moment later without looking again.
    case lostWakeUp
    /// The newest event goes first.
    case lastInFirstOut
    /// A full mailbox uses up a ticket.
    case ticketLost
    /// What comes to a busy scene when something waits already is dropped.
    case eventDropped
    /// Resumes wait behind the events that came meanwhile.
    case resumesLast
    /// A disconnection goes before what was admitted before it.
    case disconnectsFirst
    // Events and outcomes.
    /// An event is admitted under an ID that another has.
    case duplicateAdmitted
    /// A commit based on an old revision is taken.
    case staleRevisionTaken
    /// A coordinator's change is computed from the session as it was before the commit's turn.
    case lostUpdate
    /// An attempt's end is recorded some time after it.
    case recordedLate
    // Parking.
    /// Whoever navigates supersedes, from inside the flow too.
    case insidersSupersede
    /// What ends rejected supersedes all the same.
    case rejectedSupersedes
    /// Who has taken the flow off the screen is not told that its intent waits for ever.
    case strandedForgotten
    /// An intent that its own flow left closed is stopped by the same gate again.
    case gatedForEver
    /// A gate that somebody closed after the flow's commit is held against the flow.
    case closedLaterIsUnsatisfied
    // Windows.
    /// The next op begins in the middle of a transition.
    case transitionNotAwaited
    /// A discarded scene keeps what waited.
    case discardLeavesPending
    /// A discarded scene keeps what was parked.
    case discardLeavesParked
    /// Discarding a window signs the user out.
    case discardSignsOut
    /// A window's parked intents go with its disconnection.
    case parkedLostOnDisconnect
    /// A window that comes back forgets what may be resumed by now.
    case handOverLost
    /// An event finds its window gone and brings none back.
    case coldEventWithoutWindow
    /// The first window takes what any could take, whichever is in front and whichever prefers it.
    case wrongWindow

    #if DEBUG
        /// The fault that the current task and those it starts run with.
        @TaskLocal package static var injected: Fault? = everywhere.withLock { $0 }

        /// The fault of every task that has none of its own, such as those of a daemon; to be set before the first task
        /// looks.
        package static let everywhere = Guarded<Fault?>(nil)
    #endif

    /// Whether the mistake is to be made here.
    @inline(__always)
    var isMade: Bool {
        #if DEBUG
            Self.injected == self
        #else
            false
        #endif
    }
}
