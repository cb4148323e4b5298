internal import CommandConsole
internal import SceneClient
internal import SceneRouting
internal import StrictJSON

/// The windows that a script names, which are checked before its first call is made: a misspelt one would only show as a difference at
/// the end.
enum ScriptWindows {
    /// Refuses a script that sends something to a window, or expects one, which no step opens and the daemon does not have. A step that
    /// expects an error may.
    /// - Parameter resets: Whether the daemon starts over before, without windows.
    static func check(_ steps: [ScriptStep], in file: String, _ client: SceneClient, resets: Bool) async throws {
        var known = opened(steps)
        let named = Self.named(in: steps, file).filter { !known.contains($0.window) }
        guard !named.isEmpty else { return }
        if !resets {
            do throws(SceneClientError) {
                known.formUnion(try await client.scenes().map(\.id))
            } catch {
                // Who may not see the windows is told by the differences.
                guard case .permissionDenied? = error.refusal else { throw error }
                return
            }
        }
        guard let (place, window) = named.first(where: { !known.contains($0.window) && !$0.window.isMade }) else {
            return
        }
        throw unknown(
            window,
            known,
            place,
            "the daemon \(resets ? "starts over without any" : "has none of that name")"
        )
    }

    /// Refuses a script that names a window which no step opens, for whatever begins without windows.
    static func check(_ steps: [ScriptStep], in file: String, beginning: String) throws(CommandError) {
        let known = opened(steps)
        let missing = Self.named(in: steps, file).first { !known.contains($0.window) && !$0.window.isMade }
        guard let (place, window) = missing else { return }
        throw unknown(window, known, place, "\(beginning) begins without any")
    }

    private static func opened(_ steps: [ScriptStep]) -> Set<String> {
        Set(steps.filter { $0.call == "Scenes.Connect" }.compactMap { $0.parameters["scene"]?.stringValue })
    }

    private static func named(in steps: [ScriptStep], _ file: String) -> [(place: String, window: String)] {
        steps.enumerated().filter { $1.expect?["error"] == nil }.flatMap { index, step in
            step.namedWindows.map { ("\(file), step \(index + 1): \($0.place)", $0.window) }
        }
    }

    private static func unknown(_ window: String, _ known: Set<String>, _ place: String, _ why: String) -> CommandError
    {
        let meant = Spelling.nearest(to: window, among: known.sorted()).map { "Did you mean '\($0)'?" }
        let list = known.isEmpty ? "Scenes.Connect opens one." : "It can be \(known.sorted().joined(separator: ", "))."
        return .usage("\(place): no step opens a window '\(window)', and \(why). \(meant ?? list)")
    }
}

extension String {
    /// Whether it is the name of a window that a daemon has made: when one is, nobody can say before.
    fileprivate var isMade: Bool {
        hasPrefix("scene-") && Int(dropFirst("scene-".count)) != nil
    }
}

extension ScriptStep {
    /// The windows that have to be there for the step, and those that it expects, each with its place in the step.
    fileprivate var namedWindows: [(place: String, window: String)] {
        var named: [(place: String, window: String)] = []
        func add(_ value: JSONValue?, _ place: String) {
            if let window = value?.stringValue { named.append((place, window)) }
        }
        func add(receipt: JSONValue?, _ place: String) {
            add(receipt?["scene"], "\(place).scene")
            for (index, window) in (receipt?["windows"]?.arrayValue ?? []).enumerated() {
                add(window["scene"], "\(place).windows[\(index)].scene")
            }
        }
        let interface = call.prefix { $0 != "." }
        if ["Events", "Scenes", "Session"].contains(interface), call != "Scenes.Connect" {
            add(parameters["scene"], "parameters.scene")
            add(parameters["draggedFrom"], "parameters.draggedFrom")
        }
        add(receipt: expect?["receipt"], "expect.receipt")
        for (index, receipt) in (expect?["receipts"]?.arrayValue ?? []).enumerated() {
            add(receipt: receipt, "expect.receipts[\(index)]")
        }
        add(expect?["scene"]?["id"], "expect.scene.id")
        for (index, scene) in (expect?["scenes"]?.arrayValue ?? []).enumerated() {
            add(scene["id"], "expect.scenes[\(index)].id")
        }
        return named
    }
}
