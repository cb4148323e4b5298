public import SceneVocabulary
public import StrictJSON

extension SceneClient {
    /// Opens a URL: a custom scheme of the app, or an https link that the associated domains decide.
    public func openURL(
        _ url: String,
        sourceApplication: String? = nil,
        _ delivery: Delivery = Delivery()
    ) async throws(SceneClientError) -> ClientReceipt {
        try await send("OpenURL", ["url": .string(url), "sourceApplication": .text(sourceApplication)], delivery)
    }

    /// Continues a user activity. A Handoff may be `announced` first, and come, or be a `failure`, in a second call.
    public func continueActivity(
        type: String,
        webpageURL: String? = nil,
        userInfo: JSONObject? = nil,
        title: String? = nil,
        targetContentIdentifier: String? = nil,
        persistentIdentifier: String? = nil,
        referrerURL: String? = nil,
        handoff: Bool? = nil,
        announced: Bool? = nil,
        failure: String? = nil,
        _ delivery: Delivery = Delivery()
    ) async throws(SceneClientError) -> ClientReceipt {
        try await send(
            "ContinueActivity",
            [
                "activityType": .string(type), "webpageURL": .text(webpageURL), "userInfo": .members(userInfo),
                "title": .text(title), "targetContentIdentifier": .text(targetContentIdentifier),
                "persistentIdentifier": .text(persistentIdentifier), "referrerURL": .text(referrerURL),
                "handoff": .flag(handoff), "announced": .flag(announced), "failure": .text(failure),
            ],
            delivery
        )
    }

    /// Delivers a push, and what the person does with it: `present`, `open`, `dismiss` or `action`.
    public func push(
        payload: JSONObject,
        interaction: String? = nil,
        action: String? = nil,
        text: String? = nil,
        voip: Bool? = nil,
        _ delivery: Delivery = Delivery()
    ) async throws(SceneClientError) -> ClientReceipt {
        try await send(
            "Push",
            [
                "payload": .object(payload), "interaction": .text(interaction), "action": .text(action),
                "text": .text(text), "voip": .flag(voip),
            ],
            delivery
        )
    }

    /// Taps a widget.
    public func tapWidget(
        kind: String,
        family: String? = nil,
        url: String? = nil,
        userInfo: JSONObject? = nil,
        _ delivery: Delivery = Delivery()
    ) async throws(SceneClientError) -> ClientReceipt {
        try await send(
            "TapWidget",
            ["kind": .string(kind), "family": .text(family), "url": .text(url), "userInfo": .members(userInfo)],
            delivery
        )
    }

    /// Chooses a quick action of the app's icon.
    public func performShortcut(
        type: String,
        userInfo: JSONObject? = nil,
        targetContentIdentifier: String? = nil,
        _ delivery: Delivery = Delivery()
    ) async throws(SceneClientError) -> ClientReceipt {
        try await send(
            "PerformShortcut",
            [
                "type": .string(type), "userInfo": .members(userInfo),
                "targetContentIdentifier": .text(targetContentIdentifier),
            ],
            delivery
        )
    }

    /// Has the topmost screen of a window report an intent. The delivery must name the scene.
    public func sendIntent(
        _ name: String,
        parameters: [String: String] = [:],
        _ delivery: Delivery
    ) async throws(SceneClientError) -> ClientReceipt {
        let texts = parameters.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
        return try await send(
            "SendIntent",
            ["name": .string(name), "parameters": .object(JSONObject(texts))],
            delivery
        )
    }

    /// Does a gesture on a window. The delivery must name the scene.
    public func gesture(
        _ gesture: Gesture,
        _ delivery: Delivery
    ) async throws(SceneClientError) -> ClientReceipt {
        try await send("Gesture", gesture.parameters, delivery)
    }

    /// Reports that a flow of a window is complete. The delivery must name the scene.
    ///
    /// - Parameters:
    ///   - user: Who signed in, if the flow is about that.
    ///   - facts: Facts to commit with the completion.
    public func completeFlow(
        _ flow: String,
        user: String? = nil,
        facts: JSONObject? = nil,
        _ delivery: Delivery
    ) async throws(SceneClientError) -> ClientReceipt {
        try await send(
            "FinishFlow",
            ["flow": .string(flow), "result": "completed", "user": .text(user), "facts": .members(facts)],
            delivery
        )
    }

    /// Reports that a flow of a window was cancelled. The delivery must name the scene.
    public func cancelFlow(_ flow: String, _ delivery: Delivery) async throws(SceneClientError) -> ClientReceipt {
        try await send("FinishFlow", ["flow": .string(flow), "result": "cancelled"], delivery)
    }

    /// The current receipt of an event that this user sent.
    public func receipt(of event: String) async throws(SceneClientError) -> ClientReceipt {
        try receipt(await call("io.scened.Events.Get", ["event": .string(event)]))
    }

    /// Sends an event by its method of `io.scened.Events` and that method's parameters, without those of the delivery.
    public func send(
        _ method: String,
        _ parameters: JSONObject,
        _ delivery: Delivery = Delivery()
    ) async throws(SceneClientError) -> ClientReceipt {
        var parameters = parameters
        parameters["scene"] = .text(delivery.scene)
        parameters["event"] = .text(delivery.event)
        parameters["wait"] = .text(delivery.wait?.rawValue)
        return try receipt(await call("io.scened.Events.\(method)", parameters))
    }

    private func receipt(_ reply: JSONObject) throws(SceneClientError) -> ClientReceipt {
        try Self.read { () throws(JSONFieldError) in
            let reader = JSONReader(reply)
            var receipt = try ClientReceipt(reader["receipt"])
            receipt.warnings =
                try reader.optional("warnings")?.texts() ?? []
            return receipt
        }
    }
}

extension Gesture {
    /// What the method `Gesture` takes.
    package var parameters: JSONObject {
        var parameters: JSONObject = ["gesture": .string(name.rawValue)]
        if case .selectTab(let tab) = self { parameters["tab"] = .string(tab) }
        if isCancelled { parameters["cancelled"] = true }
        return parameters
    }
}
