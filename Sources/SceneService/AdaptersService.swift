internal import SceneEntryPoints
internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON
internal import Varlink

/// `io.scened.Adapters`: registers adapters of other processes, and tries out all adapters.
struct AdaptersService: Sendable {
    let running: RunningHost
    let registry: AdapterRegistry
    let accounts: UserAccounts

    private var host: SceneHost { running.current }

    private static let usualTimeout = 250
    private static let longestTimeout = 10_000

    func service() throws -> VarlinkService {
        var service = try VarlinkService(interface: InterfaceText.adapters)
        try service.on("Register", requiresMore: true) { request, responder in register(request, responder) }
        try service.on("Answer") { request, responder in answer(request, responder) }
        try service.on("List") { _, responder in responder.reply(["adapters": .array(listing)]) }
        try service.on("Try") { request, responder in attempt(request, responder) }
        return service
    }

    // MARK: - Other processes

    private func register(_ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let parameters = request.parameters
        let name = parameters.text("name")
        var kinds: Set<EntryKind> = []
        for word in (parameters["kinds"]?.arrayValue ?? []).compactMap(\.stringValue) {
            guard let kind = EntryKind(rawValue: word) else {
                return _ = responder.fail(Self.error("UnknownKind", ["kind": .string(word)]))
            }
            kinds.insert(kind)
        }
        guard !kinds.isEmpty else { return _ = responder.fail(.invalidParameter("kinds")) }
        let timeout = parameters["timeoutMilliseconds"]?.integerValue ?? Self.usualTimeout
        guard (1...Self.longestTimeout).contains(timeout) else {
            return _ = responder.fail(.invalidParameter("timeoutMilliseconds"))
        }
        guard !host.isDraining else { return _ = responder.fail(Self.error("Draining")) }
        guard !host.adapters.adapters.contains(where: { $0.name == name }) else {
            return _ = responder.fail(Self.error("NameTaken", ["name": .string(name)]))
        }
        do throws(AdapterRegistry.Refusal) {
            let id = try registry.register(
                name: name,
                kinds: kinds,
                priority: parameters["priority"]?.integerValue ?? 0,
                timeoutMilliseconds: timeout,
                owner: request.sender,
                send: { responder.send($0) },
                isReading: { responder.isWritable }
            )
            responder.onClose { registry.remove(id) }
            responder.onDrain {
                registry.remove(id)
                responder.reply(["registration": .string(id)])
            }
            responder.send(["registration": .string(id)])
            registry.ready(id)
        } catch {
            switch error {
            case .nameTaken: responder.fail(Self.error("NameTaken", ["name": .string(name)]))
            case .tooMany(let limit): responder.fail(Self.error("TooManyAdapters", ["limit": .integer(limit)]))
            }
        }
    }

    private func answer(_ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let parameters = request.parameters
        let registration = parameters.text("registration")
        let number = parameters["request"]?.integerValue ?? 0
        let reply: AdapterRegistry.Reply
        var nonsense: String?
        do throws(AdapterAnswerError) {
            reply = .answer(try AdapterAnswer(parameters))
        } catch {
            nonsense = error.reason
            reply = .skipped("its answer makes no sense: \(error.reason)")
        }
        switch registry.answer(registration, number, by: request.sender, reply) {
        case .unknownRegistration:
            responder.fail(Self.error("UnknownRegistration", ["registration": .string(registration)]))
        case .unknownRequest: responder.fail(Self.error("UnknownRequest", ["request": .integer(number)]))
        case .accepted:
            if let nonsense {
                responder.fail(Self.error("InvalidAnswer", ["reason": .string(nonsense)]))
            } else {
                responder.reply()
            }
        }
    }

    // MARK: - Trials

    private func attempt(_ request: VarlinkRequest, _ responder: VarlinkResponder) {
        let parameters = request.parameters
        let event: EntryEvent
        do throws(JSONFieldError) {
            let json = parameters["event"]?.objectValue ?? [:]
            if let word = parameters["kind"]?.stringValue {
                guard let kind = EntryKind(rawValue: word) else {
                    return _ = responder.fail(Self.error("UnknownKind", ["kind": .string(word)]))
                }
                event = try EntryEvent(kind: kind, json: json)
            } else {
                event = try EntryEvent(json: json)
            }
            try event.requireReceiver(host.manifest.appIDs)
        } catch {
            return _ = responder.fail(Self.error("Malformed", ["reason": .string(error.description)]))
        }
        let name = parameters["adapter"]?.stringValue
        let names = host.adapters.adapters.map(\.name) + registry.listing.map(\.adapter.name)
        if let name, !names.contains(name) {
            var parameters: JSONObject = ["adapter": .string(name)]
            parameters["suggestion"] = Spelling.nearest(to: name, among: names).map(JSONValue.string)
            return _ = responder.fail(Self.error("UnknownAdapter", parameters))
        }
        let user = request.connection.peer.userID
        guard accounts.take(.trials, for: user) else {
            return _ = responder.fail(Self.error("TooManyTrials", ["limit": .integer(accounts.limit(.trials))]))
        }
        let chain = host.adapters
        let isOneway = request.call.oneway
        let inquiry = AdapterInquiry(
            event,
            chain,
            outside: registry.adapters(for: event.kind),
            only: name,
            by: host.manifest
        )
        registry.inquire(inquiry, for: .trial { !isOneway && responder.isOpen }, on: request.connection.eventLoop) {
            [accounts] answer in
            // Not when the client leaves: adapters are busy with the trial until they have answered.
            accounts.giveBack(.trials, of: user)
            let trial = AdapterTrial(
                event,
                answer,
                chain: chain,
                engine: host.engine,
                context: host.routingContext,
                only: name
            )
            responder.reply(["trial": .object(trial.json)])
        }
    }

    private var listing: [JSONValue] {
        func entry(_ name: String, _ origin: String, _ kinds: Set<EntryKind>, _ priority: Int) -> JSONObject {
            [
                "name": .string(name), "origin": .string(origin),
                "kinds": .array(EntryKind.allCases.filter(kinds.contains).map { .string($0.rawValue) }),
                "priority": .integer(priority),
            ]
        }
        let chain = host.adapters
        let outside = registry.listing
        var times: [Int: Int] = [:]
        for registration in outside { times[registration.adapter.number] = registration.timeoutMilliseconds }
        var kinds: [Int: Set<EntryKind>] = [:]
        for registration in outside { kinds[registration.adapter.number] = registration.kinds }
        return chain.order(with: outside.map(\.adapter)).map { place in
            switch place {
            case .app(let adapter):
                return .object(entry(adapter.name, "app", adapter.kinds, adapter.priority))
            case .always(let adapter):
                return .object(entry(adapter.name, "always", adapter.kinds, adapter.priority))
            case .outside(let adapter):
                var object = entry(adapter.name, "process", kinds[adapter.number] ?? [], adapter.priority)
                object["timeoutMilliseconds"] = times[adapter.number].map(JSONValue.integer)
                return .object(object)
            }
        }
    }

    private static func error(_ word: String, _ parameters: JSONObject = [:]) -> VarlinkError {
        VarlinkError("io.scened.Adapters.\(word)", parameters)
    }
}
