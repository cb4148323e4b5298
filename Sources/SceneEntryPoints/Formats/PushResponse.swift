internal import StrictJSON

/// A push and what happened to it.
public struct PushResponse: Hashable, Sendable {
    /// What the provider sent.
    public var payload: APNsPayload
    /// What happened to the notification.
    public var interaction: PushInteraction
    /// Whether it was sent as a VoIP push, which goes to PushKit and not to the notification centre.
    public var isVoIP: Bool

    /// A push with this payload, and what happened to it.
    public init(payload: APNsPayload, interaction: PushInteraction, isVoIP: Bool = false) {
        self.payload = payload
        self.interaction = interaction
        self.isVoIP = isVoIP
    }

    /// The parameters of the call that injects it. A silent push has no `interaction`.
    var json: JSONObject {
        var object: JSONObject = ["payload": .object(payload.json)]
        switch interaction {
        case .present: object["interaction"] = "present"
        case .open: object["interaction"] = "open"
        case .dismiss: object["interaction"] = "dismiss"
        case .action(let identifier, let text):
            object["interaction"] = "action"
            object.set("action", identifier)
            object.set("text", text)
        case .silent: break
        }
        if isVoIP { object["voip"] = true }
        return object
    }
}
