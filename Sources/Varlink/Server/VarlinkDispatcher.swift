internal import Basics
internal import NIOCore
internal import StrictJSON

/// Decides how a call is answered. It knows the services, but no connections.
struct VarlinkDispatcher: Sendable {
    enum Decision {
        case reply(JSONObject)
        case fail(VarlinkError)
        /// Fails because the peer may not make the call.
        case refuse(VarlinkError)
        case invoke(VarlinkHandler, VarlinkMethod)
    }

    private let introspection: VarlinkInterface
    private let identity: VarlinkIdentity
    private let authorize: @Sendable (VarlinkPeer, String) -> VarlinkError?
    private let refuse: @Sendable (String) -> VarlinkError?
    private let longestStretch: @Sendable (String?, TimeAmount) -> Void
    /// Of what is no call of a method that a service answers.
    let longestOther: LongestStretch
    private var services: [String: VarlinkService] = [:]
    /// By full name.
    private var methods: [String: VarlinkMethod] = [:]
    /// In the order in which `GetInfo` names them.
    private var sources: [(name: String, source: String)]

    init(
        services: [VarlinkService],
        identity: VarlinkIdentity,
        authorize: @escaping @Sendable (VarlinkPeer, String) -> VarlinkError?,
        refuse: @escaping @Sendable (String) -> VarlinkError? = { _ in nil },
        longestStretch: @escaping @Sendable (String?, TimeAmount) -> Void = { _, _ in }
    ) throws(VarlinkServerError) {
        self.identity = identity
        self.authorize = authorize
        self.refuse = refuse
        self.longestStretch = longestStretch
        longestOther = LongestStretch { longestStretch(nil, $0) }
        introspection = VarlinkIntrospection.interface
        sources = [(introspection.name, VarlinkIntrospection.source)]
        for service in services {
            let name = service.interface.name
            guard name != introspection.name, self.services.updateValue(service, forKey: name) == nil else {
                throw .interfaceTwice(name)
            }
            sources.append((name, service.source))
            add(service.interface, service.methods, service.texts)
        }
        add(introspection, [:], VarlinkName.problem)
    }

    private mutating func add(
        _ interface: VarlinkInterface,
        _ answered: [String: VarlinkService.Method],
        _ texts: @escaping VarlinkTextRule
    ) {
        for name in interface.methodNames {
            guard let (parameters, results) = interface.method(name) else { continue }
            let fullName = "\(interface.name).\(name)"
            methods[fullName] = VarlinkMethod(
                of: interface,
                name,
                parameters: parameters,
                results: results,
                texts: texts,
                answeredBy: answered[name],
                longest: LongestStretch { [longestStretch] in longestStretch(fullName, $0) }
            )
        }
    }

    func decide(_ call: VarlinkCall, from peer: VarlinkPeer) -> Decision {
        // Nothing else may look at a name that is too long.
        if let problem = VarlinkName.problem(call.method, "method", false) {
            return .fail(.invalidParameter("method", reason: "\(call.method.quotedForMessage) \(problem)"))
        }
        guard let method = methods[call.method] else { return .fail(unknown(call.method)) }
        if let refusal = authorize(peer, call.method) { return .refuse(refusal) }
        if let error = refuse(call.method) { return .fail(error) }
        if method.requiresMore, !call.more { return .fail(.expectedMore) }
        if let mismatch = method.interface.firstMismatch(
            in: call.parameters,
            with: method.parameters,
            texts: method.texts
        ) {
            return .fail(.invalidParameter(mismatch.path, reason: mismatch.reason))
        }
        if let handler = method.handler { return .invoke(handler, method) }
        guard method.interface.name == introspection.name else { return .fail(.methodNotImplemented(call.method)) }
        return introspect(method.name, call)
    }

    private func unknown(_ method: String) -> VarlinkError {
        guard let dot = method.utf8.lastIndex(of: UInt8(ascii: ".")) else { return .interfaceNotFound(method) }
        let interface = String(method[..<dot])
        let isKnown = interface == introspection.name || services[interface] != nil
        return isKnown ? .methodNotFound(method) : .interfaceNotFound(interface)
    }

    /// A check of replies to `method`: what is wrong with a reply, or `nil`.
    func check(_ method: VarlinkMethod) -> @Sendable (VarlinkReply) -> String? {
        { reply in
            if let name = reply.error { return defect(of: VarlinkError(name, reply.parameters)) }
            return method.interface.firstMismatch(in: reply.parameters, with: method.results).map {
                "in its reply, '\($0.path)' is missing, undeclared or of the wrong type"
            }
        }
    }

    /// What is wrong with an error that a service wants to answer, or `nil`.
    private func defect(of error: VarlinkError) -> String? {
        guard let dot = error.name.utf8.lastIndex(of: UInt8(ascii: ".")) else {
            return "the error '\(error.name)' has no interface"
        }
        let name = String(error.name[..<dot])
        let errorName = String(error.name[error.name.index(after: dot)...])
        let interface = name == introspection.name ? introspection : services[name]?.interface
        guard let interface, let fields = interface.error(errorName) else {
            return "the error '\(error.name)' is not declared"
        }
        return interface.firstMismatch(in: error.parameters, with: fields).map {
            "in the error '\(error.name)', '\($0.path)' is missing, undeclared or of the wrong type"
        }
    }

    private func introspect(_ method: String, _ call: VarlinkCall) -> Decision {
        switch method {
        case "GetInfo":
            return .reply([
                "vendor": .string(identity.vendor),
                "product": .string(identity.product),
                "version": .string(identity.version),
                "url": .string(identity.url),
                "interfaces": .array(sources.map { .string($0.name) }),
            ])
        case "GetInterfaceDescription":
            let name = call.parameters["interface"]?.stringValue ?? ""
            guard let source = sources.first(where: { $0.name == name })?.source else {
                return .fail(.interfaceNotFound(name))
            }
            return .reply(["description": .string(source)])
        default: return .fail(.methodNotImplemented(call.method))
        }
    }
}

/// A method of a served interface, with all that a call of it needs. A class, so that passing it on copies one reference.
final class VarlinkMethod: Sendable {
    let interface: VarlinkInterface
    /// The name without the interface.
    let name: String
    let parameters: [VarlinkField]
    let results: [VarlinkField]
    /// What is required of the texts in its parameters.
    let texts: VarlinkTextRule
    /// Whether a call without `more` answers `ExpectedMore`.
    let requiresMore: Bool
    /// `nil` for a method that the service does not implement, and for those of `org.varlink.service`.
    let handler: VarlinkHandler?
    /// The longest that a call has held its event loop.
    let longest: LongestStretch

    init(
        of interface: VarlinkInterface,
        _ name: String,
        parameters: [VarlinkField],
        results: [VarlinkField],
        texts: @escaping VarlinkTextRule,
        answeredBy method: VarlinkService.Method?,
        longest: LongestStretch
    ) {
        self.interface = interface
        self.name = name
        self.parameters = parameters
        self.results = results
        self.texts = texts
        requiresMore = method?.requiresMore ?? false
        handler = method?.handler
        self.longest = longest
    }
}
