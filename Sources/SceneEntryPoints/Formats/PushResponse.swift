public import StrictJSON

/// A push and what became of it.
public struct PushResponse: Hashable, Sendable {
    public var payload: APNsPayload
    public var interaction: PushInteraction
    /// Whether it was sent as a VoIP push, which goes to PushKit and not to the notification centre.
    public var isVoIP: Bool

    /// A push with its outcome.
    public init(payload: APNsPayload, interaction: PushInteraction, isVoIP: Bool = false) {
        self.payload = payload
        self.interaction = interaction
        self.isVoIP = isVoIP
    }

    /// The parameters of the call that says it. A silent push has no `interaction`.
    public var json: JSONObject {
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
