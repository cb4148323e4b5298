internal import StrictJSON

/// Decides what becomes of a call; knows the services, but no connection.
struct VarlinkDispatcher: Sendable {
    enum Decision {
        case reply(JSONObject)
        case fail(VarlinkError)
        case invoke(VarlinkHandler, VarlinkMethod)
    }

    private let introspection: VarlinkInterface
    private let identity: VarlinkIdentity
    private let authorize: @Sendable (VarlinkPeer, String) -> Bool
    private var services: [String: VarlinkService] = [:]
    /// By full name.
    private var methods: [String: VarlinkMethod] = [:]
    /// In the order in which `GetInfo` names them.
    private var sources: [(name: String, source: String)]

    init(
        services: [VarlinkService],
        identity: VarlinkIdentity,
        authorize: @escaping @Sendable (VarlinkPeer, String) -> Bool
    ) throws(VarlinkServerError) {
        self.identity = identity
        self.authorize = authorize
        introspection = VarlinkIntrospection.interface
        sources = [(introspection.name, VarlinkIntrospection.source)]
        for service in services {
            let name = service.interface.name
            guard name != introspection.name, self.services.updateValue(service, forKey: name) == nil else {
                throw .interfaceTwice(name)
            }
            sources.append((name, service.source))
            add(service.interface, service.methods)
        }
        add(introspection, [:])
    }

    private mutating func add(_ interface: VarlinkInterface, _ answered: [String: VarlinkService.Method]) {
        for name in interface.methodNames {
            guard let (parameters, results) = interface.method(name) else { continue }
            methods["\(interface.name).\(name)"] = VarlinkMethod(
                of: interface,
                name,
                parameters: parameters,
                results: results,
                answeredBy: answered[name]
            )
        }
    }

    func decide(_ call: VarlinkCall, from peer: VarlinkPeer) -> Decision {
        guard let method = methods[call.method] else { return .fail(unknown(call.method)) }
        guard authorize(peer, call.method) else { return .fail(.permissionDenied) }
        if method.requiresMore, !call.more { return .fail(.expectedMore) }
        if let offence = method.interface.firstOffence(in: call.parameters, against: method.parameters) {
            return .fail(.invalidParameter(offence))
        }
        if let handler = method.handler { return .invoke(handler, method) }
        guard method.interface.name == introspection.name else { return .fail(.methodNotImplemented(call.method)) }
        return introspect(method.name, call)
    }

    private func unknown(_ method: String) -> VarlinkError {
        guard let dot = method.lastIndex(of: ".") else { return .interfaceNotFound(method) }
        let interface = String(method[..<dot])
        let isKnown = interface == introspection.name || services[interface] != nil
        return isKnown ? .methodNotFound(method) : .interfaceNotFound(interface)
    }

    /// What finds fault with a reply to `method`.
    func check(_ method: VarlinkMethod) -> @Sendable (VarlinkReply) -> String? {
        { reply in
            if let name = reply.error { return offence(in: VarlinkError(name, reply.parameters)) }
            return method.interface.firstOffence(in: reply.parameters, against: method.results).map {
                "its reply has a missing, unknown or ill-typed '\($0)'"
            }
        }
    }

    /// What is wrong with an error that `service` wants to answer, or `nil`.
    func offence(in error: VarlinkError) -> String? {
        guard let dot = error.name.lastIndex(of: ".") else { return "the error '\(error.name)' has no interface" }
        let name = String(error.name[..<dot])
        let errorName = String(error.name[error.name.index(after: dot)...])
        let interface = name == introspection.name ? introspection : services[name]?.interface
        guard let interface, let fields = interface.error(errorName) else {
            return "the error '\(error.name)' is not declared"
        }
        return interface.firstOffence(in: error.parameters, against: fields).map {
            "the error '\(error.name)' has a missing, unknown or ill-typed '\($0)'"
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
