internal import StrictJSON

/// A push and what happened to it.
public struct PushResponse: Hashable, Codable, Sendable {
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

extension PushResponse {
    private enum CodingKeys: String, CodingKey {
        case payload, interaction, isVoIP
    }

    /// Reads what ``encode(to:)`` has written.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        isVoIP = try members.decode(Bool.self, forKey: .isVoIP)
        interaction = try members.decode(PushInteraction.self, forKey: .interaction)
        guard let payload = try JSONValue(parsing: members.decode(String.self, forKey: .payload)).objectValue else {
            throw DecodingError.dataCorruptedError(
                forKey: .payload,
                in: members,
                debugDescription: "expected an object"
            )
        }
        self.payload = try APNsPayload(payload, isVoIP: isVoIP)
    }

    /// Writes the payload as the text of its JSON, because it may have any members.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(JSONValue.object(payload.json).text(), forKey: .payload)
        try members.encode(interaction, forKey: .interaction)
        try members.encode(isVoIP, forKey: .isVoIP)
    }
}
