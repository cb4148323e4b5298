internal import Locking
internal import Synchronization

/// A scene's life as UIKit's automaton has it (<doc:Scenes>): connected or not, and how active.
///
/// Changes come from the scene's own turn only, except ``discard()``, which is immediate. Readable from anywhere.
package final class SceneLifecycle: Sendable {
    /// Counts activations of all scenes of a host: the greatest number is the most recently active.
    package final class ActivationOrder: Sendable {
        private let last = Atomic<Int>(0)

        package init() {}

        func next() -> Int { last.add(1, ordering: .relaxed).newValue }
    }

    package struct State: Sendable {
        package var phase = Phase.disconnected
        package var activation = Activation.unattached
        /// See ``ActivationOrder``; 0 when it was never active.
        package var lastActive = 0
    }

    package enum Phase: Sendable {
        /// It has a window.
        case connected
        /// Its window is released and will be restored.
        case disconnected
        /// Gone for good.
        case discarded
    }

    /// A change that the automaton does not allow, by the names of the two states.
    package struct IllegalChange: Error {
        package let from: String
        package let to: String
    }

    private let scene: String
    private let log: RecordLog
    private let order: ActivationOrder
    private let state = Guarded(State())

    package init(scene: String, log: RecordLog, order: ActivationOrder) {
        self.scene = scene
        self.log = log
        self.order = order
    }

    package var current: State { state.withLock { $0 } }

    /// Whether it is gone for good, so that nothing more may be shown in it.
    package var isDiscarded: Bool { current.phase == .discarded }

    /// The scene has got its window, which has been recorded.
    func connect() {
        state.withLock { state in
            guard state.phase == .disconnected else { return }
            state.phase = .connected
            state.activation = .unattached
        }
    }

    /// Goes to `foregroundActive`, by way of the states between.
    func activate() {
        state.withLock { state in
            guard state.phase == .connected else { return }
            state.lastActive = order.next()
            for next in state.activation.stepsToForegroundActive { step(to: next, &state) }
        }
    }

    /// Goes from `unattached` to `background`: what came shows nothing.
    func enterBackground() {
        state.withLock { state in
            guard state.phase == .connected, state.activation == .unattached else { return }
            step(to: .foregroundInactive, &state)
            step(to: .background, &state)
        }
    }

    /// Goes to the next state.
    /// - Throws: ``IllegalChange`` when the automaton has no such step.
    func change(to next: Activation) throws(IllegalChange) {
        let illegal = state.withLock { state -> IllegalChange? in
            guard state.phase == .connected else { return IllegalChange(from: "disconnected", to: next.rawValue) }
            guard state.activation.successors.contains(next) else {
                return IllegalChange(from: state.activation.rawValue, to: next.rawValue)
            }
            step(to: next, &state)
            if next == .foregroundActive { state.lastActive = order.next() }
            return nil
        }
        if let illegal { throw illegal }
    }

    /// The scene has released its window, which has been recorded.
    func disconnect() {
        state.withLock { state in
            guard state.phase == .connected else { return }
            state.phase = .disconnected
            state.activation = .unattached
        }
    }

    /// The scene is gone from now on; called with the session's lock held, so that no op begins after it.
    func discard() {
        state.withLock { state in
            state.phase = .discarded
            state.activation = .unattached
        }
    }

    private func step(to next: Activation, _ state: inout State) {
        log.append(.sceneActivation(from: state.activation, to: next), Record.Subject(scene: scene))
        state.activation = next
    }
}

/// The automaton of activation states.
extension Activation {
    /// The states that a scene may go to from this one (<doc:Scenes#Activation>). Disconnecting and discarding are
    /// not among them: they are always allowed.
    public var successors: Set<Activation> {
        switch self {
        case .unattached: [.foregroundInactive]
        case .foregroundInactive: [.foregroundActive, .background]
        case .foregroundActive: [.foregroundInactive]
        case .background: [.foregroundInactive]
        }
    }

    /// The states on the way to `foregroundActive`, that one included; empty when it is there already.
    var stepsToForegroundActive: [Activation] {
        switch self {
        case .unattached, .background: [.foregroundInactive, .foregroundActive]
        case .foregroundInactive: [.foregroundActive]
        case .foregroundActive: []
        }
    }
}
