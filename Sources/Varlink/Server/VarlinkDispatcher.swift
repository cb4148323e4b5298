internal import StrictJSON

/// Decides what becomes of a call; knows the services, but no connection.
struct VarlinkDispatcher: Sendable {
    enum Decision {
        case reply(JSONObject)
        case fail(VarlinkError)
        /// `results` are the fields that each reply must have.
        case invoke(VarlinkHandler, service: VarlinkService, results: [VarlinkField])
    }

    private let introspection: VarlinkInterface
    private let identity: VarlinkIdentity
    private let authorize: @Sendable (VarlinkPeer, String) -> Bool
    private var services: [String: VarlinkService] = [:]
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
        }
    }

    func decide(_ call: VarlinkCall, from peer: VarlinkPeer) -> Decision {
        guard let dot = call.method.lastIndex(of: ".") else { return .fail(.interfaceNotFound(call.method)) }
        let name = String(call.method[..<dot])
        let methodName = String(call.method[call.method.index(after: dot)...])
        let service = services[name]
        guard let interface = name == introspection.name ? introspection : service?.interface else {
            return .fail(.interfaceNotFound(name))
        }
        guard let method = interface.method(methodName) else { return .fail(.methodNotFound(call.method)) }
        guard authorize(peer, call.method) else { return .fail(.permissionDenied) }
        let implementation = service?.methods[methodName]
        if let implementation, implementation.requiresMore, !call.more { return .fail(.expectedMore) }
        if let offence = interface.firstOffence(in: call.parameters, against: method.parameters) {
            return .fail(.invalidParameter(offence))
        }
        guard let service else { return introspect(methodName, call) }
        guard let implementation else { return .fail(.methodNotImplemented(call.method)) }
        return .invoke(implementation.handler, service: service, results: method.results)
    }

    /// What finds fault with a reply of `service` to a method that gives `results`.
    func check(
        _ service: VarlinkService,
        _ results: [VarlinkField]
    ) -> @Sendable (VarlinkReply) -> String? {
        { reply in
            if let name = reply.error { return offence(in: VarlinkError(name, reply.parameters)) }
            return service.interface.firstOffence(in: reply.parameters, against: results).map {
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
