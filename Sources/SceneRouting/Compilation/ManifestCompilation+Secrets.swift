/// Checks that no secret is seen outside the places that are declared secret (<doc:/SceneRuntime/Secrets>): it takes its value only from
/// a secret, and gives it only to a secret.
extension ManifestCompilation {
    /// What is secret, by name.
    struct SecretNames {
        let facts: Set<String>
        let parameters: Set<String>

        init(_ manifest: AppManifest) {
            facts = Set(manifest.facts.lazy.filter(\.isSecret).map(\.name))
            parameters = Set(manifest.allParameters.lazy.map(\.parameter).filter(\.isSecret).map(\.name))
        }

        var isEmpty: Bool { facts.isEmpty && parameters.isEmpty }

        func include(_ source: ValueSource) -> Bool {
            switch source {
            case .literal: false
            case .parameter(let name): parameters.contains(name)
            case .fact(let name): facts.contains(name)
            }
        }
    }

    /// Checks a parameter by itself.
    mutating func checkSecret(_ declaration: ParameterDeclaration, at key: String) {
        guard declaration.isSecret, declaration.defaultValue != nil || !declaration.variantDefaults.isEmpty else {
            return
        }
        error(
            declaration.defaultValue != nil ? "\(key).default" : "\(key).defaults",
            "'\(declaration.name)' is secret, and what stands in a manifest is none",
            expected: "no default; 'optional: true' if it may be absent"
        )
    }

    mutating func checkSecrets() {
        let secrets = SecretNames(manifest)
        if secrets.isEmpty { return }
        for fact in manifest.facts where fact.isSecret { check(secret: fact) }
        for (key, parameter) in manifest.allParameters
        where !parameter.isSecret && secrets.parameters.contains(parameter.name) {
            error(
                key,
                "another parameter '\(parameter.name)' is secret; values pass between parameters of one name",
                expected: "'secret: true' here, too, or another name"
            )
        }
        for (index, route) in manifest.routes.enumerated() { check(route, secrets, at: "routes[\(index)]") }
        for (name, _) in (manifest.fallback?.parameters ?? [:]).sorted(by: { $0.key < $1.key })
        where secrets.parameters.contains(name) {
            reportLiteral(for: name, at: "fallback.parameters.\(name)")
        }
        for (index, adapter) in manifest.adapters.enumerated() {
            guard case .destination(_, let parameters, _) = adapter.mapping else { continue }
            for (name, template) in parameters.sorted(by: { $0.key < $1.key }) where secrets.parameters.contains(name) {
                if case .braced? = (try? BracedText.pieces(template)).flatMap({ $0.count == 1 ? $0.first : nil }) {
                    continue
                }
                reportLiteral(for: name, at: "adapters[\(index)].parameters.\(name)")
            }
        }
        for precondition in manifest.preconditions {
            check(precondition.holds, secrets, at: "preconditions.\(precondition.name).holds")
        }
        for condition in manifest.conditions {
            check(condition.holds, secrets, at: "conditions.\(condition.name).holds")
        }
        for (index, root) in manifest.roots.enumerated() { check(root.when, secrets, at: "roots[\(index)].when") }
        if let lock = manifest.lock { check(lock.when, secrets, at: "lock.when") }
        for destination in manifest.destinations {
            for (index, variant) in destination.variants.enumerated() {
                check(variant.when, secrets, at: "destinations.\(destination.id).variants[\(index)].when")
            }
        }
        for intent in manifest.intents { check(intent.effects, secrets, at: "intents.\(intent.name).effects") }
        for flow in manifest.flows { check(flow, secrets, at: "flows.\(flow.name)") }
    }

    private mutating func check(secret fact: FactDeclaration) {
        let key = "facts.\(fact.name)"
        if fact.type != .string, fact.type != .strings {
            error(
                "\(key).type",
                "a secret of type \(fact.type.rawValue) cannot have a placeholder",
                expected: "string or strings"
            )
        }
        if let value = fact.defaultValue, value != .strings([]) { reportLiteral(for: fact.name, at: "\(key).default") }
    }

    private mutating func reportLiteral(for name: String, at key: String) {
        error(
            key,
            "'\(name)' is secret, and what stands in a manifest is none",
            expected: "a value from outside, or from another secret"
        )
    }

    /// In a URL a secret stands by itself, so that it can be told from what surrounds it.
    private mutating func check(_ route: RouteDeclaration, _ secrets: SecretNames, at key: String) {
        for name in route.parameters.keys.sorted() where secrets.parameters.contains(name) {
            reportLiteral(for: name, at: "\(key).parameters.\(name)")
        }
        for segment in (try? RoutePattern(route.pattern))?.segments ?? [] {
            var captures: [String] = []
            switch segment {
            case .mixed(let pieces):
                captures = pieces.compactMap { if case .capture(let name) = $0 { name } else { nil } }
            case .anyRun(capture: let name?): captures = [name]
            case .constant, .capture, .anyOne, .anyRun: break
            }
            for name in captures where secrets.parameters.contains(name) {
                error(
                    "\(key).pattern",
                    "'\(name)' is secret, and it shares a segment or takes several",
                    expected: "one whole segment, a query item or the fragment for it"
                )
            }
        }
    }

    private mutating func check(_ flow: FlowDeclaration, _ secrets: SecretNames, at key: String) {
        for (index, start) in flow.start.enumerated() { check(start.when, secrets, at: "\(key).start[\(index)].when") }
        for intent in flow.intents { check(intent.effects, secrets, at: "\(key).intents.\(intent.name).effects") }
        check(flow.completion, secrets, at: "\(key).completion")
        for sequel in flow.after {
            check(sequel.completed, secrets, at: "\(key).after.\(sequel.flow).completed")
            check(sequel.cancelled, secrets, at: "\(key).after.\(sequel.flow).cancelled")
        }
    }

    private mutating func check(_ effects: [IntentEffect], _ secrets: SecretNames, at key: String) {
        for (index, effect) in effects.enumerated() { check(effect, secrets, at: "\(key)[\(index)]") }
    }

    private mutating func check(_ effect: IntentEffect, _ secrets: SecretNames, at key: String) {
        switch effect {
        case .when(let condition, let effect):
            check(condition, secrets, at: "\(key).when")
            check(effect, secrets, at: key)
        case .set(let fact, let source), .append(let fact, let source), .remove(let fact, let source),
            .add(let fact, let source):
            check(source, into: fact, isSecret: secrets.facts.contains(fact), secrets, at: "\(key).value")
        case .route(_, let sources), .openWindow(_, let sources, _), .push(_, let sources, _),
            .replace(_, let sources, _), .start(_, let sources, _), .closeWindows(_, let sources),
            .refreshWindows(_, let sources):
            check(sources, secrets, at: "\(key).parameters")
        case .complete(let user, let result):
            if let user, secrets.parameters.contains(user) {
                error(
                    "\(key).complete.user",
                    "'\(user)' is secret, and who is signed in is shown",
                    expected: "another parameter"
                )
            }
            check(result, secrets, at: "\(key).complete.result")
        case .answer(let values):
            for (name, source) in values.sorted(by: { $0.key < $1.key }) where secrets.include(source) {
                error(
                    "\(key).answer.\(name)",
                    "an answer is shown, and what it takes is secret",
                    expected: "a value that is no secret, such as whether there is one"
                )
            }
        case .reset, .signOut, .markStale, .pop, .popTo, .popToRoot, .cancel, .closeWindow, .refreshWindow: break
        }
    }

    private mutating func check(_ sources: [String: ValueSource], _ secrets: SecretNames, at key: String) {
        for (name, source) in sources.sorted(by: { $0.key < $1.key }) {
            check(source, into: name, isSecret: secrets.parameters.contains(name), secrets, at: "\(key).\(name)")
        }
    }

    private mutating func check(
        _ source: ValueSource,
        into name: String,
        isSecret: Bool,
        _ secrets: SecretNames,
        at key: String
    ) {
        switch (isSecret, source) {
        case (true, .literal): reportLiteral(for: name, at: key)
        case (true, _) where !secrets.include(source):
            error(
                key,
                "'\(name)' is secret, and where it takes its value from is not",
                expected: "'secret: true' there, too"
            )
        case (false, _) where secrets.include(source):
            error(
                key,
                "the value is secret, and '\(name)', which takes it, is not",
                expected: "'secret: true' for '\(name)', too"
            )
        default: break
        }
    }

    /// Whether a secret has a certain value would say the value; whether it is that of another one does not.
    private mutating func check(_ predicate: FactPredicate, _ secrets: SecretNames, at key: String) {
        func isSecret(_ operand: FactPredicate.Operand) -> Bool {
            if case .parameter(let name) = operand { secrets.parameters.contains(name) } else { false }
        }
        switch predicate {
        case .compare(let fact, let comparison, let operand):
            let isOfSecret = secrets.facts.contains(fact)
            guard isOfSecret || isSecret(operand) else { return }
            if !isOfSecret || !isSecret(operand) || comparison != .equal && comparison != .notEqual {
                reportComparison(at: key)
            }
        case .contains(let fact, let operand):
            if secrets.facts.contains(fact) != isSecret(operand) { reportComparison(at: key) }
        case .oneOf(let fact, _): if secrets.facts.contains(fact) { reportComparison(at: key) }
        case .all(let inner), .any(let inner): for predicate in inner { check(predicate, secrets, at: key) }
        case .not(let inner): check(inner, secrets, at: key)
        case .period(let from, let until):
            // Whether the time has come says more of a date with each second.
            for (name, moment) in [("from", from), ("until", until)] {
                guard let parameter = moment?.parameter, secrets.parameters.contains(parameter) else { continue }
                error(
                    "\(key).period.\(name).parameter",
                    "'\(parameter)' is secret, and when a period begins or ends would show it",
                    expected: "a parameter that is no secret"
                )
            }
        case .always, .signedIn, .freshSignIn, .present, .appVersion: break
        }
    }

    private mutating func reportComparison(at key: String) {
        error(
            key,
            "a secret is compared with what is none, or by its order",
            expected: "'present', or 'equals', 'notEquals' or 'contains' with a secret on both sides"
        )
    }
}

extension AppManifest {
    /// All parameters, and values of results, that it declares, with the places where.
    fileprivate var allParameters: [(key: String, parameter: ParameterDeclaration)] {
        func keyed(_ parameters: [ParameterDeclaration], _ key: String) -> [(
            key: String, parameter: ParameterDeclaration
        )] {
            parameters.map { ("\(key).\($0.name)", $0) }
        }
        var all = destinations.flatMap { keyed($0.parameters, "destinations.\($0.id).parameters") }
        all += intents.flatMap { keyed($0.parameters, "intents.\($0.name).parameters") }
        for flow in flows {
            let key = "flows.\(flow.name)"
            all += keyed(flow.result, "\(key).result")
            all += flow.intents.flatMap { keyed($0.parameters, "\(key).intents.\($0.name).parameters") }
            for (index, screen) in flow.screens.enumerated() {
                all += keyed(screen.parameters, "\(key).screens[\(index)].parameters")
            }
        }
        return all
    }
}
