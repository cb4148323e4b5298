internal import DequeModule
internal import Basics
internal import Synchronization

/// The points at which a test can hold a scene, to put two events in the order it wants.
///
/// While nothing is held, passing a point costs one atomic load.
package final class Checkpoints: Sendable {
    private struct Hold {
        let point: HoldPoint
        let scene: String?
        let event: String?
        let kind: DispatchKind?
        let owner: Int?
        var held: [Suspension] = []
        var unclaimed: Deque<HeldDispatch> = []
        var claimants: Deque<Claimant> = []

        func catches(_ passing: HeldDispatch) -> Bool {
            point == passing.point && (scene == nil || scene == passing.scene)
                && (event == nil || event == passing.event) && (kind == nil || kind == passing.kind)
        }
    }

    private struct Suspension {
        let caught: HeldDispatch
        let continuation: CheckedContinuation<Void, Never>

        /// The ID under which its receiver's activity is counted.
        var scene: String { caught.scene ?? ActivityMonitor.app }
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

        /// A name that no hold has.
        mutating func makeName() -> String {
            repeat { lastHold += 1 } while holds["h\(lastHold)"] != nil
            return "h\(lastHold)"
        }
    }

    private let armed = Atomic<Int>(0)
    private let armedName = SharedName()
    private let state = Guarded(State())
    private let activity: ActivityMonitor
    private let log: RecordLog
    /// Runs at every point. A simulation on a single thread uses it to let others run where, with several threads, they could.
    private let interrupt: (@Sendable () async -> Void)?

    init(activity: ActivityMonitor, log: RecordLog, interrupt: (@Sendable () async -> Void)? = nil) {
        self.activity = activity
        self.log = log
        self.interrupt = interrupt
    }

    /// Whether ``pass(_:isGone:)`` would do anything.
    package var isWatched: Bool { interrupt != nil || isArmed }

    private var isArmed: Bool {
        armedName.report(.read)
        return armed.load(ordering: .acquiring) > 0
    }

    /// Waits here as long as a hold has caught what passes.
    /// - Parameter isGone: Whether the scene is discarded; nothing is caught in it then.
    package func pass(_ passing: @autoclosure () -> HeldDispatch, isGone: () -> Bool = { false }) async {
        if let interrupt { await interrupt() }
        guard isArmed else { return }
        let passing = passing()
        await withCheckedContinuation { continuation in
            let claim: (@Sendable (HeldDispatch) -> Void)?? = state.withLock { state in
                guard let id = state.order.first(where: { state.holds[$0]?.catches(passing) ?? false }), !isGone()
                else { return nil }
                let held = Suspension(caught: passing, continuation: continuation)
                state.holds[id]?.held.append(held)
                log.append(.holdCaught(hold: id, point: passing.point, kind: passing.kind), held.caught.subject)
                activity.rest(held.scene)
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

    /// Catches from now on, until released, whatever passes `point` and fits the parameters that are not `nil`.
    /// - Parameter name: The hold's ID; `nil` for one that is made.
    /// - Returns: The hold's ID; `nil` if there is a hold of this name.
    /// - Throws: ``SceneError/draining`` once the host is stopping.
    package func hold(
        _ point: HoldPoint,
        scene: String?,
        event: String?,
        kind: DispatchKind?,
        name: String? = nil,
        owner: Int? = nil
    ) throws(SceneError) -> String? {
        try state.withLock { state throws(SceneError) in
            guard !state.isOpen else { throw .draining }
            let id = name ?? state.makeName()
            guard state.holds[id] == nil else { return nil }
            state.holds[id] = Hold(point: point, scene: scene, event: event, kind: kind, owner: owner)
            state.order.append(id)
            armedName.report(.write)
            armed.add(1, ordering: .releasing)
            return id
        }
    }

    /// Calls `notify` with the next thing that the hold catches and that nobody has claimed, or `onReleased` if the hold is
    /// released first.
    /// - Returns: A token for ``forget(claim:of:)``, or `nil` if there is no such hold.
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

    /// Cancels a claim.
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
            armedName.report(.write)
            armed.subtract(1, ordering: .releasing)
            for held in released.held { log.append(.holdReleased(hold: hold), held.caught.subject) }
            return released
        }
        guard let released else { return false }
        resume(released.held)
        for claimant in released.claimants { claimant.onReleased() }
        return true
    }

    /// The hold that has caught something in a scene (`nil`: in the app itself), and where; a scene has one thing caught at a time.
    func held(in scene: String?) -> (hold: String, point: HoldPoint)? {
        guard isArmed else { return nil }
        let receiver = scene ?? ActivityMonitor.app
        return state.withLock { state in
            for id in state.order {
                guard let hold = state.holds[id], hold.held.contains(where: { $0.scene == receiver }) else { continue }
                return (id, hold.point)
            }
            return nil
        }
    }

    /// The owner of each hold that has one.
    package var owners: [Int] { state.withLock { $0.holds.values.compactMap(\.owner) } }

    /// The holds of an owner, the oldest first.
    package func holds(of owner: Int) -> [String] {
        state.withLock { state in state.order.filter { state.holds[$0]?.owner == owner } }
    }

    /// Frees what is held in a scene that is gone; the holds stay.
    package func free(scene: String) {
        let freed = state.withLock { state in
            var freed: [Suspension] = []
            for id in state.order {
                let held = state.holds[id]?.held.filter { $0.scene == scene } ?? []
                for held in held { log.append(.holdReleased(hold: id), held.caught.subject) }
                freed += held
                state.holds[id]?.held.removeAll { $0.scene == scene }
                state.holds[id]?.unclaimed.removeAll { $0.scene == scene }
            }
            return freed
        }
        resume(freed)
    }

    private func resume(_ held: [Suspension]) {
        // Mark all awake before the first goes on: otherwise all scenes could seem to rest in between.
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

/// A dispatch, a resume or a sweep that a hold has caught.
public struct HeldDispatch: Hashable, Sendable {
    /// The point at which it is held.
    public let point: HoldPoint
    /// The ID of its scene; `nil` for an event that the app itself gets.
    public let scene: String?
    /// The event's ticket; `nil` for a sweep.
    public let ticket: Int?
    /// The event's ID; `nil` for a sweep.
    public let event: String?
    /// What is held.
    public let kind: DispatchKind
    /// What records about it are about.
    let subject: Record.Subject
}
