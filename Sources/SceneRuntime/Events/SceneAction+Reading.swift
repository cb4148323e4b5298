internal import Basics
internal import SceneNavigation
public import SceneRouting

// Actions in the words of a client. What the words alone show to be wrong is refused here.
extension SceneAction {
    /// The gesture of this name.
    ///
    /// - Parameters:
    ///   - name: The gesture's name, as in calls and scripts.
    ///   - tab: The tab to select; `selectTab` needs it, other gestures refuse it.
    ///   - cancelled: Whether the swipe is let go; only swipes can be.
    /// - Throws: ``AdmissionError/route(_:)`` with the parameter that is missing, superfluous or unknown.
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
                "there is no gesture '\(name.echoed)'; expected one of \(names)"
            )
        }
        if tab != nil, gesture.name != .selectTab { throw .invalid("tab", "only selectTab takes a tab") }
        if cancelled == true, !gesture.isCancelled { throw .invalid("cancelled", "only a swipe can be cancelled") }
        return .gesture(gesture)
    }

    /// The end of a flow.
    ///
    /// - Parameters:
    ///   - flow: The flow.
    ///   - result: `completed` or `cancelled`.
    ///   - user: Who signed in; only a completed flow may say so.
    ///   - facts: The facts that the flow reports; only a completed flow may report any.
    ///   - values: What it hands to the flow that started it; only a completed flow may hand over anything.
    /// - Throws: ``AdmissionError/route(_:)`` for another result, and for a cancelled flow that reports something.
    public static func finishFlow(
        _ flow: String,
        result: String,
        user: String? = nil,
        facts: [String: FactValue] = [:],
        values: [String: String] = [:]
    ) throws(AdmissionError) -> SceneAction {
        switch result {
        case "completed": return .finishFlow(flow, .completed(FlowCompletion(user: user, facts: facts, values: values)))
        case "cancelled":
            if user != nil { throw .invalid("user", "a cancelled flow signs nobody in") }
            if !facts.isEmpty { throw .invalid("facts", "a cancelled flow reports nothing") }
            if !values.isEmpty { throw .invalid("values", "a cancelled flow hands over nothing") }
            return .finishFlow(flow, .cancelled)
        default: throw .invalid("result", "expected completed or cancelled, found '\(result.echoed)'")
        }
    }
}

extension AdmissionError {
    /// The error for a parameter that is not valid.
    static func invalid(_ parameter: String, _ reason: String) -> AdmissionError {
        .route(.validationFailed(parameter: parameter, reason: reason))
    }
}
