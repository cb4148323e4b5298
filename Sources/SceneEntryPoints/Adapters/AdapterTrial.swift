internal import Basics
package import SceneRouting
internal import StrictJSON

/// The answer that an event would get from the adapters and the routing engine, found without any effect.
package struct AdapterTrial: Sendable {
    package let event: EntryEvent
    /// The adapter that took or refused the event.
    package let adapter: String?
    /// The adapters that declined, in the order asked, each with its reason.
    package let declined: [AdapterDecline]
    /// The captures and paths that a declared adapter read from the event, each with its text.
    package let extracted: [String: String]
    /// The request, or why there is none.
    package let request: Result<AdaptedRequest, EntryRefusal>
    /// The user whom the event is for; `nil` for anybody.
    package let user: String?
    /// The warnings about the event's format and from the adapter.
    package let warnings: [String]
    package let decision: Decision
    /// Whether adapters are asked about such an event.
    let asksAdapters: Bool

    /// The answer to the event.
    package enum Decision: Hashable, Sendable {
        /// The event is only delivered; it navigates nowhere.
        case delivered
        /// The request is resolved like this. `target` is what the window shows once nothing gates it.
        case resolved(RouteResolution, target: Target)
        /// The event is refused with the error of this name. A push is delivered all the same and ends as `rejected`.
        case refused(error: String, message: String)
    }

    /// A trial with the result of asking adapters.
    /// - Parameter name: the only adapter that was asked, unless all were.
    package init(
        _ event: EntryEvent,
        _ answer: Result<Adaptation, EntryRefusal>,
        chain: AdapterChain,
        engine: RoutingEngine,
        context: RoutingContext,
        only name: String? = nil
    ) {
        self.event = event
        asksAdapters = event.asksAdapters(by: engine.manifest)
        switch answer {
        case .success(let adaptation):
            adapter = adaptation.adapter
            declined = adaptation.declined
            request = .success(adaptation.request.concealed(by: engine))
            user = adaptation.user
            warnings = adaptation.warnings
        case .failure(let refusal):
            adapter = refusal.adapter
            declined = refusal.declined
            request = .failure(refusal)
            user = nil
            warnings = event.warnings
        }
        let taker = adapter ?? name
        let reader = chain.adapters.first { $0.name == taker } as? DeclarativeAdapter
        let secrets = (try? answer.get())?.request.secrets(by: engine) ?? SentSecrets()
        extracted = (reader?.extraction(from: event) ?? [:]).mapValues(secrets.concealed)
        do throws(JSONFieldError) {
            let effect = try event.responseEffect(by: engine.manifest)
            if case .background(let intent, _) = effect {
                decision = intent.map { Self.decide($0, engine) } ?? .delivered
            } else {
                let asked = answer.map(\.request)
                decision = event.isNavigating ? Self.decide(asked, for: user, engine, context) : .delivered
            }
        } catch {
            decision = .refused(error: "Malformed", message: error.description)
        }
    }

    private static func decide(_ intent: NotificationAction.Handover, _ engine: RoutingEngine) -> Decision {
        do {
            _ = try engine.parameters(intent.parameters, ofIntent: intent.name, flow: nil)
            return .delivered
        } catch {
            return .refused(error: "ValidationFailed", message: error.description)
        }
    }

    private static func decide(
        _ request: Result<AdaptedRequest, EntryRefusal>,
        for user: String?,
        _ engine: RoutingEngine,
        _ context: RoutingContext
    ) -> Decision {
        do {
            switch try request.get() {
            case .handled: return .delivered
            case .destination(let destination):
                return try resolve(try engine.request(for: destination, source: .external), for: user, engine, context)
            case .universalLink(let url):
                try RoutingEngine.checkLength(of: url)
                if let refusal = refusal(of: engine.association(for: url), engine.concealed(url: url)) {
                    return refusal
                }
                return try resolve(try engine.match(url: url, context: context).request, for: user, engine, context)
            case .url(let url):
                return try resolve(try engine.match(url: url, context: context).request, for: user, engine, context)
            }
        } catch let error as RouteError {
            switch error {
            case .malformed(let reason): return .refused(error: "Malformed", message: reason)
            case .unknownRoute: return .refused(error: "UnknownRoute", message: error.description)
            case .validationFailed: return .refused(error: "ValidationFailed", message: error.description)
            }
        } catch let error as EntryRefusal {
            return .refused(error: "NoAdapter", message: error.description)
        } catch {
            return .refused(error: "Malformed", message: "\(error)")
        }
    }

    private static func resolve(
        _ request: RouteRequest,
        for user: String?,
        _ engine: RoutingEngine,
        _ context: RoutingContext
    ) throws(RouteError) -> Decision {
        if let user, let problem = NameRule.problem(user) {
            throw .validationFailed(parameter: "user", reason: problem)
        }
        let resolution = try engine.resolve(request.meant(for: user), context: context)
        switch resolution {
        case .proceed(let target): return .resolved(resolution, target: target)
        case .gated(_, _, let resume): return .resolved(resolution, target: try engine.target(of: resume))
        }
    }

    private static func refusal(of decision: AssociationDecision, _ url: String) -> Decision? {
        switch decision {
        case .match: nil
        case .exclude(let component):
            .refused(error: "NotAssociated", message: "the association file excludes \(url.echoed) by \(component)")
        case .noMatch: .refused(error: "NotAssociated", message: "no associated domain of the app takes \(url.echoed)")
        }
    }
}

extension AdaptedRequest {
    /// The values of the secrets in it, each with its placeholder.
    package func secrets(by engine: RoutingEngine) -> SentSecrets {
        switch self {
        case .url(let url), .universalLink(let url): engine.secrets(inURL: url)
        case .destination(let destination): engine.secrets(in: destination)
        case .handled: SentSecrets()
        }
    }

    /// The request with placeholders for secrets.
    fileprivate func concealed(by engine: RoutingEngine) -> AdaptedRequest {
        switch self {
        case .url(let url): .url(engine.concealed(url: url))
        case .universalLink(let url): .universalLink(engine.concealed(url: url))
        case .destination(let destination): .destination(engine.concealed(destination))
        case .handled: .handled
        }
    }
}

extension AdapterChain {
    /// Tries an event with the adapters of this process.
    /// - Parameter name: the only adapter to ask; `nil` asks all in turn.
    package func trial(
        of event: EntryEvent,
        only name: String? = nil,
        engine: RoutingEngine,
        context: RoutingContext
    ) -> AdapterTrial {
        var inquiry = AdapterInquiry(event, self, outside: [], only: name, by: engine.manifest)
        while true {
            switch inquiry.next() {
            case .ask: inquiry.skipped("adapters in other processes are not asked")
            case .ended(let answer):
                return AdapterTrial(event, answer, chain: self, engine: engine, context: context, only: name)
            }
        }
    }
}
