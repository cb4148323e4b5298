internal import SceneEntryPoints
internal import SceneNavigation
internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON
internal import Varlink

/// `io.scened.Routing`: asks the routing engine, without touching any scene.
struct RoutingService: Sendable {
    let running: RunningHost

    private var host: SceneHost { running.current }

    func service() throws -> VarlinkService {
        var service = try VarlinkService(interface: InterfaceText.routing)
        try service.on("Resolve") { request, responder in
            do {
                responder.reply(["resolution": try resolve(request.parameters)])
            } catch let error as VarlinkError {
                responder.fail(error)
            } catch {
                responder.abandon()
            }
        }
        try service.on("Explain") { request, responder in
            do throws(VarlinkError) {
                responder.reply(explain(request.parameters.text("url"), try context(request.parameters)))
            } catch {
                responder.fail(error)
            }
        }
        try service.on("Routes") { request, responder in
            guard let part = ReplyPage(request, responder) else { return }
            let routes = host.engine.listing().dropFirst(part.after).prefix(part.limit)
            responder.reply { json in
                json.object { json in
                    json.name("routes")
                    let written = json.page(Array(routes)) { $0.value($1.json) }
                    json.member("next", part.after + written)
                }
            }
        }
        try service.on("Print") { request, responder in
            do throws(RouteError) {
                let destination = Destination(request.parameters["destination"]?.objectValue ?? [:])
                let checked = try host.engine.request(for: destination, source: .external)
                let urls = host.engine.urls(for: checked.destination, context: host.routingContext)
                responder.reply(["urls": .array(urls.map(JSONValue.string))])
            } catch {
                responder.fail(error.wire(interface: Self.name).suggesting(from: host))
            }
        }
        try service.on("MatchAssociation") { request, responder in
            let decision = host.engine.association(for: request.parameters.text("url"))
            responder.reply(["decision": .string(decision.word)])
        }
        return service
    }

    private static let name = "io.scened.Routing"

    private func resolve(_ parameters: JSONObject) throws -> JSONValue {
        let engine = host.engine
        let context = try context(parameters)
        let url = parameters["url"]?.stringValue
        let destination = parameters["destination"]?.objectValue.map(Destination.init)
        do {
            switch (url, destination) {
            case (.some(let url), nil):
                return try resolution(engine.match(url: url, context: context).request, engine, context)
            case (nil, .some(let destination)):
                return try resolution(engine.request(for: destination, source: .external), engine, context)
            case (nil, nil): throw VarlinkError.invalidParameter("url")
            case (.some, .some): throw VarlinkError.invalidParameter("destination")
            }
        } catch let error as RouteError {
            throw error.wire(interface: Self.name).suggesting(from: host)
        }
    }

    /// The routing engine's view of the session, with what the caller gives in place of the real values.
    private func context(_ parameters: JSONObject) throws(VarlinkError) -> RoutingContext {
        var context = host.routingContext
        if let user = parameters["user"]?.stringValue {
            if !user.isEmpty, let problem = NameRule.problem(user) {
                throw VarlinkError.invalidParameter("user", reason: "\(user.quotedForMessage) \(problem)")
            }
            context.user = user.isEmpty ? nil : user
            context.choices = host.choices(for: context.user)
        }
        var facts = try FactValue.facts(parameters["facts"]?.objectValue ?? [:], interface: Self.name)
        for name in ["locale", "market"] {
            if let value = parameters[name]?.stringValue { facts[name] = .string(value) }
        }
        do {
            context.facts.merge(try host.checked(facts)) { $1 }
        } catch {
            throw error.wire(interface: Self.name)
        }
        return context
    }

    private func resolution(
        _ request: RouteRequest,
        _ engine: RoutingEngine,
        _ context: RoutingContext
    ) throws -> JSONValue {
        try json(engine.resolve(request, context: context), engine, context)
    }

    private func explain(_ url: String, _ context: RoutingContext) -> JSONObject {
        let engine = host.engine
        let explanation = engine.explain(url: url, context: context)
        var reply: JSONObject = [
            "steps": .array(explanation.steps.map(\.json)), "omittedRoutes": .integer(explanation.omittedRoutes),
            "association": .string(explanation.association.word), "opened": .string(opened(url)),
        ]
        reply["route"] = explanation.route.map(JSONValue.string)
        switch explanation.outcome {
        case .resolved(let resolution): reply["resolution"] = try? json(resolution, engine, context)
        case .refused(let error): reply["error"] = .string(error.description)
        }
        return reply
    }

    /// What becomes of the URL if it is opened, as a clause.
    private func opened(_ url: String) -> String {
        do {
            let event = try EntryEvent.url(url)
            do throws(AdmissionError) {
                return try host.preview(event)
            } catch {
                if case .route(.malformed(let reason)) = error { return "is refused as Malformed: \(reason)" }
                let name = error.wire.name.split(separator: ".").last ?? ""
                return "is refused as \(name): \(error)"
            }
        } catch {
            return "is refused as Malformed: \(error)"
        }
    }

    private func json(
        _ resolution: RouteResolution,
        _ engine: RoutingEngine,
        _ context: RoutingContext
    ) throws(RouteError) -> JSONValue {
        switch resolution {
        case .proceed(let target): return ["verdict": .string(RouteVerdict.proceed.rawValue), "target": target.json]
        case .gated(let precondition, _, let resume):
            var object: JSONObject = [
                "verdict": .string(RouteVerdict.gated.rawValue), "precondition": .string(precondition),
            ]
            object["flow"] = (engine.precondition(precondition)?.flow).map(JSONValue.string)
            // The gate may be that of a variant.
            let shown = engine.choice(for: resume, context: context) ?? resume.destination
            object["target"] = try engine.target(of: RouteRequest(destination: shown, source: resume.source)).json
            return .object(object)
        }
    }
}

extension AssociationDecision {
    /// The word for the decision in the socket API.
    fileprivate var word: String {
        switch self {
        case .match: "match"
        case .exclude: "exclude"
        case .noMatch: "noMatch"
        }
    }
}

extension Destination {
    /// Reads a destination of the interfaces. The server has checked its shape.
    init(_ object: JSONObject) {
        let parameters = object["parameters"]?.objectValue ?? [:]
        self.init(
            id: object.text("id"),
            parameters: Dictionary(parameters.map { ($0.key, $0.value.stringValue ?? "") }) { $1 }
        )
    }
}

extension RouteExplanation.Step {
    fileprivate var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "subject": .string(subject), "passed": .bool(passed),
            "reason": .string(reason),
        ]
    }
}

extension RouteListing {
    fileprivate var json: JSONValue {
        [
            "pattern": .string(pattern), "destination": .string(destination),
            "captures": .object(JSONObject(captures.map { ($0.name, .string($0.expected)) })),
            "markets": .array(markets.map(JSONValue.string)), "locales": .array(locales.map(JSONValue.string)),
            "printed": .bool(isPrinted), "needs": .array(needs.map(JSONValue.string)),
            "variants": .array(variants.map(JSONValue.string)),
        ]
    }
}
