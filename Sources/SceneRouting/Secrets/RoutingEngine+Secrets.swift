// Nothing that leaves a host says the value of a secret (<doc:/SceneRuntime/Secrets>). What is checked becomes a placeholder where it
// is checked; this is for what is recorded although it is not allowed, and for texts in which a value stands.
extension RoutingEngine {
    /// Whether placeholders stand for the values of some secrets.
    package var conceals: Bool { secretKey != nil }

    /// The parameters of an intent as they may be recorded. What nobody declares could be a misspelt secret.
    package func concealed(_ parameters: [String: String], ofIntent name: String) -> [String: String] {
        concealed(parameters) { intents.parameter($0, of: name) }
    }

    /// A destination as it may be recorded, even if it is not allowed.
    package func concealed(_ destination: Destination) -> Destination {
        Destination(id: destination.id, parameters: concealed(destination.parameters, by: declared(by: destination.id)))
    }

    /// A screen as windows show it: with placeholders for its secrets, and what nobody declares as it is.
    package func shown(_ screen: Destination) -> Destination {
        guard conceals else { return screen }
        let declared = declared(by: screen.id)
        var parameters = screen.parameters
        for (name, value) in parameters { parameters[name] = declared(name)?.concealed(value) ?? value }
        return Destination(id: screen.id, parameters: parameters)
    }

    /// The parameter of a name that a destination or the screen of a flow declares, a secret before others.
    private func declared(by id: String) -> (String) -> CompiledDestination.Parameter? {
        let own =
            destinationIndex[id].map { destinations[$0].parameters } ?? flowScreens.values.flatMap { $0[id] ?? [] }
        return { name in
            let declared = own.filter { $0.declaration.name == name }
            return declared.first { $0.secretKey != nil } ?? declared.first
        }
    }

    /// What a flow hands over as it may be recorded.
    package func concealed(_ values: [String: String], ofResultOf flow: String) -> [String: String] {
        concealed(values) { name in flowResults[flow]?.first { $0.declaration.name == name } }
    }

    /// The values of an intent's secrets, each with its placeholder.
    package func secrets(in parameters: [String: String], ofIntent name: String) -> SentSecrets {
        secrets(in: parameters) { intents.parameter($0, of: name) }
    }

    private func secrets(
        in values: [String: String],
        by declared: (String) -> CompiledDestination.Parameter?
    ) -> SentSecrets {
        var secrets = SentSecrets()
        guard let secretKey else { return secrets }
        for (name, value) in values {
            if let parameter = declared(name) {
                secrets.add(value, of: parameter)
            } else {
                secrets.add(value, secretKey.placeholder(for: value))
            }
        }
        return secrets
    }

    private func concealed(
        _ values: [String: String],
        by declared: (String) -> CompiledDestination.Parameter?
    ) -> [String: String] {
        guard let secretKey else { return values }
        var concealed = values
        for (name, value) in values {
            concealed[name] = declared(name).map { $0.concealed(value) } ?? secretKey.placeholder(for: value)
        }
        return concealed
    }

    /// The values of a destination's secrets, each with its placeholder.
    package func secrets(in destination: Destination) -> SentSecrets {
        secrets(in: destination.parameters, by: declared(by: destination.id))
    }

    /// The value of a member of an event from outside, with its placeholder, if a secret has the member's name, or the app takes one from
    /// a member of this name: it may come with an event that nobody asks for it.
    package func secrets(inMember name: String, _ value: String) -> SentSecrets {
        var secrets = SentSecrets()
        for parameter in secretMembers[name] ?? [] { secrets.add(value, of: parameter) }
        return secrets
    }

    /// Whether the parameters of this name that destinations have are secret: all are, or none.
    package func isSecret(parameter name: String) -> Bool {
        destinations.contains { $0.parameters.contains { $0.declaration.name == name && $0.secretKey != nil } }
    }

    /// A text as one value, with its placeholder: where in it a secret stands is not known.
    package func secrets(asText text: String) -> SentSecrets {
        var secrets = SentSecrets()
        if let secretKey { secrets.add(text, secretKey.passingPlaceholder(for: text.normalizedNFC)) }
        return secrets
    }

    /// The values in a URL that some route takes as a secret, each with its placeholder, whether or not they are allowed and
    /// whichever route takes the URL in the end.
    package func secrets(inURL url: String) -> SentSecrets {
        var secrets = SentSecrets()
        guard conceals, let parsed = try? RoutingURL(url) else { return secrets }
        for route in routes {
            var captures: [String: String] = [:]
            let result = RouteMatcher(route: route).attempt(parsed, domains: domains) { captures[$0] = $1 }
            if case .mismatch = result { continue }
            let targets: [CompiledDestination]
            if let destination = route.destination {
                targets = [destination]
            } else {
                let named = route.destinationCapture.flatMap { captures[$0] }
                targets = named.flatMap { destinationIndex[$0] }.map { [destinations[$0]] } ?? []
            }
            for parameter in targets.flatMap(\.parameters) where parameter.secretKey != nil {
                let name = parameter.declaration.name
                var values = captures[name].map { [$0] } ?? []
                if case .list = parameter.check { values += values.flatMap(ParameterCheck.elements) }
                if route.pattern.takesRemainingItems { values += parsed.query.filter { $0.name == name }.map(\.value) }
                for value in values { secrets.add(value, of: parameter) }
            }
        }
        return secrets
    }

    /// The same, and the URL itself if it leads nowhere: a value may stand in it where no route has one.
    package func secrets(inURL url: String, context: RoutingContext) -> SentSecrets {
        var secrets = secrets(inURL: url)
        if conceals, let secretKey, (try? match(url: url, context: context)) == nil {
            secrets.add(url, secretKey.passingPlaceholder(for: url))
        }
        return secrets
    }

    /// A URL with placeholders for the values that some route takes as a secret.
    package func concealed(url: String) -> String { conceals ? secrets(inURL: url).concealed(url) : url }
}

extension ManifestCompilation {
    /// The secrets by the names of the members of events from which the app takes them, or would by their own names; of those that take
    /// the same values one. In the same order in every process: the placeholder of the last stands for a value that two of them have.
    func secretMembers(_ intents: IntentTable) -> [String: [CompiledDestination.Parameter]] {
        let parameters =
            destinations.flatMap(\.parameters)
            + flowScreens.inOrder.flatMap { $0.inOrder.joined() } + flowResults.inOrder.joined() + intents.secrets
        var members: [String: [CompiledDestination.Parameter]] = [:]
        func add(_ parameter: CompiledDestination.Parameter, to member: String) {
            guard parameter.secretKey != nil else { return }
            if members[member]?.contains(where: { $0.check == parameter.check }) ?? false { return }
            members[member, default: []].append(parameter)
        }
        for parameter in parameters { add(parameter, to: parameter.declaration.name) }
        for handover in manifest.notificationCategories.flatMap(\.handovers) {
            for (name, path) in handover.parameters.sorted(by: { $0.key < $1.key }) {
                guard let parameter = intents.parameter(name, of: handover.name) else { continue }
                if let member = EventPath(path)?.last { add(parameter, to: member) }
            }
        }
        return members
    }
}

extension Dictionary where Key == String {
    /// The values in the order of their names.
    fileprivate var inOrder: [Value] { sorted { $0.key < $1.key }.map(\.value) }
}

extension SentSecrets {
    /// Adds a value of a parameter if that is secret, as it was given and in its canonical form.
    fileprivate mutating func add(_ value: String, of parameter: CompiledDestination.Parameter) {
        let placeholder = parameter.concealed(value)
        add(value, placeholder)
        guard parameter.secretKey != nil, value != placeholder else { return }
        parameter.check.canonical(value.normalizedNFC).map { add($0, placeholder) }
    }
}

extension AppManifest {
    /// Whether it declares a secret.
    package var hasSecrets: Bool {
        facts.contains(where: \.isSecret) || destinations.contains { $0.parameters.contains(where: \.isSecret) }
            || intents.contains { $0.parameters.contains(where: \.isSecret) }
            || flows.contains { flow in
                flow.result.contains(where: \.isSecret)
                    || flow.screens.contains { $0.parameters.contains(where: \.isSecret) }
                    || flow.intents.contains { $0.parameters.contains(where: \.isSecret) }
            }
    }
}
