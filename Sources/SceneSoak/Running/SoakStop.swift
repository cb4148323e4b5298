internal import Synchronization

/// Ends a soak's load: because its time is over, or because somebody asks.
package final class SoakStop: Sendable {
    let flag = StopFlag()
    private let asked = Atomic(false)

    package init() {}

    /// Whether somebody asked.
    package var wasAsked: Bool { asked.load(ordering: .acquiring) }

    /// Asks the load to end.
    package func ask() {
        asked.store(true, ordering: .releasing)
        flag.raise()
    }
}
