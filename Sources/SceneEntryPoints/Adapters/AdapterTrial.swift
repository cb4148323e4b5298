public import SceneRouting

/// What would become of an event at the door, as far as the adapters and the routing engine decide it. Nothing is touched.
public struct AdapterTrial: Sendable {
    public let event: EntryEvent
    /// The adapter that took or refused the event.
    public let adapter: String?
    /// Who was asked before and why they passed, in the order asked.
    public let declined: [AdapterDecline]
    /// What a declarative adapter read from the event: captured names and paths, each with the text there.
    public let extracted: [String: String]
    /// What was made of it, or why nothing was.
    public let request: Result<AdaptedRequest, EntryRefusal>
    /// What the event's format and the adapter warn about.
    public let warnings: [String]
    public let decision: Decision

    /// What the door would say.
    public enum Decision: Hashable, Sendable {
        /// The event is only delivered; nobody is asked where to go.
        case delivered
        /// `target` is what the window shows once the way is free.
        case resolved(RouteResolution, target: Target)
        /// It would be refused with an error of this name; a push would be delivered and end as `rejected`.
        case refused(error: String, message: String)
    }

    /// A trial of what adapters said.
    ///
    /// - Parameter name: The only adapter that was asked, if not all were.
    package init(
        _ event: EntryEvent,
        _ answer: Result<Adaptation, EntryRefusal>,
        chain: AdapterChain,
        engine: RoutingEngine,
        context: RoutingContext,
        only name: String? = nil
    ) {
        self.event = event
        switch answer {
        case .success(let adaptation):
            adapter = adaptation.adapter
            declined = adaptation.declined
            request = .success(adaptation.request)
            warnings = adaptation.warnings
        case .failure(let refusal):
            adapter = refusal.adapter
            declined = refusal.declined
            request = .failure(refusal)
            warnings = event.warnings
        }
        let taker = adapter ?? name
        let reader = chain.adapters.first { $0.name == taker } as? DeclarativeAdapter
        extracted = reader?.extraction(from: event) ?? [:]
        decision = event.isNavigating ? Self.decide(request, engine, context) : .delivered
    }

    private static func decide(
        _ request: Result<AdaptedRequest, EntryRefusal>,
        _ engine: RoutingEngine,
        _ context: RoutingContext
    ) -> Decision {
        do {
            switch try request.get() {
            case .destination(let destination):
                return try resolve(try engine.request(for: destination, source: .external), engine, context)
            case .universalLink(let url):
                if let refusal = refusal(of: engine.association(for: url), url) { return refusal }
                return try resolve(try engine.match(url: url, context: context).request, engine, context)
            case .url(let url):
                return try resolve(try engine.match(url: url, context: context).request, engine, context)
            }
        } catch let error as RouteError {
            switch error {
            case .malformed: return .refused(error: "Malformed", message: error.description)
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
        _ engine: RoutingEngine,
        _ context: RoutingContext
    ) throws(RouteError) -> Decision {
        let resolution = try engine.resolve(request, context: context)
        switch resolution {
        case .proceed(let target): return .resolved(resolution, target: target)
        case .gated(_, let resume): return .resolved(resolution, target: try engine.target(of: resume))
        }
    }

    private static func refusal(of decision: AssociationDecision, _ url: String) -> Decision? {
        switch decision {
        case .match: nil
        case .exclude(let component):
            .refused(error: "NotAssociated", message: "the association file excludes \(url) by \(component)")
        case .noMatch: .refused(error: "NotAssociated", message: "no associated domain of the app takes \(url)")
        }
    }
}

extension AdapterChain {
    /// Tries an event on the adapters of this process.
    ///
    /// - Parameter name: The only adapter to ask; `nil` asks them in turn.
    public func trial(
        of event: EntryEvent,
        only name: String? = nil,
        engine: RoutingEngine,
        context: RoutingContext
    ) -> AdapterTrial {
        var inquiry = AdapterInquiry(event, self, outside: [], only: name)
        while true {
            switch inquiry.next() {
            case .ask: inquiry.skipped("nobody is outside")
            case .ended(let answer):
                return AdapterTrial(event, answer, chain: self, engine: engine, context: context, only: name)
            }
        }
    }
}
