internal import SceneNavigation
package import SceneRouting
package import StrictJSON

/// A call as a recording may have it: with placeholders for the values of secrets (<doc:Secrets>). Calls have the names that scripts
/// give them, such as `Events.OpenURL`.
package struct RecordedCall {
    /// Its parameters.
    package let parameters: JSONObject
    /// What stands for the secrets that came with it.
    package let placeholders: Set<String>

    private init(_ contents: CallContents, _ parameters: JSONObject, _ known: KnownSecrets, by host: SceneHost) {
        var contents = contents
        placeholders = Set(contents.placeholders)
        contents.add(knownIn: parameters, but: Self.names, known, host.secrets(asText:))
        self.parameters = contents.concealed(parameters, but: Self.names)
    }

    /// The members of a call that name things of scened and of the manifest; any other may have what a user typed.
    private static let names: Set<String> = [
        "scene", "event", "wait", "order", "name", "from", "flow", "result", "tab", "action",
    ]

    /// Whether only the adapters can say what in the call is secret.
    package static func waitsForAdapters(_ call: String) -> Bool {
        ["OpenURL", "OpenURLs", "ContinueActivity", "Push", "TapWidget", "PerformShortcut"].contains {
            call == "Events.\($0)"
        }
    }

    /// The parameters of a call that is no event from outside. What is secret in one place of it is nowhere else in it either.
    package init(_ parameters: JSONObject, of call: String, _ known: KnownSecrets, by host: SceneHost) {
        var concealed = parameters
        func facts(_ name: String) {
            guard let object = parameters[name]?.objectValue else { return }
            concealed[name] = ((try? FactValue.facts(object)).map { .object(host.concealed($0).json) }) ?? [:]
        }
        func texts(_ name: String, _ conceal: ([String: String]) -> [String: String]) {
            guard let object = parameters[name]?.objectValue else { return }
            let given = object.compactMap { name, value in value.stringValue.map { (name, $0) } }
            let values = conceal(Dictionary(given) { first, _ in first }).sorted { $0.key < $1.key }
            concealed[name] = .object(JSONObject(values.map { ($0.key, .string($0.value)) }))
        }
        func text(_ name: String) -> String { parameters[name]?.stringValue ?? "" }
        switch call {
        case "Events.SendIntent":
            let name = text("name")
            texts("parameters") { host.concealed(Intent(name: name, parameters: $0)).parameters }
        case "Events.FinishFlow":
            facts("facts")
            texts("values") { host.concealed($0, ofResultOf: text("flow")) }
        case "Session.SignIn": facts("facts")
        case "Session.Commit": facts("set")
        case "Scenes.Connect":
            guard let window = parameters["window"] else { break }
            concealed["window"] = (try? WindowState(json: window)).map { host.concealed($0).json } ?? [:]
        default: break
        }
        var contents = CallContents(readsNumbers: false)
        contents.add(.object(parameters), shownAs: .object(concealed))
        self.init(contents, concealed, known, by: host)
    }

    /// The parameters of an event from outside, once it is known what in it is secret. A URL in it may be one that nobody asked the routing
    /// engine about.
    package init(_ parameters: JSONObject, _ secrets: SentSecrets, _ known: KnownSecrets, by host: SceneHost) {
        // Adapters read a number as text.
        var contents = CallContents(readsNumbers: true)
        contents.add(secrets)
        contents.add(textsOf: parameters, but: Self.names, { host.secrets(inURL: $0) }, host.secrets(inMember:_:))
        self.init(contents, parameters, known, by: host)
    }
}

/// What comes with a call, once it is known what in it is secret.
private struct CallContents {
    /// Whether a number may be the value of a secret.
    let readsNumbers: Bool
    private var secrets = SentSecrets()

    init(readsNumbers: Bool) { self.readsNumbers = readsNumbers }

    /// What stands for those that are known so far.
    var placeholders: some Collection<String> { secrets.allPlaceholders }

    /// Adds the texts that are as wholes the value of a secret of an earlier call; shorter ones are so by chance.
    mutating func add(
        knownIn parameters: JSONObject,
        but names: Set<String>,
        _ known: KnownSecrets,
        _ secret: (String) -> SentSecrets
    ) {
        var candidates = SentSecrets()
        func look(_ value: JSONValue) {
            switch value {
            case .string(let text):
                let mayBe = text.utf8.count >= Concealment.shortest && !SecretPlaceholder.isOne(text)
                if mayBe { candidates.add(secret(text)) }
            case .array(let values): values.forEach(look)
            case .object(let object): object.forEach { look($0.value) }
            case .null, .bool, .integer, .number: break
            }
        }
        for (name, value) in parameters where !names.contains(name) { look(value) }
        if candidates.isEmpty { return }
        let found = known.contained(in: candidates.allPlaceholders)
        secrets.add(candidates.filter(found.contains))
    }

    /// Adds what somebody found to be secret.
    mutating func add(_ found: SentSecrets) { secrets.add(found) }

    /// Adds the texts in place of which placeholders are shown.
    mutating func add(_ value: JSONValue, shownAs shown: JSONValue) {
        switch (value, shown) {
        case (.string(let text), .string(let placeholder)) where SecretPlaceholder.isOne(placeholder):
            secrets.add(text, placeholder)
        case (.array(let values), .array(let others)):
            for (one, other) in zip(values, others) { add(one, shownAs: other) }
        case (.object(let object), .object(let other)):
            for (name, value) in object { other[name].map { add(value, shownAs: $0) } }
        default: break
        }
    }

    /// Adds what `find` finds in each text but those of some members, and `findIn` in what a member of a name has.
    mutating func add(
        textsOf parameters: JSONObject,
        but names: Set<String>,
        _ find: (String) -> SentSecrets,
        _ findIn: (_ member: String, String) -> SentSecrets
    ) {
        func add(_ value: JSONValue, of member: String) {
            switch value {
            case .string(let text): secrets.add(findIn(member, text))
            case .integer, .number: secrets.add(findIn(member, value.text()))
            case .array(let values): for value in values { add(value, of: member) }
            case .object, .null, .bool: break
            }
        }
        func add(_ value: JSONValue) {
            switch value {
            case .string(let text): secrets.add(find(text))
            case .array(let values): values.forEach(add)
            case .object(let object):
                for (name, value) in object {
                    secrets.add(find(name))
                    add(value)
                    add(value, of: name)
                }
            case .null, .bool, .integer, .number: break
            }
        }
        for (name, value) in parameters where !names.contains(name) {
            add(value)
            // What somebody has typed.
            if name == "text" { add(value, of: name) }
        }
    }

    /// The parameters with placeholders for all that is secret, but in some members. All values are looked for at once: what stands for
    /// one is no place for another.
    func concealed(_ parameters: JSONObject, but names: Set<String>) -> JSONObject {
        if secrets.isEmpty { return parameters }
        let concealment = Concealment(secrets)
        return JSONObject(
            parameters.map { name, value in
                switch value {
                case .string, .array, .object:
                    (name, names.contains(name) ? value : concealed(value, concealment))
                // Of scened, not of what came with the call.
                case .null, .bool, .integer, .number: (name, value)
                }
            }
        )
    }

    private func concealed(_ value: JSONValue, _ concealment: Concealment) -> JSONValue {
        switch value {
        case .string(let text): return .string(concealed(text, concealment))
        case .array(let values): return .array(values.map { concealed($0, concealment) })
        case .object(let object):
            return .object(JSONObject(object.map { (concealed($0, concealment), concealed($1, concealment)) }))
        case .null, .bool, .integer, .number:
            guard readsNumbers else { return value }
            let text = value.text()
            let shown = concealment.concealed(text)
            return shown == text ? value : .string(shown)
        }
    }

    private func concealed(_ text: String, _ concealment: Concealment) -> String {
        // What stands for a value is no place for another.
        SecretPlaceholder.isOne(text) ? secrets.placeholder(for: text) ?? text : concealment.concealed(text)
    }
}
