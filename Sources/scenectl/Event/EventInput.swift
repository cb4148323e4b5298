internal import CommandConsole
internal import SceneClient
internal import SceneEntryPoints
internal import StrictJSON

/// Events that a person passes as JSON.
enum EventInput {
    /// The event in a file, or with `-` on standard input: the parameters of its method, or only a push's payload.
    static func event(file path: String) throws -> EntryEvent {
        let name = path == "-" ? "standard input" : path
        let json = try Input.object(file: path)
        do throws(JSONFieldError) {
            return try EntryEvent(json: json)
        } catch {
            throw CommandError.usage("\(name): \(error).")
        }
    }

    /// The event of this kind in a file, or with `-` on standard input.
    static func event(file path: String, of kind: EntryKind) throws -> EntryEvent {
        let event = try event(file: path)
        guard event.kind == kind else {
            throw CommandError.usage(
                "\(path == "-" ? "standard input" : path): expected an event of kind \(kind.rawValue), found \(event.kind.rawValue)."
            )
        }
        return event
    }
}

extension EntryEvent {
    /// Sends it by the method of its kind.
    func send(_ client: SceneClient, _ delivery: SceneClient.Delivery) async throws -> ClientReceipt {
        try await client.send(kind.method, json, delivery)
    }
}

extension EntryKind {
    /// The method of `io.scened.Events` that injects an event of this kind.
    var method: String {
        switch self {
        case .url: "OpenURL"
        case .activity: "ContinueActivity"
        case .push: "Push"
        case .widget: "TapWidget"
        case .shortcut: "PerformShortcut"
        }
    }

    /// The subcommand that sends it.
    var verb: String { self == .url ? "openurl" : rawValue }
}
