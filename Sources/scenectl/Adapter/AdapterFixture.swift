internal import SceneEntryPoints
internal import SceneManifest
internal import SceneRouting
internal import StrictJSON

/// A fixture of `adapter test`: an event, and the result expected of it.
///
/// ```yaml
/// event: { aps: { alert: On sale }, url: "https://shop.example/product/p1" }
/// expect: { adapter: push-url, request: { url: "https://shop.example/product/p1" }, decision: proceed }
/// ```
struct AdapterFixture {
    let event: EntryEvent
    /// The only adapter to ask; `nil` asks all.
    let adapter: String?
    /// Expected members of the trial (`io.scened.Adapters.Try`). Members that are not listed may have any value.
    let expect: JSONObject

    static let suffixes = [".json", ".yaml", ".yml"]

    /// Reads a fixture.
    init(file path: String) throws(CommandError) {
        let text = try Input.text(file: path)
        let json: JSONValue
        do {
            json = try JSONValue(parsing: AppManifest.json(of: text))
        } catch {
            throw .failed("\(path): \(error)")
        }
        let object = json.objectValue ?? [:]
        if let key = object.keys.first(where: { !["event", "kind", "adapter", "expect"].contains($0) }) {
            throw .failed("\(path): \(key): expected one of event, kind, adapter, expect.")
        }
        guard let event = object["event"]?.objectValue, let expect = object["expect"]?.objectValue, !expect.isEmpty
        else {
            throw .failed("\(path): expected the objects event and expect.")
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
        self.expect = expect
    }
}
