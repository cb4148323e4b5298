import Logging

/// Gives what is logged to a test.
struct TakingHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    let take: @Sendable (LogEvent) -> Void

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { take(event) }
}

extension LogEvent {
    /// A field as text; empty if it is not there.
    func text(_ field: String) -> String { metadata?[field].map { "\($0)" } ?? "" }
}
