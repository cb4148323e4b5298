/// The words with which an event may end, by <doc:/SceneRuntime/Outcomes>. Names of preconditions and conditions come on top.
package enum Reasons {
    /// Why a gesture is ignored.
    package static let ignored: Set<String> = [
        "inTransition", "nothingToPop", "backHidden", "nothingPresented", "notSwipeable", "noTabs", "tabsCovered",
        "noSuchTab", "atRoot", "swipeCancelled",
    ]

    /// Why something is given up.
    package static let abandoned: Set<String> = [
        "flowCancelled", "sceneDiscarded", "userLeft", "shutdown", "attemptsInterrupted",
    ]

    /// Why a step cannot be made.
    package static let ofSteps: Set<String> = ["stackFull", "violation"]
    /// The beginnings of further ones.
    package static let ofStepsInWords = ["screenFailed", "seamFailed"]

    /// Why an event that is admitted all the same leads nowhere.
    package static let ofNowhere: Set<String> = ["unknownRoute", "noAdapter", "malformed", "notAssociated"]
    /// The beginnings of further ones.
    package static let ofNowhereInWords = ["validationFailed: "]

    /// Why an action in the background is refused.
    package static let ofActions: Set<String> = ["otherUser", "unhandledIntent", "invalidUser"]
    /// The beginnings of further ones.
    package static let ofActionsInWords = ["invalidFact: "]

    /// Why what code in Swift hears of is refused.
    package static let ofCode = ofActions.union(["intentFailed", "contended"])

    /// Why a flow cannot move as it wants.
    package static let ofMoves: Set<String> = [
        "intentFailed", "destinationGone", "rootStays", "flowShown", "alreadyPresenting",
        "transitionInProgress", "noSuchTab", "popOfRoot", "noSuchDepth", "pushedTwice", "noSuchPresentation",
    ]

    /// Why a coordinator, or a flow that ends, cannot do what it wants.
    package static let ofFlows = ofMoves.union(["noSuchFlow", "userMissing", "invalidUser", "locked"])
    /// The beginnings of further ones.
    package static let ofFlowsInWords = ["invalidFact: ", "validationFailed: "]

    /// Why a request is not carried out.
    package static let ofRequests: Set<String> = [
        "otherUser", "destinationGone", "contended", "gateUnsatisfied", "gateBusy", "queueFull", "unhandledIntent",
    ]

    /// All words of the outcome `rejected`.
    package static let rejected = ofSteps.union(ofNowhere).union(ofActions).union(ofFlows).union(ofRequests)
    /// The beginnings of those that go on.
    package static let rejectedInWords = ofStepsInWords + ofNowhereInWords + ofActionsInWords

    /// The words that mean something of their own where the name of a condition, a precondition or a flow for which everything waits
    /// says what does not hold: each reason, each outcome, and why a sweep removes what nobody forbids.
    package static let reserved = rejected.union(rejectedInWords.map { String($0.prefix { $0 != ":" }) })
        .union(ignored).union(abandoned).union(OutcomeName.allCases.map(\.rawValue)).union(["flowEnded"])

    /// The words of ``rejected`` in records of a format, for a flow that could not go back before format 6.
    package static func rejected(in format: Int) -> Set<String> {
        format < 6 ? rejected.union(ofFormerMoves) : rejected
    }

    /// The words of ``ofMoves`` in records of a format.
    package static func ofMoves(in format: Int) -> Set<String> { format < 6 ? ofMoves.union(ofFormerMoves) : ofMoves }

    private static let ofFormerMoves: Set<String> = ["nothingToPop"]

    /// Whether a reason is one of these words, or begins like one of those that go on.
    package static func isAny(_ reason: String, of words: Set<String>, _ beginnings: [String] = []) -> Bool {
        words.contains(reason) || beginnings.contains { reason.hasPrefix($0) }
    }
}

/// What becomes of an event whose attempts the end of its host interrupts again and again (<doc:/SceneRuntime/Keeping>).
package enum Interruptions {
    /// After how many of them, one after the other, it is given up: its next attempt begins and ends at once.
    package static let most = 5
    /// Why it is abandoned then.
    package static let reason = "attemptsInterrupted"
}
