internal import Basics
internal import Synchronization

/// Whether a scene is connected, and its activation state: UIKit's automaton (<doc:Scenes>).
///
/// Readable from any thread. Only the scene changes it, while it handles a mailbox item; ``discard()`` alone takes effect
/// at once.
package final class SceneLifecycle: Sendable {
    /// Numbers the moments in which scenes of a host become active and cease to be: of those that are not active, the scene with
    /// the greatest number was active most recently.
    package final class ActivationOrder: Sendable {
        private let last = Atomic<Int>(0)
        private let name = SharedName()

        package init() {}

        func next() -> Int {
            name.report(.write)
            return last.add(1, ordering: .relaxed).newValue
        }

        /// Gives only greater numbers from now on.
        func advance(beyond number: Int) { last.max(number, ordering: .relaxed) }
    }

    package struct State: Sendable {
        package var phase = Phase.disconnected
        package var activation = Activation.unattached
        /// When it was last active (``ActivationOrder``): when it ceased to be; of one that is active, when it became so. 0 if it
        /// never was.
        package var lastActive = 0
        /// How many events have been admitted that will bring it to the front at their turn.
        var coming = 0
        /// Whether what is behind the lock has to wait.
        package var isLocked = false
        /// What it was when it was discarded, which it is in all records until its window is released.
        fileprivate(set) var before: (phase: Phase, activation: Activation, isLocked: Bool)?

        /// Whether it is in front, or will be when what it has admitted has had its turn.
        var isInFront: Bool { activation == .foregroundActive || coming > 0 }
    }

    package enum Phase: Sendable {
        /// It has a window.
        case connected
        /// It has no window; one will be restored when it is needed.
        case disconnected
        /// Gone for good.
        case discarded
    }

    /// A change that the automaton does not allow, with the names of both states.
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

    package var current: State { state.read { $0 } }

    /// Whether the scene is gone for good and may show nothing any more.
    package var isDiscarded: Bool { current.phase == .discarded }

    // MARK: - The lock

    /// Whether the window is locked (<doc:Scenes#Windows-that-lock>).
    var isLocked: Bool { state.read { $0.isLocked } }

    /// Locks the window and records that, unless it is locked. Called with the session's lock held.
    func lock(_ reason: LockReason, at newest: SessionSnapshot) {
        state.withLock { state in
            guard state.phase != .discarded, !state.isLocked else { return }
            state.isLocked = true
            log.append(.windowLocked(reason), Record.Subject(scene: scene).at(newest))
        }
    }

    /// Unlocks the window and records that, unless it is not locked. Called with the session's lock held.
    func unlock(_ reason: UnlockReason, _ subject: Record.Subject) {
        state.withLock { state in
            guard state.phase != .discarded, state.isLocked else { return }
            state.isLocked = false
            // What the scene itself does is kept with it.
            log.append(
                .windowUnlocked(reason),
                subject,
                keeping: reason == .lifted ? [.unlocked(scene: scene)] : []
            )
        }
    }

    /// Is as it was before a restart.
    func restore(_ kept: KeptScene) {
        state.withLock { state in
            state.phase = kept.isConnected ? .connected : .disconnected
            state.activation = kept.activation
            state.lastActive = kept.lastActive
            state.isLocked = kept.isLocked
            order.advance(beyond: kept.lastActive)
        }
    }

    /// Marks the scene connected, once its window is there and recorded.
    func connect() {
        state.withLock { state in
            guard state.phase == .disconnected else { return }
            state.phase = .connected
            state.activation = .unattached
        }
    }

    /// Who opens a window, or brings it back.
    package enum Opener: Sendable {
        /// Somebody who looks at it: it comes to the front at once.
        case person
        /// The system, which nobody watches: it goes to the background.
        case system
        /// An event, which brings it to the front at its turn.
        case event
    }

    /// Goes where a window goes that was opened by `opener`.
    func open(by opener: Opener) {
        state.withLock { state in
            guard state.phase == .connected else { return }
            switch opener {
            case .person:
                state.lastActive = order.next()
                enterForeground(&state)
                becomeActive(&state)
            case .system: if state.activation == .unattached { step(to: .background, &state) }
            case .event: break
            }
        }
    }

    /// Counts an event that will bring the window to the front at its turn. From now on the scene is chosen as if it were there
    /// (<doc:Scenes#Which-scene-takes-an-event>).
    func expectForeground() {
        state.withLock { state in
            state.lastActive = order.next()
            state.coming += 1
        }
    }

    /// Begins a dispatch; with `isTap` it brings the window to the front, for an event that ``expectForeground()`` has counted.
    ///
    /// - Parameter record: Records that it begins, which is when the app hears of it: the window has left the background by then,
    ///   and is active afterwards. No discard can come between.
    /// - Returns: `false` if the scene is discarded; then nothing begins, and nothing is recorded.
    func begin(bringingForward isTap: Bool, _ record: () -> Void) -> Bool {
        state.withLock { state in
            if isTap { state.coming -= 1 }
            guard state.phase == .connected else { return false }
            if isTap { enterForeground(&state) }
            record()
            if isTap { becomeActive(&state) }
            return true
        }
    }

    private func enterForeground(_ state: inout State) {
        if state.activation == .unattached || state.activation == .background { step(to: .foregroundInactive, &state) }
    }

    private func becomeActive(_ state: inout State) {
        if state.activation == .foregroundInactive { step(to: .foregroundActive, &state) }
    }

    /// Goes to the next state.
    /// - Throws: ``IllegalChange`` if the automaton has no such step.
    func change(to next: Activation) throws(IllegalChange) {
        let illegal = state.withLock { state -> IllegalChange? in
            guard state.phase == .connected else { return IllegalChange(from: "disconnected", to: next.rawValue) }
            guard state.activation.successors.contains(next) else {
                return IllegalChange(from: state.activation.rawValue, to: next.rawValue)
            }
            if next == .foregroundActive || state.activation == .foregroundActive { state.lastActive = order.next() }
            step(to: next, &state)
            return nil
        }
        if let illegal { throw illegal }
    }

    /// Marks the scene disconnected, once its window is released and that is recorded.
    func disconnect() {
        state.withLock { state in
            guard state.phase == .connected else { return }
            if state.activation == .foregroundActive { state.lastActive = order.next() }
            state.phase = .disconnected
            state.activation = .unattached
        }
    }

    /// Marks the scene discarded. Called with the session's lock held, so that no op begins afterwards.
    func discard() {
        state.withLock { state in
            if state.before == nil { state.before = (state.phase, state.activation, state.isLocked) }
            state.phase = .discarded
            state.activation = .unattached
            state.isLocked = false
        }
    }

    private func step(to next: Activation, _ state: inout State) {
        log.append(.sceneActivation(from: state.activation, to: next), Record.Subject(scene: scene))
        state.activation = next
    }
}

extension Activation {
    /// Whether somebody can see the window.
    var isInForeground: Bool { self == .foregroundInactive || self == .foregroundActive }

    /// The states that a scene may go to from this one (<doc:Scenes#Activation>). Disconnecting and discarding are
    /// always allowed and not among them.
    public var successors: Set<Activation> {
        switch self {
        case .unattached: [.foregroundInactive, .background]
        case .foregroundInactive: [.foregroundActive, .background]
        case .foregroundActive: [.foregroundInactive]
        case .background: [.foregroundInactive]
        }
    }
}
