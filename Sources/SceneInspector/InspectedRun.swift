package import StrictJSON

/// A run that is over, by its records.
package struct InspectedRun: Sendable {
    /// What it is called, such as the name of its file.
    let label: String
    /// Its records as JSON, one a line, in pieces that end anywhere.
    let pieces: [[UInt8]]
    /// Which lines are no records, as `TracePage.unread` has it; `nil` if all are.
    let unread: JSONObject?

    package init(label: String, pieces: [[UInt8]], unread: JSONObject? = nil) {
        self.unread = unread
        self.label = label
        self.pieces = pieces
    }
}
