internal import SceneNavigation
public import SceneRouting

/// Actions as clients say them, with what can be wrong in the words alone.
extension SceneAction {
    /// The gesture of this name.
    ///
    /// - Parameters:
    ///   - tab: The tab, for `selectTab` and nothing else.
    ///   - cancelled: Whether the swipe is let go, for the swipes and nothing else.
    /// - Throws: ``AdmissionError/route(_:)`` with the parameter that is missing, too much or unknown.
    public static func gesture(
        named name: String,
        tab: String? = nil,
        cancelled: Bool? = nil
    ) throws(AdmissionError) -> SceneAction {
        let gesture: Gesture
        switch Gesture.Name(rawValue: name) {
        case .back: gesture = .back
        case .swipeBack: gesture = .swipeBack(cancelled: cancelled ?? false)
        case .dismiss: gesture = .dismiss
        case .swipeDown: gesture = .swipeDown(cancelled: cancelled ?? false)
        case .selectTab:
            guard let tab else { throw .invalid("tab", "is missing; selectTab needs the name of a tab") }
            gesture = .selectTab(tab)
        case nil:
            let names = Gesture.Name.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid(
                "gesture",
                "there is no gesture '\(name.prefix(64))'; one of \(names) would be right"
            )
        }
        if tab != nil, gesture.name != .selectTab { throw .invalid("tab", "only selectTab taps a tab") }
        if cancelled == true, !gesture.isCancelled { throw .invalid("cancelled", "only a swipe can be let go") }
        return .gesture(gesture)
    }

    /// The result of a flow, `completed` or `cancelled`.
    ///
    /// - Throws: ``AdmissionError/route(_:)`` for another result, and for a cancelled flow that reports something.
    public static func finishFlow(
        _ flow: String,
        result: String,
        user: String? = nil,
        facts: [String: FactValue] = [:]
    ) throws(AdmissionError) -> SceneAction {
        switch result {
        case "completed": return .finishFlow(flow, .completed(FlowCompletion(user: user, facts: facts)))
        case "cancelled":
            if user != nil { throw .invalid("user", "a cancelled flow signs nobody in") }
            if !facts.isEmpty { throw .invalid("facts", "a cancelled flow reports nothing") }
            return .finishFlow(flow, .cancelled)
        default: throw .invalid("result", "'\(result.prefix(64))' is no result; completed or cancelled would be right")
        }
    }
}

extension AdmissionError {
    /// A parameter that cannot be taken.
    static func invalid(_ parameter: String, _ reason: String) -> AdmissionError {
        .route(.validationFailed(parameter: parameter, reason: reason))
    }
}
