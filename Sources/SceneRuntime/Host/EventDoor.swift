internal import SceneEntryPoints
internal import SceneNavigation
internal import SceneRouting
internal import StrictJSON

/// Decides everything about an event that the manifest alone decides (<doc:WayOfAnEvent#At-the-door>). It admits nothing.
struct EventDoor: Sendable {
    let app: CurrentApp
    let store: SessionStore
    let routing: @Sendable (SessionSnapshot) -> RoutingContext
    /// Whether the app's code in Swift hears of notifications.
    let hearsNotifications: Bool
    /// Called with what the routing engine refuses here.
    let report: @Sendable (ResolutionReport) -> Void

    /// What was decided about an event.
    struct Decision {
        let work: EventWork
        /// The name of the adapter that took the event, if any was asked.
        var adapter: String?
        var warnings: [String] = []
    }

    /// Decides what `submission` asks for.
    ///
    /// - Parameter adaptation: What the adapters answered; `nil` asks those of the app.
    /// - Throws: ``AdmissionError``.
    func decide(
        _ submission: Submission,
        _ adaptation: Result<Adaptation, EntryRefusal>? = nil
    ) throws(AdmissionError) -> Decision {
        switch submission.event {
        case .entry(let event): return try decide(event, adaptation, mayAct: submission.mayAct)
        case .action(let action):
            if submission.scene == nil { throw .missingScene(kind: action.kind) }
            return Decision(work: try decide(action))
        }
    }

    private func decide(
        _ event: EntryEvent,
        _ adaptation: Result<Adaptation, EntryRefusal>?,
        mayAct: Bool
    ) throws(AdmissionError) -> Decision {
        try requireReceiver(event)
        if case .background(let intent, let user) = try responseEffect(of: event) {
            let work: EventWork
            if let intent {
                guard mayAct else { throw .mayNotAct }
                work = try perform(intent, for: user)
            } else {
                work = .deliver
            }
            return Decision(work: try heard(event, otherwise: work, mayAct), warnings: event.warnings)
        }
        guard event.isNavigating else {
            return Decision(work: try heard(event, otherwise: .deliver, mayAct), warnings: event.warnings)
        }
        do {
            return try route(event, adaptation)
        } catch {
            // A tapped notification has been delivered, even if its link leads nowhere. What else leads nowhere is admitted if
            // the app has something to show instead.
            guard
                event.kind == .push || error.leadsNowhere && app.current.manifest.fallback != nil && isForThisApp(event)
            else { throw error }
            return Decision(work: .reject(reason: error.reason), warnings: event.warnings)
        }
    }

    /// What is done for an event that brings nothing to the front: if the app's code hears of it, whatever that decides.
    private func heard(
        _ event: EntryEvent,
        otherwise work: EventWork,
        _ mayAct: Bool
    ) throws(AdmissionError) -> EventWork {
        guard hearsNotifications, case .push(let push) = event.content, push.isHeard else { return work }
        // What the code commits is somebody's doing, who may have to be allowed it.
        guard mayAct else { throw .mayNotAct }
        return try Self.checked(.hear(push, otherwise: work), "payload")
    }

    /// Whether the system hands such an event to this app at all: no app is given a URL of another's scheme.
    private func isForThisApp(_ event: EntryEvent) -> Bool {
        guard case .url(let open) = event.content, let scheme = open.scheme else { return true }
        return open.isWeb || app.current.manifest.schemes.contains(scheme)
    }

    private func route(
        _ event: EntryEvent,
        _ adaptation: Result<Adaptation, EntryRefusal>?
    ) throws(AdmissionError) -> Decision {
        let app = self.app.current
        let adapted: Adaptation
        do throws(EntryRefusal) {
            if let adaptation { adapted = try adaptation.get() } else { adapted = try app.adapters.adapt(event) }
        } catch {
            throw .noAdapter(kind: error.kind.rawValue, reason: error.reason)
        }
        if let user = adapted.user, let problem = NameRule.problem(user) {
            throw .route(.validationFailed(parameter: "user", reason: problem))
        }
        return Decision(
            work: try Self.checked(route(adapted.request, app).meant(for: adapted.user), "destination"),
            adapter: adapted.adapter,
            warnings: adapted.warnings
        )
    }

    private func route(_ request: AdaptedRequest, _ app: LoadedApp) throws(AdmissionError) -> EventWork {
        switch request {
        case .handled: return .handled
        case .destination(let destination):
            do {
                return .navigate(try app.engine.request(for: destination, source: .external), route: nil)
            } catch {
                report(ResolutionReport(door: .request, route: nil, answer: .failure(error)))
                throw .route(error)
            }
        case .url(let url): return try match(url, app.engine)
        case .universalLink(let url):
            do {
                try RoutingEngine.checkLength(of: url)
            } catch {
                throw .route(error)
            }
            try Self.check(app.engine.association(for: url), url: app.engine.concealed(url: url))
            return try match(url, app.engine)
        }
    }

    private func match(_ url: String, _ engine: RoutingEngine) throws(AdmissionError) -> EventWork {
        do {
            let match = try engine.match(url: url, context: routing(store.snapshot))
            return .navigate(match.request, route: match.route)
        } catch {
            report(ResolutionReport(door: .url, route: nil, answer: .failure(error)))
            throw .route(error)
        }
    }

    /// What the event is to do with which a window begins that a coordinator asks for.
    /// - Throws: ``AdmissionError``, if the destination is wrong.
    func window(for destination: Destination) throws(AdmissionError) -> EventWork {
        let request: RouteRequest
        do {
            request = try app.current.engine.request(for: destination, source: .internal)
        } catch {
            throw .route(error)
        }
        return try Self.checked(.navigate(request, route: nil), "destination")
    }

    /// Whether the adapters say what comes of an event.
    func asksAdapters(about event: EntryEvent) -> Bool { event.asksAdapters(by: app.current.manifest) }

    private func responseEffect(of event: EntryEvent) throws(AdmissionError) -> ResponseEffect? {
        do {
            return try event.responseEffect(by: app.current.manifest)
        } catch {
            throw .route(.malformed(reason: error.description))
        }
    }

    private func perform(_ intent: NotificationAction.Handover, for user: String?) throws(AdmissionError) -> EventWork {
        do {
            _ = try app.current.engine.parameters(intent.parameters, ofIntent: intent.name, flow: nil)
        } catch {
            throw .route(error)
        }
        let parameters = app.current.engine.concealed(intent.parameters, ofIntent: intent.name)
        return try Self.checked(
            .perform(Intent(name: intent.name, parameters: parameters), user: user),
            "payload"
        )
    }

    /// Refuses an event that is for another app.
    func requireReceiver(_ event: EntryEvent) throws(AdmissionError) {
        do {
            try event.requireReceiver(app.current.manifest.appIDs)
        } catch {
            throw .route(.malformed(reason: error.description))
        }
    }

    private func decide(_ action: SceneAction) throws(AdmissionError) -> EventWork {
        let engine = app.current.engine
        switch action {
        case .intent(let intent, let reporter):
            if let problem = NameRule.problem(intent.name) { throw .invalid("name", problem) }
            do {
                try engine.checkIntent(intent.name, parameters: intent.parameters)
            } catch {
                throw .route(error)
            }
            if let reporter { try Self.check(reporter, isReporterIn: engine) }
            let parameters = engine.concealed(intent.parameters, ofIntent: intent.name)
            let concealed = Intent(name: intent.name, parameters: parameters)
            return try Self.checked(.bubble(concealed, from: reporter), "parameters")
        case .gesture(let gesture):
            if case .selectTab(let tab) = gesture {
                try Self.check(tab, isOneOf: engine.manifest.tabs.map(\.id), "tab")
            }
            return .gesture(gesture)
        case .finishFlow(let flow, let result):
            try Self.check(flow, isOneOf: engine.manifest.flows.map(\.name), "flow")
            guard case .completed(var completion) = result else { return .finish(flow: flow, .cancelled) }
            if let user = completion.user {
                if let problem = NameRule.problem(user) { throw .invalid("user", problem) }
            } else if engine.flow(flow)?.completionNeedsUser ?? false {
                throw .invalid("user", "is missing; the flow '\(flow)' is complete when somebody has signed in")
            }
            do {
                // A flow that declares no result takes any: its starter in Swift may know them.
                completion.values = try engine.checkedResult(completion.values, of: flow)
            } catch {
                throw .route(error)
            }
            do {
                completion.facts = try app.current.facts.checked(completion.facts)
            } catch {
                guard case .invalidFact(let fact, let reason) = error else { throw .draining }
                throw .invalidFact(fact: fact, reason: reason)
            }
            return try Self.checked(.finish(flow: flow, .completed(completion)), "facts")
        }
    }

    /// How many bytes one event may take.
    private static let maximumFootprint = 128 << 10

    /// `work`, unless it is larger than one event may be.
    /// - Parameter part: The part of the event that makes it large.
    private static func checked(_ work: EventWork, _ part: String) throws(AdmissionError) -> EventWork {
        let size = work.footprint
        guard size > maximumFootprint else { return work }
        throw .invalid(part, "make the event take \(size) bytes; one event may take \(maximumFootprint)")
    }

    private static func check(_ name: String, isOneOf names: [String], _ what: String) throws(AdmissionError) {
        guard !names.contains(name) else { return }
        let known = names.isEmpty ? "the app has none" : "the app has \(names.joined(separator: ", "))"
        throw .invalid(
            what,
            "there is no \(what) \(name.quotedForMessage); \(known)\(Spelling.hint(for: name, among: names))"
        )
    }

    private static func check(_ reporter: String, isReporterIn engine: RoutingEngine) throws(AdmissionError) {
        let isPlain = reporter.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        if isPlain, engine.hasScreen(reporter) || WindowState.isContainer(reporter, of: engine.manifest) { return }
        let reporters = engine.manifest.destinations.map(\.id) + engine.manifest.tabs.map { "tab \($0.id)" }
        let tab = engine.manifest.tabs.first.map { ", such as 'tab \($0.id)'" } ?? ""
        throw .invalid(
            "from",
            "there is no screen or container \(reporter.quotedForMessage); expected the ID of a screen of the app, or a container as the record of an intent names it\(tab)\(Spelling.hint(for: reporter, among: reporters))"
        )
    }

    private static func check(_ decision: AssociationDecision, url: String) throws(AdmissionError) {
        switch decision {
        case .match: return
        case .exclude(let component): throw .notAssociated(url: url, component: component)
        case .noMatch: throw .notAssociated(url: url, component: "")
        }
    }
}

extension AdmissionError {
    /// Whether the event is well formed and the app's to handle, but the app has no place to which it leads.
    fileprivate var leadsNowhere: Bool {
        switch self {
        case .route(.unknownRoute), .route(.validationFailed), .noAdapter: true
        default: false
        }
    }

    /// The reason of the outcome `rejected` for an event that is admitted with this error.
    fileprivate var reason: String {
        switch self {
        case .route(.malformed): "malformed"
        case .route(.unknownRoute): "unknownRoute"
        case .route(.validationFailed(let parameter, _)): "validationFailed: \(parameter)"
        case .notAssociated: "notAssociated"
        case .noAdapter: "noAdapter"
        default: description
        }
    }
}
