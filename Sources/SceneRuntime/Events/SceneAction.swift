public import SceneNavigation
internal import SceneRouting

/// An event that happens inside a window: it is typed already and meant for one scene (<doc:WayOfAnEvent>).
public enum SceneAction: Hashable, Sendable {
    /// The topmost screen reports something; with `from`, a screen of this ID or a container of this name does by itself
    /// (<doc:Windows#What-reports-by-itself>).
    case intent(Intent, from: String? = nil)
    /// A finger does something.
    case gesture(Gesture)
    /// The last screen of the flow of this name reports how it ended.
    case finishFlow(String, FlowResult)
}

extension SceneAction {
    /// The word for the kind of event in records.
    package var kind: String {
        switch self {
        case .intent: "intent"
        case .gesture: "gesture"
        case .finishFlow: "flow"
        }
    }

    /// The name of the intent, the gesture or the flow.
    package var name: String {
        switch self {
        case .intent(let intent, _): intent.name
        case .gesture(let gesture): gesture.name.rawValue
        case .finishFlow(let flow, _): flow
        }
    }
}

extension SceneAction {
    /// About how many bytes of memory it takes.
    var footprint: Int {
        switch self {
        case .intent(let intent, let reporter):
            intent.name.footprint + intent.parameters.footprint + (reporter?.footprint ?? 0)
        case .gesture(.selectTab(let tab)): tab.footprint
        case .gesture: 0
        case .finishFlow(_, let result): result.footprint
        }
    }
}
