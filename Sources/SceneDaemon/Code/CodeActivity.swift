internal import Logging

/// What code of the app is called for.
struct CodeActivity: Hashable, Sendable, CustomStringConvertible {
    /// The window; `nil` for what belongs to none.
    var scene: String?
    /// The event's ID.
    var event: String?
    /// The kind of event, as in records.
    var kind: String?
    var ticket: Int?

    /// The adapters that are asked about an event of this kind.
    static func adapters(kind: String) -> CodeActivity { CodeActivity(kind: kind) }

    /// One line, such as `window A, event auto-1 (intent), ticket 3`.
    var description: String {
        guard event != nil || scene != nil else { return "the adapters, asked about an event (\(kind ?? "unknown"))" }
        let what = event.map { "event \($0)" + (kind.map { " (\($0))" } ?? "") } ?? "no event"
        return [scene.map { "window \($0)" } ?? "the app itself", what, ticket.map { "ticket \($0)" }]
            .compactMap(\.self).joined(separator: ", ")
    }

    /// The same for the log.
    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["doing": "\(self)"]
        for (key, value) in [("scene", scene), ("event", event), ("ticket", ticket.map(String.init))] {
            if let value { metadata[key] = "\(value)" }
        }
        return metadata
    }
}
