/// A disturbance of the daemon or of a client that the soak caused on purpose.
package struct SoakFault: Hashable, Sendable {
    package var kind: Kind
    /// Since the start of the soak.
    package var start: Duration
    /// Since the start of the soak; it may be later than planned.
    package var end: Duration
    /// What happened, as text: `a new daemon answered after 2.3 s`.
    package var note: String
    /// Whether it could not be caused; the note says why.
    package var hasFailed = false
    /// Where it can be looked at; the first of its kind can.
    package var page: Page?

    /// What happened, or that it failed and why.
    var words: String { hasFailed ? "failed: \(note)" : note }

    /// A page that shows the records around a fault.
    package struct Page: Hashable, Sendable {
        /// The file, relative to the report.
        package var file: String
        /// The place among its records at which the fault began, from 0.
        package var place: Int
    }

    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A client's connection is closed with calls in flight.
        case client
        /// A subscriber stops reading.
        case stall
        /// A scene is held.
        case slow
        /// The manifest is read again.
        case reload
        /// `kill -9` of the daemon.
        case kill
    }
}

/// A stretch of time in which a scene was in one state.
package struct SoakSceneSpan: Hashable, Sendable {
    package var scene: String
    /// An activation state, or `disconnected`.
    package var state: String
    package var start: Duration
    package var end: Duration
}
