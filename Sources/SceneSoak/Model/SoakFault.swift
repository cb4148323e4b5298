/// Something that was done to the daemon or its clients on purpose.
package struct SoakFault: Hashable, Sendable {
    package var kind: Kind
    /// Since the beginning of the soak; until it was over, which may be later than it was meant to be.
    package var start: Duration
    package var end: Duration
    /// What came of it, for a person: `a new daemon answered after 2.3 s`.
    package var note: String

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

    package init(kind: Kind, start: Duration, end: Duration, note: String) {
        self.kind = kind
        self.start = start
        self.end = end
        self.note = note
    }
}

/// One scene in one state, for the timeline.
package struct SoakSceneSpan: Hashable, Sendable {
    package var scene: String
    /// An activation state, or `disconnected`.
    package var state: String
    package var start: Duration
    package var end: Duration

    package init(scene: String, state: String, start: Duration, end: Duration) {
        self.scene = scene
        self.state = state
        self.start = start
        self.end = end
    }
}
