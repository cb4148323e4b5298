internal import SceneNavigation
internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON
internal import Varlink

/// A call as a recording may have it: with placeholders for the values of secrets (<doc:/SceneRuntime/Secrets>).
enum RecordedCall {
    /// The members of a call with an event in which what comes with the event stands. The others name things of scened.
    private static let contents = [
        "url", "urls", "webpageURL", "referrerURL", "userInfo", "payload", "title", "targetContentIdentifier",
        "persistentIdentifier", "text",
    ]

    /// Whether only the adapters can say what in the call is secret.
    static func waitsForAdapters(_ method: String) -> Bool {
        ["OpenURL", "OpenURLs", "ContinueActivity", "Push", "TapWidget", "PerformShortcut"].contains {
            method == "io.scened.Events.\($0)"
        }
    }

    /// The parameters of a call that is no event from outside.
    static func concealed(_ parameters: JSONObject, of method: String, by host: SceneHost) -> JSONObject {
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
        switch method {
        case "io.scened.Events.SendIntent":
            let name = parameters.text("name")
            texts("parameters") { host.concealed(Intent(name: name, parameters: $0)).parameters }
        case "io.scened.Events.FinishFlow":
            facts("facts")
            texts("values") { host.concealed($0, ofResultOf: parameters.text("flow")) }
        case "io.scened.Session.SignIn": facts("facts")
        case "io.scened.Session.Commit": facts("set")
        case "io.scened.Scenes.Connect":
            guard let window = parameters["window"] else { break }
            concealed["window"] = (try? WindowState(json: window)).map { host.concealed($0).json } ?? [:]
        default: break
        }
        return concealed
    }

    /// The parameters of an event from outside, once it is known what in it is secret.
    static func concealed(_ parameters: JSONObject, _ secrets: SentSecrets, by host: SceneHost) -> JSONObject {
        var concealed = parameters
        let contents = EventContents(secrets: secrets, concealment: Concealment(secrets), host: host)
        for name in Self.contents { concealed[name] = parameters[name].map(contents.concealed) }
        return concealed
    }
}

/// What comes with an event, once it is known what in it is secret.
private struct EventContents {
    let secrets: SentSecrets
    let concealment: Concealment
    let host: SceneHost

    func concealed(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): return .string(concealed(text))
        case .array(let values): return .array(values.map(concealed))
        case .object(let object): return .object(JSONObject(object.map { (concealed($0), concealed($1)) }))
        default:
            // Adapters read a number as text.
            let text = value.text()
            let shown = concealment.concealed(text)
            return shown == text ? value : .string(shown)
        }
    }

    /// Also of a URL that nobody asked the routing engine about. All values are looked for at once: what stands for one is no place
    /// for another.
    private func concealed(_ text: String) -> String {
        var own = host.secrets(inURL: text)
        if own.isEmpty { return concealment.concealed(text) }
        own.add(secrets)
        return own.concealed(text)
    }
}
