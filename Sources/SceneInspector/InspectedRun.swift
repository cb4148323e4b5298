/// A run that is over, by its records.
package struct InspectedRun: Sendable {
    /// What it is called, such as the name of its file.
    let label: String
    /// Its records as JSON, one a line, in pieces that end anywhere.
    let pieces: [[UInt8]]

    package init(label: String, pieces: [[UInt8]]) {
        self.label = label
        self.pieces = pieces
    }
}
