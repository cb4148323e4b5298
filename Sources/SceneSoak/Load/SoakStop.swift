internal import Synchronization

/// Ends a soak's load, when its time is over or on request.
package final class SoakStop: Sendable {
    let flag = StopFlag()
    private let asked = Atomic(false)

    package init() {}

    /// Whether the load was asked to end early.
    package var wasAsked: Bool { asked.load(ordering: .acquiring) }

    /// Asks the load to end.
    package func ask() {
        asked.store(true, ordering: .releasing)
        flag.raise()
    }
}

/// A flag that threads look at, raised once.
final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isRaised: Bool { flag.load(ordering: .acquiring) }

    func raise() { flag.store(true, ordering: .releasing) }
}
