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

    /// Sends an event of this kind from a file or standard input.
    static func send(
        _ kind: EntryKind,
        file path: String,
        _ client: SceneClient,
        _ delivery: SceneClient.Delivery
    ) async throws -> ClientReceipt {
        let event = try event(file: path)
        guard event.kind == kind else {
            throw CommandError.usage(
                "\(path == "-" ? "standard input" : path): expected an event of kind \(kind.rawValue), found \(event.kind.rawValue)."
            )
        }
        return try await client.send(kind.method, event.json, delivery)
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
