internal import SceneModel
internal import SceneVocabulary
internal import StrictJSON

extension HistorySnapshot {
    init(_ fields: JSONReader) throws(JSONFieldError) {
        format = try fields.optional("format")?.integer(from: 1) ?? 1
        app = HistoryRecord.AppVersion(
            name: try fields["app"].text(),
            version: try fields["manifestVersion"].text(),
            digest: try fields.optional("manifest")?.text()
        )
        hasCode = try fields.optional("code")?.bool() ?? false
        appVersion = try fields.optional("appVersion")?.text()
        facts = try HistoryRecord.Body.facts(fields)
        user = try fields.optional("user")?.text()
        truths = try HistoryRecord.Body.truths(fields)
        scenes = try fields["scenes"].texts()
    }
}

extension HistoryRestart {
    init(_ fields: JSONReader) throws(JSONFieldError) {
        host = try HistorySnapshot(fields)
        again = try fields["again"].elements().map { event throws(JSONFieldError) in
            Again(
                scene: try event.optional("scene")?.text() ?? HistoryRecord.app,
                ticket: try event["ticket"].integer(from: 1),
                attempt: try event["attempt"].integer(from: 1)
            )
        }
    }
}

extension HistorySceneSnapshot {
    init(_ fields: JSONReader) throws(JSONFieldError) {
        configuration = try fields["configuration"].text()
        isConnected = try fields["connected"].bool()
        activation = try fields["activation"].choice()
        isLocked = try fields.optional("locked")?.bool() ?? false
        window = try HistoryWindow(fields["window"])
        judgedIn = try fields["judgedIn"].integer(from: 0)
        var parents: [String: String] = [:]
        var inSwift: Set<String> = []
        for edge in try fields["coordinators"].elements() {
            let flow = try edge["flow"].text()
            parents[flow] = try edge["parent"].text()
            if try edge.optional("code")?.bool() ?? false { inSwift.insert(flow) }
        }
        coordinators = parents
        self.inSwift = inSwift
        lastTicket = try fields["lastTicket"].integer(from: 0)
        waiting = try Self.waiting(fields)
        parked = try fields["parked"].elements().map(Parked.init)
        gateFlows = try fields["gateFlows"].texts()
        startedFlows = try fields.optional("startedFlows")?.textMembers() ?? [:]
    }
}

extension HistorySceneSnapshot {
    static func waiting(_ fields: JSONReader) throws(JSONFieldError) -> [Event] {
        try fields["waiting"].elements().map { event throws(JSONFieldError) in
            try Event(event, destination: event.optional("destination").map(Destination.init))
        }
    }
}

extension HistorySceneSnapshot.Event {
    fileprivate init(_ fields: JSONReader, destination: Destination?) throws(JSONFieldError) {
        ticket = try fields["ticket"].integer(from: 1)
        event = try fields["event"].text()
        connection = try fields.optional("connection")?.integer(from: 0)
        admittedIn = try fields["admittedIn"].integer(from: 0)
        let isAct = try fields["source"].choice(of: EventSource.allCases) == .internal
        let kind = try fields.optional("eventKind")?.text()
        arrival = HistoryRecord.Arrival(
            call: nil,
            isAct: isAct,
            kind: kind,
            name: try fields.optional("name")?.text(),
            isSilent: try fields.optional("silent")?.bool() ?? false,
            isHeardInSwift: try fields.optional("code")?.bool() ?? false,
            addressee: try fields.optional("addressee")?.text(),
            destination: isAct && kind != HistoryRecord.Arrival.window ? nil : destination,
            route: nil,
            act: try fields.optional("act").map(Act.init)
        )
    }
}

extension HistorySceneSnapshot.Parked {
    init(_ fields: JSONReader) throws(JSONFieldError) {
        destination = try Destination(fields["destination"])
        variant = try fields.optional("variant").map(Destination.init)
        event = try HistorySceneSnapshot.Event(fields, destination: destination)
        attempt = try fields["attempt"].integer(from: 1)
        precondition = try fields["precondition"].text()
        parameters = try fields.optional("parameters")?.textMembers() ?? [:]
        flow = try fields["flow"].text()
        user = try fields.optional("user")?.text()
        parkedIn = try fields["parkedIn"].integer(from: 0)
    }
}
