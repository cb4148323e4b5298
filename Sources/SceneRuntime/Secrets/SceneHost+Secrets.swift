package import SceneEntryPoints
package import SceneNavigation
package import SceneRouting
internal import StrictJSON

// What a host tells others of calls that came with secrets (<doc:Secrets>).
extension SceneHost {
    /// Whether placeholders stand for the values of some secrets.
    package var conceals: Bool { app.current.engine.conceals }

    /// The values of secrets that came with an event, each with its placeholder, as far as the manifest and the adapters say.
    ///
    /// - Parameter adaptation: What the adapters answered; `nil` asks those of the app.
    package func secrets(
        in event: EntryEvent,
        _ adaptation: Result<Adaptation, EntryRefusal>? = nil
    ) -> SentSecrets {
        let app = app.current
        var secrets = SentSecrets()
        guard app.engine.conceals else { return secrets }
        if case .background(let intent?, _) = try? event.responseEffect(by: app.manifest) {
            secrets.add(app.engine.secrets(in: intent.parameters, ofIntent: intent.name))
        }
        let adapted = if let adaptation { try? adaptation.get() } else { try? app.adapters.adapt(event) }
        switch adapted?.request {
        case .url(let url)?, .universalLink(let url)?:
            secrets.add(app.engine.secrets(inURL: url, context: routing(store.snapshot)))
        case let request?: secrets.add(request.secrets(by: app.engine))
        case nil: break
        }
        secrets.add(Self.secretsNotTaken(from: event, by: app, adapted?.adapter, found: secrets))
        return secrets
    }

    /// The texts of an event from which adapters that did not take it would make a secret. As none of them says what in a text it
    /// is, that is the whole text, unless what was found stands in it, or whoever took the event has used it for what is no secret.
    private static func secretsNotTaken(
        from event: EntryEvent,
        by app: LoadedApp,
        _ taker: String?,
        found: SentSecrets
    ) -> SentSecrets {
        var secrets = SentSecrets()
        let others = app.sourcesOfSecrets.filter { $0.adapter.name != taker && $0.adapter.kinds.contains(event.kind) }
        if others.isEmpty { return secrets }
        let json = event.json
        let reader = app.adapters.adapters.first { $0.name == taker } as? DeclarativeAdapter
        let used = Set(reader?.extraction(from: event).values.map { $0 } ?? [])
        for value in others.flatMap(\.paths).compactMap({ $0.value(in: json) }) {
            let text: String
            switch value {
            case .string(let string): text = string
            case .integer, .number: text = value.text()
            case .null, .bool, .array, .object: continue
            }
            guard !used.contains(text), found.concealed(text) == text, app.engine.secrets(inURL: text).isEmpty else {
                continue
            }
            secrets.add(app.engine.secrets(asText: text))
        }
        return secrets
    }

    /// The values in a URL that some route takes as a secret, each with its placeholder; none of what is no URL.
    package func secrets(inURL url: String) -> SentSecrets { app.current.engine.secrets(inURL: url) }

    /// A text as the value of a secret, with its placeholder.
    package func secrets(asText text: String) -> SentSecrets { app.current.engine.secrets(asText: text) }

    /// The value of a member of an event with its placeholder, if by its name it may be that of a secret.
    package func secrets(inMember name: String, _ value: String) -> SentSecrets {
        app.current.engine.secrets(inMember: name, value)
    }

    /// The parameters of an intent with placeholders for those that are secret, or that nobody declares.
    package func concealed(_ intent: Intent) -> Intent {
        Intent(name: intent.name, parameters: app.current.engine.concealed(intent.parameters, ofIntent: intent.name))
    }

    /// What a flow hands over with placeholders for what is secret.
    package func concealed(_ values: [String: String], ofResultOf flow: String) -> [String: String] {
        app.current.engine.concealed(values, ofResultOf: flow)
    }

    /// Facts with placeholders for those that are secret, or that are not declared.
    package func concealed(_ facts: [String: FactValue]) -> [String: FactValue] { app.current.facts.concealed(facts) }

    /// A window with placeholders for the secrets of what it shows.
    package func concealed(_ window: WindowState) -> WindowState {
        let engine = app.current.engine
        var window = window
        for index in window.tabs.indices { window.tabs[index].stack = window.tabs[index].stack.map(engine.concealed) }
        for index in window.modals.indices {
            window.modals[index].stack = window.modals[index].stack.map(engine.concealed)
        }
        return window
    }
}
