public import SceneVocabulary
public import StrictJSON
internal import Varlink

extension SceneClient {
    /// Opens a URL: one of the app's own scheme, or an https link that an associated domain permits.
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - sourceApplication: The bundle ID of the app that opens it.
    ///   - delivery: Where the event goes, and when the call returns.
    public func openURL(
        _ url: String,
        sourceApplication: String? = nil,
        _ delivery: Delivery = Delivery()
    ) async throws(SceneClientError) -> ClientReceipt {
        try await send("OpenURL", ["url": .string(url), "sourceApplication": .text(sourceApplication)], delivery)
    }

    /// Opens several URLs of the app's own schemes at once: one window takes them all, in an order on which nobody can count.
    ///
    /// - Parameters:
    ///   - urls: 2 to 32 URLs, none twice.
    ///   - order: The order in which they come, as their places from 1, such as `[2, 1]`; `nil` leaves it to the daemon's chance.
    ///   - sourceApplication: The bundle ID of the app that opens them.
    ///   - delivery: Its event ID is that of the set: `mail` makes the events `mail/1`, `mail/2`.
    /// - Returns: A receipt for each URL, as given; their tickets say in which order they came. The warnings are with the first.
    public func openURLs(
        _ urls: [String],
        order: [Int]? = nil,
        sourceApplication: String? = nil,
        _ delivery: Delivery = Delivery()
    ) async throws(SceneClientError) -> [ClientReceipt] {
        var parameters = delivery.added(to: [
            "urls": .array(urls.map(JSONValue.string)), "sourceApplication": .text(sourceApplication),
        ])
        parameters["order"] = order.map { .array($0.map(JSONValue.integer)) }
        return try Self.receipts(await deliver("OpenURLs", parameters))
    }

    /// Continues a user activity.
    ///
    /// A Handoff may take two calls: the first with `announced`, the second with the activity, or with a `failure`. What is dragged
    /// from a window (`draggedFrom`, the ID of its scene) opens a window of its own.
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
        draggedFrom: String? = nil,
        _ delivery: Delivery = Delivery()
    ) async throws(SceneClientError) -> ClientReceipt {
        try await send(
            "ContinueActivity",
            [
                "activityType": .string(type), "webpageURL": .text(webpageURL), "userInfo": .members(userInfo),
                "title": .text(title), "targetContentIdentifier": .text(targetContentIdentifier),
                "persistentIdentifier": .text(persistentIdentifier), "referrerURL": .text(referrerURL),
                "handoff": .flag(handoff), "announced": .flag(announced), "failure": .text(failure),
                "draggedFrom": .text(draggedFrom),
            ],
            delivery
        )
    }

    /// Delivers a push.
    /// - Parameters:
    ///   - payload: The APNs payload.
    ///   - interaction: What the user does: `present`, `open`, `dismiss` or `action`; by default `open`, or nothing for a push that
    ///     shows no notification.
    ///   - action: The identifier of the action that the user chooses.
    ///   - text: The text that the user types for a text-input action.
    ///   - voip: Whether it is a VoIP push.
    ///   - delivery: Where the event goes, and when the call returns.
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

    /// Has a window's topmost screen report an intent. The delivery must name the scene.
    ///
    /// - Parameters:
    ///   - name: The intent's name.
    ///   - parameters: Its parameters, by name.
    ///   - reporter: What reports it by itself, which brings no window to the front: the ID of a screen that is shown, or a
    ///     container as the record of an intent names it, such as `tab home`.
    ///   - delivery: The window, and when the call returns.
    public func sendIntent(
        _ name: String,
        parameters: [String: String] = [:],
        from reporter: String? = nil,
        _ delivery: Delivery
    ) async throws(SceneClientError) -> ClientReceipt {
        let texts = parameters.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
        return try await send(
            "SendIntent",
            ["name": .string(name), "parameters": .object(JSONObject(texts)), "from": .text(reporter)],
            delivery
        )
    }

    /// Makes a gesture in a window. The delivery must name the scene.
    public func gesture(_ gesture: Gesture, _ delivery: Delivery) async throws(SceneClientError) -> ClientReceipt {
        try await send("Gesture", gesture.parameters, delivery)
    }

    /// Reports that a flow in a window was completed. The delivery must name the scene.
    ///
    /// - Parameters:
    ///   - flow: The flow.
    ///   - user: The user who signed in, for a flow that signs in.
    ///   - facts: Facts to commit with the completion.
    ///   - values: What the flow hands to the flow that started it.
    ///   - delivery: The window, and when the call returns.
    public func completeFlow(
        _ flow: String,
        user: String? = nil,
        facts: JSONObject? = nil,
        values: [String: String] = [:],
        _ delivery: Delivery
    ) async throws(SceneClientError) -> ClientReceipt {
        var parameters: JSONObject = [
            "flow": .string(flow), "result": "completed", "user": .text(user), "facts": .members(facts),
        ]
        if !values.isEmpty {
            let sorted = values.sorted { $0.key < $1.key }
            parameters["values"] = .object(JSONObject(sorted.map { ($0.key, JSONValue.string($0.value)) }))
        }
        return try await send("FinishFlow", parameters, delivery)
    }

    /// Reports that a flow in a window was cancelled. The delivery must name the scene.
    public func cancelFlow(_ flow: String, _ delivery: Delivery) async throws(SceneClientError) -> ClientReceipt {
        try await send("FinishFlow", ["flow": .string(flow), "result": "cancelled"], delivery)
    }

    /// The current receipt of an event that this user sent.
    public func receipt(of event: String) async throws(SceneClientError) -> ClientReceipt {
        try receipt(await call("io.scened.Events.Get", ["event": .string(event)]))
    }

    /// Sends an event by its method in `io.scened.Events`, such as `OpenURL`, with the parameters of that method; the delivery
    /// adds its own.
    public func send(
        _ method: String,
        _ parameters: JSONObject,
        _ delivery: Delivery = Delivery()
    ) async throws(SceneClientError) -> ClientReceipt {
        try receipt(await deliver(method, delivery.added(to: parameters)))
    }

    /// Makes a call of `io.scened.Events`, and tells ``onAdmission`` when it has been admitted.
    private func deliver(_ method: String, _ parameters: JSONObject) async throws(SceneClientError) -> JSONObject {
        let name = "io.scened.Events.\(method)"
        guard let onAdmission, parameters["wait"] != .string(ReceiptStage.admitted.rawValue) else {
            return try await call(name, parameters)
        }
        let client: VarlinkClient
        switch way {
        case .once(let only): client = only
        case .lasting(let connection):
            return try await connection.call(name, parameters) { reply throws(SceneClientError) in
                onAdmission(try Self.receipts(reply))
            }
        }
        var last: JSONObject?
        do {
            for try await reply in client.callMore(name, parameters.withoutNulls) {
                if last == nil { onAdmission(try Self.receipts(reply)) }
                last = reply
            }
        } catch let error as SceneClientError {
            throw error
        } catch {
            throw SceneClientError(
                error,
                of: VarlinkCall(method: name, parameters: parameters.withoutNulls, more: true)
            )
        }
        guard let last else { throw .connectionLost(reason: "there was no reply") }
        return last
    }

    /// The receipts in a reply: of one event, or of each of a set. The warnings are with the first.
    private static func receipts(_ reply: JSONObject) throws(SceneClientError) -> [ClientReceipt] {
        try read { () throws(JSONFieldError) in
            let reader = JSONReader(reply)
            let set = try reader.optional("receipts")?.elements()
            let elements = if let set { set } else { [try reader["receipt"]] }
            var receipts = try elements.map { receipt throws(JSONFieldError) in try ClientReceipt(receipt) }
            let warnings = try reader.optional("warnings")?.texts() ?? []
            if !receipts.isEmpty { receipts[0].warnings = warnings }
            return receipts
        }
    }

    private func receipt(_ reply: JSONObject) throws(SceneClientError) -> ClientReceipt {
        try Self.read { () throws(JSONFieldError) in
            let reader = JSONReader(reply)
            var receipt = try ClientReceipt(reader["receipt"])
            receipt.warnings = try reader.optional("warnings")?.texts() ?? []
            return receipt
        }
    }

    /// How an event that this user sent stands, and what it waits for.
    package func standing(of event: String) async throws(SceneClientError) -> ClientStanding {
        let reply = try await call("io.scened.Events.Get", ["event": .string(event)])
        return try Self.read { () throws(JSONFieldError) in
            let reader = JSONReader(reply)
            return ClientStanding(
                receipt: try ClientReceipt(reader["receipt"]),
                waits: try reader.optional("waits").map { waits throws(JSONFieldError) in try ClientWait(waits) }
            )
        }
    }
}

extension SceneClient.Delivery {
    /// The parameters of a call with those of the delivery.
    fileprivate func added(to parameters: JSONObject) -> JSONObject {
        var parameters = parameters
        parameters["scene"] = .text(scene)
        parameters["event"] = .text(event)
        parameters["wait"] = .text(wait?.rawValue)
        return parameters
    }
}

extension Gesture {
    /// The parameters of the method `Gesture`.
    package var parameters: JSONObject {
        var parameters: JSONObject = ["gesture": .string(name.rawValue)]
        if case .selectTab(let tab) = self { parameters["tab"] = .string(tab) }
        if isCancelled { parameters["cancelled"] = true }
        return parameters
    }
}
