internal import DequeModule
internal import Locking
internal import Synchronization

/// The points at which an integration test can stop a scene on purpose, to put two events in the order it wants.
///
/// While nobody holds anything, passing a point costs one atomic load.
package final class Checkpoints: Sendable {
    private struct Hold {
        let point: HoldPoint
        let scene: String?
        let event: String?
        let kind: DispatchKind?
        var held: [Suspension] = []
        var unclaimed: Deque<HeldDispatch> = []
        var claimants: Deque<Claimant> = []

        func catches(_ passing: HeldDispatch) -> Bool {
            point == passing.point && (scene == nil || scene == passing.scene)
                && (event == nil || event == passing.event) && (kind == nil || kind == passing.kind)
        }
    }

    private struct Suspension {
        let scene: String
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct Claimant {
        let id: Int
        let notify: @Sendable (HeldDispatch) -> Void
        let onReleased: @Sendable () -> Void
    }

    private struct State {
        var holds: [String: Hold] = [:]
        /// In the order set, so that the oldest hold catches first.
        var order: [String] = []
        var lastHold = 0
        var lastClaim = 0
        var isOpen = false
    }

    private let armed = Atomic<Int>(0)
    private let state = Guarded(State())
    private let activity: ActivityMonitor
    /// Lets others in at every point, though nobody holds anything: what another thread can do there, a simulation on one
    /// thread can do only so.
    private let interrupt: (@Sendable () async -> Void)?

    package init(activity: ActivityMonitor, interrupt: (@Sendable () async -> Void)? = nil) {
        self.activity = activity
        self.interrupt = interrupt
    }

    /// Whether anybody may do something at a point; if not, there is nothing to pass.
    package var isWatched: Bool { interrupt != nil || armed.load(ordering: .acquiring) > 0 }

    /// Waits here while a hold catches what passes.
    /// - Parameter isGone: Whether its scene is gone; what is gone is not caught any more.
    package func pass(_ passing: @autoclosure () -> HeldDispatch, isGone: () -> Bool = { false }) async {
        if let interrupt { await interrupt() }
        guard armed.load(ordering: .acquiring) > 0 else { return }
        let passing = passing()
        await withCheckedContinuation { continuation in
            let claim: (@Sendable (HeldDispatch) -> Void)?? = state.withLock { state in
                guard let id = state.order.first(where: { state.holds[$0]?.catches(passing) ?? false }), !isGone()
                else { return nil }
                state.holds[id]?.held.append(Suspension(scene: passing.scene, continuation: continuation))
                activity.rest(passing.scene)
                if let claimant = state.holds[id]?.claimants.popFirst() { return .some(claimant.notify) }
                state.holds[id]?.unclaimed.append(passing)
                return .some(nil)
            }
            switch claim {
            case .none: continuation.resume()
            case .some(.none): break
            case .some(.some(let notify)): notify(passing)
            }
        }
    }

    /// Begins to catch what passes `point` and fits, until released.
    /// - Returns: The hold's ID; `nil` once the host is stopping.
    package func hold(_ point: HoldPoint, scene: String?, event: String?, kind: DispatchKind?) -> String? {
        state.withLock { state in
            guard !state.isOpen else { return nil }
            state.lastHold += 1
            let id = "h\(state.lastHold)"
            state.holds[id] = Hold(point: point, scene: scene, event: event, kind: kind)
            state.order.append(id)
            armed.add(1, ordering: .releasing)
            return id
        }
    }

    /// Calls `notify` with the hold's next catch that nobody has claimed, each catch once, or `onReleased` if the hold is
    /// released first.
    /// - Returns: A token for ``forget(claim:of:)``, or `nil` when there is no such hold.
    package func claim(
        _ hold: String,
        _ notify: @escaping @Sendable (HeldDispatch) -> Void,
        onReleased: @escaping @Sendable () -> Void = {}
    ) -> Int? {
        let (token, caught): (Int?, HeldDispatch?) = state.withLock { state in
            guard state.holds[hold] != nil else { return (nil, nil) }
            state.lastClaim += 1
            if let caught = state.holds[hold]?.unclaimed.popFirst() { return (state.lastClaim, caught) }
            state.holds[hold]?.claimants.append(
                Claimant(id: state.lastClaim, notify: notify, onReleased: onReleased)
            )
            return (state.lastClaim, nil)
        }
        if let caught { notify(caught) }
        return token
    }

    /// Gives up a claim.
    /// - Returns: Whether it was still waiting; if not, it has been notified or its hold is gone.
    @discardableResult
    package func forget(claim: Int, of hold: String) -> Bool {
        state.withLock { state in
            guard let index = state.holds[hold]?.claimants.firstIndex(where: { $0.id == claim }) else { return false }
            state.holds[hold]?.claimants.remove(at: index)
            return true
        }
    }

    /// Frees all that the hold caught and removes it.
    /// - Returns: Whether there was such a hold.
    @discardableResult
    package func release(_ hold: String) -> Bool {
        let released: Hold? = state.withLock { state in
            guard let released = state.holds.removeValue(forKey: hold) else { return nil }
            state.order.removeAll { $0 == hold }
            armed.subtract(1, ordering: .releasing)
            return released
        }
        guard let released else { return false }
        resume(released.held)
        for claimant in released.claimants { claimant.onReleased() }
        return true
    }

    /// Frees what is held in a scene that is gone; the holds stay.
    package func free(scene: String) {
        let freed = state.withLock { state in
            var freed: [Suspension] = []
            for id in state.order {
                freed += state.holds[id]?.held.filter { $0.scene == scene } ?? []
                state.holds[id]?.held.removeAll { $0.scene == scene }
                state.holds[id]?.unclaimed.removeAll { $0.scene == scene }
            }
            return freed
        }
        resume(freed)
    }

    private func resume(_ held: [Suspension]) {
        // All are awake before the first goes on: who waits for every scene to rest does not look in between.
        for one in held { activity.wake(one.scene) }
        for one in held { one.continuation.resume() }
    }

    /// Releases every hold and allows no new one.
    package func open() {
        let holds = state.withLock { state in
            state.isOpen = true
            return state.order
        }
        for hold in holds { release(hold) }
    }
}

/// Something a hold has caught.
public struct HeldDispatch: Hashable, Sendable {
    public let point: HoldPoint
    public let scene: String
    public let ticket: Int?
    public let event: String?
    public let kind: DispatchKind
}
