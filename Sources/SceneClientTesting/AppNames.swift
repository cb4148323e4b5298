internal import Basics
internal import SceneClient
internal import SceneRouting
internal import StrictJSON

/// The names that an app's manifest gives to what a test can expect.
struct AppNames: Sendable {
    private let screens: [String]
    private let flows: [String]
    private let tabs: [String]

    /// - Parameter manifest: As JSON.
    init(_ manifest: String) throws(DaemonTestError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: manifest)
        } catch {
            throw DaemonTestError("the daemon's manifest cannot be read: \(error)")
        }
        func names(_ member: String) -> [String] { (value[member]?.objectValue ?? [:]).map(\.key) }
        let ofFlows = (value["flows"]?.objectValue ?? [:]).flatMap { $0.value["screens"]?.arrayValue ?? [] }
        screens = names("destinations") + ofFlows.compactMap { $0.stringValue ?? $0["id"]?.stringValue }
        flows = names("flows")
        // A flow that is shown in place of tabs counts as one.
        tabs = names("tabs") + ["root"]
    }

    /// The first name that the app does not have, with the one that was probably meant.
    func problem(_ names: (screens: [String], flows: [String], tabs: [String])) -> DaemonTestError? {
        for (kind, wanted, known) in [
            ("screen", names.screens, screens), ("flow", names.flows, flows), ("tab", names.tabs, tabs),
        ] {
            guard let name = wanted.first(where: { !known.contains($0) }) else { continue }
            let near = Spelling.nearest(to: name, among: known).map { "did you mean '\($0)'?" }
            return DaemonTestError(
                "the app has no \(kind) '\(name)'; \(near ?? "expected one of \(known.sorted().joined(separator: ", "))")"
            )
        }
        return nil
    }
}

extension TestRun {
    /// - Throws: ``DaemonTestError`` for the first name that the manifest in force does not have: nothing could ever have it.
    func check(names: (screens: [String], flows: [String], tabs: [String])) async throws {
        if let known = state.withLock(\.names), known.problem(names) == nil { return }
        // A reload may have come.
        guard let manifest = try await client.manifest() else { return }
        let known = try AppNames(manifest)
        state.withLock { $0.names = known }
        if let problem = known.problem(names) { throw problem }
    }
}
