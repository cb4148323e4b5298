internal import SceneNavigation
internal import SceneRouting

/// The mistakes that take more than leaving something out. Nothing here runs without a ``Fault``.
extension RouteDispatcher {
    /// ``Fault/recordedLate``
    func endLate(_ job: Job, _ ending: Ending) {
        let (log, ledger, window) = (context.log, context.ledger, router.state)
        let (subject, event) = (job.subject.at(ending.snapshot), job.event)
        Task {
            log.append(.dispatchEnded(outcome: ending.outcome), subject)
            ledger.update(event, outcome: ending.outcome, revision: ending.snapshot.revision, window: window)
        }
    }

    /// ``Fault/rejectedSupersedes``
    func supersedeAllTheSame(_ job: Job) {
        settle(context.store.withNewest { supersede(job, at: $0) }, .superseded(by: job.event.id))
    }

    /// ``Fault/resumeWithoutResolution``
    func goBlindly(_ parked: ParkedIntent, _ job: Job) async -> Ending {
        let freed = parked.completion?.snapshot ?? context.store.snapshot
        let resolving = Resolving(
            app: context.app.current,
            request: parked.request,
            snapshot: freed,
            context: context
        )
        context.log.append(resolving.record, job.subject.at(freed))
        await pass(.resolved, job)
        guard case .success(.proceed(let target)) = resolving.answer else {
            return Ending(.rejected(reason: "destinationGone"), freed)
        }
        let ops = Reconciler.plan(from: router.state, to: target, source: parked.request.source)
        context.log.append(.dispatchPlanned(ops: ops), job.subject.at(freed))
        await pass(.planned, job)
        for op in ops {
            _ = router.begin(cause: .dispatch, animated: false, subject: job.subject, decide: { _ in op })
            await finishTransition(animated: false, job)
        }
        return Ending(ops.isEmpty ? .unchanged : .applied, freed)
    }

    /// ``Fault/notifyBeforeCommit``
    func notifyAtOnce(_ changes: [SessionChange], _ epilogue: [FlowCommand], _ flow: String, _ job: Job) -> Report {
        let (session, origin) = (context.session, job.origin)
        Task { try await session.apply(changes, origin: origin) }
        gatekeeper.complete(flow, by: context.store.snapshot) { _ in false }
        isSweepDue = true
        return .committed(epilogue)
    }

    /// ``Fault/parkedLostOnDisconnect``
    func forgetParked() {
        _ = gatekeeper.take { _ in true }
    }
}

extension Scene {
    /// ``Fault/overlap`` and ``Fault/suspendingLock``
    func handleAtOnce(_ item: MailboxItem) {
        Task {
            while Fault.suspendingLock.isMade, isLocked { await Task.yield() }
            isLocked = true
            await handle(item)
            isLocked = false
        }
        Task { await run() }
    }
}

extension SessionSnapshot {
    /// ``Fault/oldRevisionRecorded``
    var before: SessionSnapshot {
        SessionSnapshot(revision: max(revision - 1, 0), epoch: epoch, user: user, facts: facts)
    }
}

extension [SessionChange] {
    /// ``Fault/lostUpdate``
    func computed(from snapshot: SessionSnapshot) -> [SessionChange] {
        map { change in
            guard case .append(let fact, let element) = change else { return change }
            guard case .strings(let list)? = snapshot.facts[fact] else { return .set(fact: fact, .strings([element])) }
            return .set(fact: fact, .strings(list + [element]))
        }
    }
}
