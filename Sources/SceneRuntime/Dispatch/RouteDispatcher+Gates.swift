internal import SceneNavigation
internal import SceneRouting

extension RouteDispatcher {
    /// Presents the precondition's flow, parks the intent and so ends the attempt: the events that complete the flow
    /// can get in.
    nonisolated(nonsending) func gate(
        on precondition: String,
        resume: RouteRequest,
        _ resolving: Resolving,
        _ job: Job
    ) async -> Outcome? {
        if precondition == job.unsatisfied {
            return context.store.withNewest(resolving.stands) ? .rejected(reason: "gateUnsatisfied") : nil
        }
        if let outcome = refusal(resume, resolving, job) { return outcome }
        let engine = resolving.app.engine
        guard let flow = engine.precondition(precondition).flatMap({ engine.flow($0.flow) }) else {
            return .rejected(reason: "noSuchFlow")
        }
        let root = base(resolving)
        let ops =
            root.ops
            + gatekeeper.plan(
                toShow: flow,
                isRoot: root.window.rootFlow(engine) == flow.name,
                in: root.window,
                replacing: job.supersedes,
                start: { router.screens(startOf: flow.name, asRoot: false, at: resolving.snapshot) }
            )
        context.log.append(.dispatchPlanned(ops: ops), job.subject.at(resolving.snapshot))
        await pass(.planned, job)
        context.life.activate()
        var stranded: [ParkedIntent] = []
        for (index, op) in ops.dropLast().enumerated() {
            let step = router.begin(
                cause: .flow,
                animated: false,
                subject: job.subject,
                decide: { resolving.stands($0) ? op : nil },
                alongside: { if !job.supersedes { stranded += takeStranded(by: $0) } }
            )
            settle(stranded, .abandoned(reason: "flowCancelled"))
            stranded = []
            switch step {
            case .none: return nil
            case .refused(let reason): return .rejected(reason: reason)
            case .begun: await finishTransition(animated: index == ops.count - 1, job)
            }
        }
        var displaced: [ParkedIntent] = []
        let park = { (newest: SessionSnapshot) in
            displaced = self.supersede(job, at: newest)
            stranded = self.takeStranded(by: newest)
            self.park(resume, on: precondition, flow: flow.name, job, at: newest)
        }
        let isParked: Bool
        if let last = ops.last {
            let step = router.begin(
                cause: .flow,
                animated: true,
                subject: job.subject,
                decide: { resolving.stands($0) ? last : nil },
                alongside: park
            )
            if case .refused(let reason) = step { return .rejected(reason: reason) }
            isParked = step == .begun
        } else {
            isParked = context.store.withNewest { newest in
                guard resolving.stands(newest) else { return false }
                park(newest)
                return true
            }
        }
        settle(displaced, .superseded(by: job.event.id))
        settle(stranded, .abandoned(reason: "flowCancelled"))
        guard isParked else { return nil }
        if !ops.isEmpty { await finishTransition(animated: true, job) }
        return .gated(precondition: precondition)
    }

    private func park(
        _ request: RouteRequest,
        on precondition: String,
        flow: String,
        _ job: Job,
        at newest: SessionSnapshot
    ) {
        gatekeeper.park(
            ParkedIntent(
                event: job.event,
                request: request,
                precondition: precondition,
                flow: flow,
                user: newest.user,
                epoch: newest.epoch,
                attempt: job.attempt
            )
        )
        router.publish(parked: gatekeeper.parked)
        context.log.append(
            .gateParked(precondition: precondition, destination: request.destination, flow: flow),
            job.subject.at(newest)
        )
    }

    /// What the app's policy makes of a navigating external event while something is parked, unless it supersedes.
    func refusal(_ request: RouteRequest, _ resolving: Resolving, _ job: Job) -> Outcome? {
        guard job.event.source == .external, let first = gatekeeper.parked.first else { return nil }
        switch resolving.app.manifest.policies.whileGated {
        case .supersede: return nil
        case .reject: return job.supersedes ? .rejected(reason: "gateBusy") : nil
        case .queue:
            // A resume too: what it was queued behind may have met its next gate, whose flow it must not take away.
            // It waits behind the first, on the first's gate, and is resolved anew when that opens.
            context.store.withNewest { newest in
                park(request, on: first.precondition, flow: first.flow, job, at: newest)
            }
            return .gated(precondition: first.precondition)
        }
    }
}
