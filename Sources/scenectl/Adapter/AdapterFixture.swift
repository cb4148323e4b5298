internal import CommandConsole
internal import SceneEntryPoints
internal import SceneManifest
internal import SceneRouting
internal import StrictJSON

/// A fixture of `adapter test`: an event, and the result expected of it.
///
/// ```yaml
/// event: { aps: { alert: On sale }, url: "https://shop.example/product/p1" }
/// expect: { adapter: push-url, decision: proceed, target: "home › product(id: p1)" }
/// ```
struct AdapterFixture {
    let event: EntryEvent
    /// The only adapter to ask; `nil` asks all.
    let adapter: String?
    /// Expected members of the trial (`io.scened.Adapters.Try`). Members that are not listed may have any value. `nil` if the
    /// fixture does not yet say what to expect.
    let expect: JSONObject?
    /// The file's content.
    let text: String

    static let suffixes = [".json", ".yaml", ".yml"]

    private static let members = ["event", "kind", "adapter", "expect"]
    /// The members of a trial.
    private static let results = [
        "kind", "adapter", "extracted", "request", "user", "reason", "passed", "warnings", "decision", "target",
        "precondition", "destination", "error", "message",
    ]

    private static func check(
        _ object: JSONObject,
        _ known: [String],
        _ prefix: String,
        _ path: String
    ) throws(CommandError) {
        guard let key = object.keys.first(where: { !known.contains($0) }) else { return }
        let hint = Spelling.hint(for: key, among: known)
        throw .failed(
            "\(path): \(prefix)\(key): expected one of \(known.joined(separator: ", "))\(hint.isEmpty ? "." : hint)"
        )
    }

    /// Reads a fixture.
    init(file path: String) throws(CommandError) {
        text = try Input.text(file: path)
        let json: JSONValue
        do {
            json = try JSONValue(parsing: AppManifest.json(of: text))
        } catch {
            throw .failed("\(path): \(error)")
        }
        let object = json.objectValue ?? [:]
        try Self.check(object, Self.members, "", path)
        try Self.check(object["expect"]?.objectValue ?? [:], Self.results, "expect.", path)
        guard let event = object["event"]?.objectValue else {
            throw .failed("\(path): event: expected an object, found \(object["event"]?.typeName ?? "nothing").")
        }
        if let expect = object["expect"], expect.objectValue?.isEmpty ?? true {
            throw .failed("\(path): expect: expected an object with members, found \(expect.text()).")
        }
        do throws(JSONFieldError) {
            if let word = object["kind"]?.stringValue {
                guard let kind = EntryKind(rawValue: word) else {
                    let kinds = EntryKind.allCases.map(\.rawValue).joined(separator: ", ")
                    throw JSONFieldError(path: "kind", expected: "one of \(kinds)", found: word)
                }
                self.event = try EntryEvent(kind: kind, json: event)
            } else {
                self.event = try EntryEvent(json: event)
            }
        } catch {
            throw .failed("\(path): \(error).")
        }
        adapter = object["adapter"]?.stringValue
        expect = object["expect"]?.objectValue
    }
}

extension AdapterFixture {
    /// What is not as expected of a trial.
    func differences(from trial: JSONObject) -> [JSONDifference] {
        JSONDifference.between(.object(expect ?? [:]), .object(trial))
    }

    /// The text with what a trial shows in place of what differs, and with an `expect` of its own if there was none.
    /// - Throws: A ``CommandError`` if a value is written in a way in which it cannot be changed.
    func updated(to trial: JSONObject, file: String) throws(CommandError) -> String {
        var edit: FixtureEdit
        do throws(ManifestProblem) {
            edit = try FixtureEdit(text)
        } catch {
            throw .failed("\(file): \(error)")
        }
        if expect == nil {
            edit.add("expect", Self.summary(of: trial))
        } else {
            // A secret that the fixture has already keeps its placeholder: each host makes others.
            var secrets = SecretPairs()
            for difference in JSONDifference.between(.object(expect ?? [:]), .object(trial), &secrets) {
                let found = difference.found.map { Self.written(secrets.asRecorded($0)) }
                edit.set([.member("expect")] + difference.path, to: found ?? .null)
            }
        }
        // What a text became has to be what the trial shows, and the rest what it was.
        let result = edit.result
        let after = (try? AppManifest.json(of: result)).flatMap { try? JSONValue(parsing: $0).objectValue }
        let before = (try? AppManifest.json(of: text)).flatMap { try? JSONValue(parsing: $0).objectValue }
        guard let after, let before, let expect = after["expect"],
            JSONDifference.between(expect, .object(trial)).isEmpty,
            before.filter({ $0.key != "expect" }).allSatisfy({ after[$0.key] == $0.value })
        else {
            throw .failed(
                "\(file): what to expect is written in a way in which it cannot be changed; change it by hand."
            )
        }
        return result
    }

    /// The members of a trial that tell one from another.
    private static func summary(of trial: JSONObject) -> [(String, JSONValue)] {
        ["adapter", "request", "user", "reason", "decision", "precondition", "target", "error"].compactMap { name in
            trial[name].flatMap { $0.isNull ? nil : (name, written($0)) }
        }
    }

    /// A value in one line, in the notation for it if there is one.
    private static func written(_ value: JSONValue) -> JSONValue {
        guard let written = value.objectValue.flatMap(WrittenValue.init) else { return value }
        return written.isReadable ? .string("\(written)") : value
    }
}
