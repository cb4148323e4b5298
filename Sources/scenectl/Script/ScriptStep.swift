internal import CommandConsole
internal import SceneRouting
internal import StrictJSON

/// One step of a script: a call, its time, and the reply to expect (`protocol/script.schema.json`).
struct ScriptStep {
    /// When to make the call, in milliseconds.
    var at: Int
    /// The date of the virtual clock when it began, which is when `at` is 0: of the first step of a recording.
    var start: String?
    /// The seed of what was random where it was recorded: of the first step, too.
    var seed: Int?
    /// The digest of the manifest in force where it was recorded: of the first step, too.
    var manifest: String?
    /// The method without `io.scened.`, such as `Events.Push`.
    var call: String
    var parameters: JSONObject = [:]
    /// Whether everything before the step has to be done first.
    var isQuiet = false
    /// Whether nothing before the step may go on then but what waits for a hold or for time. What is quiet is settled.
    var isSettled = false
    /// Members expected in the reply; of an event, in its receipt at the end of the script.
    var expect: JSONObject?
    /// The line of the file on which it begins, from 1; `nil` if that is not known.
    var line: Int?

    /// The full name of the method.
    var method: String { "io.scened.\(call)" }

    /// Whether it sends an event.
    var isEvent: Bool { call.hasPrefix("Events.") && call != "Events.Get" }

    /// Whether it sends several events, and has a receipt for each.
    var isSet: Bool { call == "Events.OpenURLs" }

    /// Whether the reply may have to wait for transitions, because the call waits its turn in a window.
    var mayWaitForTime: Bool { call.hasPrefix("Scenes.") && call != "Scenes.Get" && call != "Scenes.List" }

    /// Whether it waits for what other steps cause, for ever unless it says how long.
    var waitsForOthers: Bool { call == "Control.Await" || call == "Control.Quiesce" }

    /// The latest time of a step, about thirty years: no clock overflows with it.
    static let latest = 1_000_000_000_000

    static let members = ["at", "call", "parameters", "quiet", "settled", "expect", "start", "seed", "manifest"]

    /// One line of a script file.
    var json: JSONObject {
        var object: JSONObject = [:]
        object["start"] = start.map(JSONValue.string)
        object["seed"] = seed.map(JSONValue.integer)
        object["manifest"] = manifest.map(JSONValue.string)
        object["at"] = .integer(at)
        object["call"] = .string(call)
        if isQuiet { object["quiet"] = true } else if isSettled { object["settled"] = true }
        if !parameters.isEmpty { object["parameters"] = .object(parameters) }
        object["expect"] = expect.map(JSONValue.object)
        return object
    }
}

extension ScriptStep {
    /// Reads a step.
    /// - Parameters:
    ///   - previous: The time of the step before; `nil` for the first.
    ///   - place: The step's place in error messages, such as `sale.jsonl, step 3`.
    init(_ json: JSONValue, after last: Int?, place: String) throws(CommandError) {
        guard let object = json.objectValue else {
            throw .usage("\(place): expected an object, found \(json.typeName).")
        }
        let previous = last ?? 0
        if let key = object.keys.first(where: { !Self.members.contains($0) }) {
            let hint = Spelling.hint(for: key, among: Self.members)
            throw .usage(
                "\(place): \(key): expected one of \(Self.members.joined(separator: ", "))\(hint.isEmpty ? "." : hint)"
            )
        }
        func member<Value>(
            _ key: String,
            _ expected: String,
            _ read: (JSONValue) -> Value?
        ) throws(CommandError) -> Value? {
            guard let value = object[key], !value.isNull else { return nil }
            guard let read = read(value) else {
                let found = value.integerValue.map(String.init) ?? value.typeName
                throw .usage("\(place): \(key): expected \(expected), found \(found).")
            }
            return read
        }
        guard let call = try member("call", "text", \.stringValue) else {
            throw .usage("\(place): call: expected a method such as Events.Push, found nothing.")
        }
        self.call = call.hasPrefix("io.scened.") ? String(call.dropFirst("io.scened.".count)) : call
        guard self.call.split(separator: ".").count == 2 else {
            throw .usage("\(place): call: expected a method such as Events.Push, found '\(call)'.")
        }
        /// What a recording says of the daemon, in its first step.
        func heading<Value>(
            _ key: String,
            _ expected: String,
            _ meaning: String,
            _ read: (JSONValue) -> Value?
        ) throws(CommandError) -> Value? {
            let value = try member(key, expected, read)
            guard value == nil || last == nil else {
                throw .usage("\(place): \(key): expected in the first step only; \(meaning).")
            }
            return value
        }
        start = try heading("start", Instant.expectation, "it is the date at which the clock begins") {
            $0.stringValue.flatMap { Instant.seconds($0) == nil ? nil : $0 }
        }
        seed = try heading("seed", "an integer", "the daemon begins with it", \.integerValue)
        manifest = try heading("manifest", "text", "it is what the daemon ran", \.stringValue)
        at =
            try member("at", "milliseconds from 0 to \(Self.latest)") { value in
                value.integerValue.flatMap { (0...Self.latest).contains($0) ? $0 : nil }
            } ?? previous
        guard at >= previous else {
            throw .usage("\(place): at: expected \(previous) or more, as the step before has, found \(at).")
        }
        parameters = try member("parameters", "an object", \.objectValue) ?? [:]
        isQuiet = try member("quiet", "a boolean", \.boolValue) ?? false
        isSettled = try member("settled", "a boolean", \.boolValue) ?? isQuiet
        expect = try member("expect", "an object", \.objectValue)
        for receipt in [expect?["receipt"]].compactMap(\.self) + (expect?["receipts"]?.arrayValue ?? []) {
            guard let word = receipt["outcome"]?.stringValue, OutcomeName(rawValue: word) == nil else { continue }
            throw .usage("\(place): expect: \(Expectations.unknownOutcome(word))")
        }
    }
}
