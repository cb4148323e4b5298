internal import SceneNavigation
internal import SceneRouting
internal import SceneVocabulary

/// Keeps the intents that a scene has parked, and knows which flows are on screen for them. It parks, resumes, supersedes
/// and abandons intents, and records each.
///
/// An intent may end while the session's lock is held; ``tell()`` notifies those who wait for it once the lock is released.
final class Gatekeeper {
    let context: SceneContext
    let router: RootRouter
    /// In the order parked.
    private(set) var parked: [ParkedIntent] = []
    /// The parameters of the gate that each flow on screen is shown for, by the first that waits for it or did.
    private var served: [String: [String: String]] = [:]
    /// The flows on screen that are there for a gate alone: it has presented them, and nothing has led to them since. They go when
    /// nothing waits for them any more; a root, and what an event or another flow has shown, was there before anything waited.
    private var presented: Set<String> = []
    /// The intents that have been taken to go on and whose attempt has not ended.
    private var resuming: [ParkedIntent] = []
    /// What was kept of the scene last.
    private var kept: KeptScene?
    /// Intents that have ended and are recorded, but whose waiters have not been notified.
    private var untold: [(intent: ParkedIntent, outcome: Outcome)] = []
    /// Whether a sweep is needed to resume what a flow's completion has set free. A commit may not ask for one.
    private var isSweepDue = false

    init(context: SceneContext, router: RootRouter) {
        self.context = context
        self.router = router
    }

    // MARK: - Parking and resuming

    /// Whether as many intents of an event's sender are parked as the mailbox holds of one.
    func isFull(for event: AdmittedEvent) -> Bool {
        parked.count { $0.event.key.sender == event.key.sender } >= context.settings.mailboxCapacity
    }

    /// Parks what `attempt` wanted at a gate, until its precondition holds.
    ///
    /// - Parameters:
    ///   - resolution: The answer that stopped it; of it, only what was asked for is used again.
    ///   - isPresented: Whether the gate's flow has been presented for it.
    func park(
        _ resolution: Resolution,
        at gate: ParkedIntent.Gate,
        presented isPresented: Bool = false,
        _ attempt: Attempt,
        at newest: SessionSnapshot
    ) {
        append(
            ParkedIntent(
                event: attempt.event,
                request: resolution.request,
                variant: resolution.variant,
                gate: gate,
                user: newest.user,
                epoch: newest.epoch,
                manifest: resolution.app.digest,
                attempt: attempt.number
            )
        )
        if isPresented { presented.insert(gate.flow) }
        publish()
        context.log.append(
            .gateParked(
                precondition: gate.precondition,
                parameters: gate.parameters,
                destination: resolution.request.destination,
                flow: gate.flow
            ),
            attempt.subject.at(newest)
        )
    }

    /// Marks what is parked on a flow for the next sweep to resume, because the flow has reported completion.
    ///
    /// - Parameters:
    ///   - snapshot: The session as the flow's commit left it.
    ///   - isClosed: Whether a gate's precondition does not hold by `snapshot`.
    func complete(_ flow: String, by snapshot: SessionSnapshot, isClosed: (ParkedIntent.Gate) -> Bool) {
        for index in parked.indices where parked[index].flow == flow {
            let gate = parked[index].gate
            parked[index].completion = ParkedIntent.Completion(
                snapshot: snapshot,
                isUnsatisfied: isServed(gate) && isClosed(gate)
            )
        }
        isSweepDue = true
    }

    /// Whether a sweep is due. Asking clears the request.
    func takeSweepRequest() -> Bool {
        defer { isSweepDue = false }
        return isSweepDue
    }

    /// Removes and returns the intents that may go on by now, in the order parked. The caller resumes each once
    /// (<doc:TheSession#S5>).
    func takeReady(by newest: SessionSnapshot) -> [ParkedIntent] {
        let isReady = readiness(by: newest)
        let served = Set(parked.lazy.filter { self.isServed($0.gate) && !isReady($0) }.map(\.flow))
        // A flow that nothing waits for any more leaves, and is shown once more for what waits with other parameters.
        let ready = take { isReady($0) || !isServed($0.gate) && !served.contains($0.flow) }
        if context.log.keeps { resuming += ready }
        for intent in ready {
            context.log.append(
                .gateResumed(
                    precondition: intent.precondition,
                    destination: intent.request.destination,
                    flow: intent.completion == nil ? nil : intent.flow
                ),
                // The commit that allows the resume; after a flow's completion, the flow's own.
                Attempt(intent, scene: context.scene).subject.at(intent.completion?.snapshot ?? newest)
            )
        }
        return ready
    }

    /// Which intents nothing keeps waiting: the flow has reported completion, the gate is open, a reload has taken it away, or the end of
    /// the host has interrupted a resume.
    private func readiness(by newest: SessionSnapshot) -> (ParkedIntent) -> Bool {
        let engine = context.app.current.engine
        let routing = context.routing(newest)
        let freed = gatesFreed(by: context.app.current, context: routing)
        // Nobody can wait for a precondition that a reload has removed: resume the intent and let that decide.
        return { intent in
            intent.completion != nil
                || intent.wasResumed
                || intent.gate.isOpen(engine, routing)
                || freed.contains(intent.gate)
        }
    }

    /// The gates that an app, other than the one by which something waits there, no longer has: the destination of what has
    /// waited longest does not need the precondition any more, or another flow can satisfy it (<doc:TheSession#Gates>).
    ///
    /// What waits behind it may never have needed the precondition itself, and is tried again with it.
    func gatesFreed(by app: LoadedApp, context: RoutingContext) -> Set<ParkedIntent.Gate> {
        var judged: Set<ParkedIntent.Gate> = []
        var freed: Set<ParkedIntent.Gate> = []
        for intent in parked where intent.completion == nil && judged.insert(intent.gate).inserted {
            if intent.manifest == app.digest { continue }
            // What was chosen counts only as long as the app may still choose it.
            let variant = intent.variant.flatMap {
                app.engine.variant($0.id, of: intent.request.destination, context: context)
            }
            let isNeeded = ([intent.request.destination] + (variant.map { [$0] } ?? [])).contains {
                app.engine.needs(
                    precondition: intent.precondition,
                    for: intent.gate.parameters,
                    onTheWayTo: $0,
                    context: context
                )
            }
            if !isNeeded || app.engine.precondition(intent.precondition)?.flow != intent.flow {
                freed.insert(intent.gate)
            }
        }
        return freed
    }

    /// Notes that the attempt of an intent that was taken to go on has ended.
    func noteResumed(_ intent: ParkedIntent) {
        resuming.removeAll { $0.event === intent.event }
    }

    // MARK: - What is kept

    /// The scene as it is now, if that differs from what was kept last.
    func changed() -> [KeptChange] {
        let now = KeptScene(self, resuming: resuming, served: served, presented: presented)
        guard now != kept else { return [] }
        kept = now
        return [.scene(now)]
    }

    /// Goes on with what a scene had parked before a restart.
    func restore(_ scene: KeptScene, _ parked: [ParkedIntent]) {
        self.parked = parked
        served = scene.servedGates
        presented = scene.gateFlows
        publish()
        kept = scene
    }

    // MARK: - Ending parked intents

    /// Ends everything parked as superseded by the event of `attempt`.
    func supersede(_ attempt: Attempt, at newest: SessionSnapshot) {
        giveUp({ _ in true }, .superseded(by: attempt.event.id)) { intent in
            context.log.append(
                .gateSuperseded(
                    precondition: intent.precondition,
                    destination: intent.request.destination,
                    by: attempt.event.id
                ),
                Attempt(intent, scene: context.scene).subject.at(newest),
                keeping: [AttemptEnding(outcome: .superseded(by: attempt.event.id)).kept(for: intent.event)]
            )
        }
    }

    /// Abandons what waits for a flow that the window no longer shows, and that nobody can complete any more.
    ///
    /// What need not wait any more goes on with the next sweep, whatever took its flow off the screen before. What waits for the lock
    /// of a locked window waits on: the window is covered again.
    func abandonStranded(by newest: SessionSnapshot) {
        let engine = context.app.current.engine
        let lock = context.life.isLocked ? engine.lockFlow?.name : nil
        func isStranded(_ intent: ParkedIntent) -> Bool {
            intent.flow != lock && !router.state.shows(flow: intent.flow, engine)
        }
        guard parked.contains(where: isStranded) else { return }
        let isReady = readiness(by: newest)
        abandon("flowCancelled", at: newest) { isStranded($0) && !isReady($0) }
        if parked.contains(where: isStranded) { isSweepDue = true }
    }

    /// Abandons what waits for a flow that has been cancelled.
    func abandonCancelled(_ flow: String, at newest: SessionSnapshot) {
        abandon("flowCancelled", at: newest) { $0.flow == flow }
    }

    /// Abandons what was parked by a user who has left. What was parked while nobody was signed in stays
    /// (<doc:TheSession#S7>).
    func abandonLeft(by newest: SessionSnapshot) {
        abandon("userLeft", at: newest) { $0.isLeft(by: newest) }
    }

    /// Abandons everything, because the scene or the host ends.
    func abandonAll(reason: String) {
        abandon(reason, at: context.store.snapshot) { _ in true }
        tell()
    }

    private func abandon(_ reason: String, at newest: SessionSnapshot, where fits: (ParkedIntent) -> Bool) {
        giveUp(fits, .abandoned(reason: reason)) { context.recordAbandoned($0, reason: reason, at: newest) }
    }

    private func giveUp(_ fits: (ParkedIntent) -> Bool, _ outcome: Outcome, record: (ParkedIntent) -> Void) {
        let taken = take(where: fits)
        guard !taken.isEmpty else { return }
        publish()
        for intent in taken {
            record(intent)
            untold.append((intent, outcome))
        }
    }

    /// Notifies those who wait for intents that have ended. Call it outside every lock.
    func tell() {
        guard !untold.isEmpty else { return }
        let told = untold
        untold = []
        for (intent, outcome) in told { context.ledger.update(intent.event, AttemptEnding(outcome: outcome)) }
    }

    // MARK: - Flows for gates

    /// Whether what waits at a gate is what its flow is shown for: not if the flow was begun with other parameters.
    func isServed(_ gate: ParkedIntent.Gate) -> Bool {
        guard let shown = served[gate.flow] else { return gate.parameters.isEmpty }
        return shown.hasSameValues(as: gate.parameters)
    }

    /// Whether a flow is there for a gate alone (<doc:TheSession#S5>).
    func isForGate(_ flow: String) -> Bool { presented.contains(flow) }

    /// Notes that an event leads to what the gate's flow shows, or to a screen of it: it is not there for the gate alone any more.
    func keep(_ target: Target) {
        let modals: [ModalState] =
            switch target {
            case .placed(_, _, let modals): modals
            case .overCurrent(let modal): [modal]
            }
        presented.subtract(modals.compactMap(\.flow))
    }

    /// Notes that a flow has been presented for a gate, or for the lock.
    func notePresented(_ flow: String) { presented.insert(flow) }

    /// Whether a flow was presented for a gate at which nothing waits any more, or for a lock that is open.
    func isPointless(_ flow: String?) -> Bool {
        // What is under the lock stays as it is until the window is unlocked.
        guard let flow, !context.life.isLocked else { return false }
        if flow == context.app.current.manifest.lock?.flow { return !parked.contains { $0.flow == flow } }
        return isForGate(flow) && !parked.contains { $0.flow == flow }
    }

    /// The flows that were presented for a gate and that the window shows, sorted.
    var flowsShown: [String] {
        let engine = context.app.current.engine
        return presented.filter { router.state.shows(flow: $0, engine) }.sorted()
    }

    /// Whether something waits for the flow of this presentation, and the window has shown it for that: it begins with the same screen.
    /// What waits for a lock does without: the window is covered anew.
    func hasWaiting(for modal: ModalState) -> Bool {
        guard let flow = modal.flow, flow != context.app.current.manifest.lock?.flow else { return false }
        return parked.contains { $0.flow == flow }
            && router.state.modals.contains { $0.flow == flow && $0.stack.first == modal.stack.first }
    }

    /// Whether the flow of a presentation is there because a gate has shown it, or something waits there.
    func isThereForGate(_ modal: ModalState) -> Bool {
        modal.flow.map { flow in isForGate(flow) || parked.contains { $0.flow == flow } } ?? false
    }

    /// Forgets the flows that the window no longer shows.
    func forgetFlowsNotShown() {
        let engine = context.app.current.engine
        if !served.isEmpty { served = served.filter { router.state.shows(flow: $0.key, engine) } }
        if !presented.isEmpty { presented = presented.filter { router.state.shows(flow: $0, engine) } }
        router.forgetStarting()
    }

    /// The ops that bring `flow` on screen; none if it is there already.
    ///
    /// - Parameters:
    ///   - isRoot: Whether the window shows the flow instead of tabs, so that there is nothing to present.
    ///   - parameters: Those of the gate.
    ///   - replacing: Whether to dismiss flows shown for other gates first, because their intents are superseded.
    ///   - uncovering: Whether to dismiss what is over the flow.
    ///   - start: The screens that the flow starts with.
    func plan(
        toShow flow: FlowDeclaration,
        for parameters: [String: String],
        isRoot: Bool,
        in window: WindowState,
        replacing: Bool,
        uncovering: Bool,
        start: () -> [Destination]
    ) -> [NavOp] {
        var ops: [NavOp] = []
        var modals = window.modals
        if replacing, let first = modals.firstIndex(where: { isOther($0.flow, than: flow.name, for: parameters) }) {
            ops.append(.dismissModals(keeping: first))
            modals.removeSubrange(first...)
        }
        if isRoot { return ops }
        if let index = modals.lastIndex(where: { $0.flow == flow.name }) {
            // What the flow has started belongs to it, and stays.
            let above = modals[(index + 1)...].firstIndex { $0.flow.flatMap(router.starter) == nil }
            if uncovering, let above { ops.append(.dismissModals(keeping: above)) }
        } else {
            ops.append(.present(ModalState(flow: flow.name, style: flow.style, stack: start())))
        }
        return ops
    }

    /// Whether a flow on screen is shown for another gate than the one that this flow opens for these parameters.
    private func isOther(_ shown: String?, than flow: String, for parameters: [String: String]) -> Bool {
        guard let shown, isForGate(shown) else { return false }
        return shown != flow || !(served[shown] ?? [:]).hasSameValues(as: parameters)
    }

    // MARK: - What is parked

    /// Publishes what is parked.
    /// - Parameter revision: The revision that the window was judged by; `nil` if it was not judged again.
    func publish(revision: Int? = nil) {
        let parked = parked.map {
            SceneStatus.Parked(
                event: $0.event.id,
                sender: $0.event.key.sender,
                precondition: $0.precondition,
                parameters: $0.gate.parameters,
                destination: $0.request.destination
            )
        }
        router.publish(parked: parked, revision: revision)
    }

    private func append(_ intent: ParkedIntent) {
        if router.starter(of: intent.flow) == nil,
            !parked.contains(where: { isServed($0.gate) && $0.flow == intent.flow })
        {
            served[intent.flow] = intent.gate.parameters
        }
        parked.append(intent)
    }

    /// Removes and returns what fits.
    private func take(where fits: (ParkedIntent) -> Bool) -> [ParkedIntent] {
        guard !parked.isEmpty else { return [] }
        let taken = parked.filter(fits)
        parked.removeAll(where: fits)
        return taken
    }
}

extension ParkedIntent.Gate {
    /// Whether nothing has to wait there any more; nothing can for a precondition that the app does not have.
    func isOpen(_ engine: RoutingEngine, _ context: RoutingContext) -> Bool {
        engine.holds(precondition: precondition, for: parameters, context: context) ?? true
    }
}
