package import Logging

/// A swift-log backend that writes a line of text for each event, on a separate thread.
///
/// `2026-11-21T11:53:10.123Z warning  the mailbox is full scene=A limit=64`. Line breaks and control characters are
/// escaped, so that no input can forge a line or control a terminal.
package struct TextLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    package var logLevel: Logger.Level

    private let writer: TextLogWriter

    package init(
        writer: TextLogWriter,
        level: Logger.Level = .info,
        metadataProvider: Logger.MetadataProvider? = nil
    ) {
        self.writer = writer
        self.logLevel = level
        self.metadataProvider = metadataProvider
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var pairs = event.metadata(of: self).map { (key: $0.key, value: $0.value.fieldText) }
        if let error = event.error { pairs.append((key: "error", value: String(describing: error))) }
        writer.write(event.level, event.message.description, pairs)
    }
}
