internal import SceneNavigation
internal import SceneRouting

extension RouteDispatcher {
    /// Lets an intent bubble from the screen that is on top now to whoever takes it, and carries out what that one answers.
    nonisolated(nonsending) func bubble(_ intent: Intent, _ job: Job) async -> Ending {
        await pass(.resolved, job)
        let newest = context.store.snapshot
        job.epoch = newest.epoch
        let session = context.routing(newest)
        // A commit may have come since the intent's turn did. What it forbids has nothing to report any more, though the
        // sweep that takes it away is still to come.
        guard let screen = router.state.topmost, isAllowed([screen], by: newest) else {
            return Ending(.rejected(reason: "unhandledIntent"), newest)
        }
        var chain: [String] = []
        func record(handler: String? = nil, error: String? = nil) {
            context.log.append(
                .intentBubbled(name: intent.name, chain: chain, handler: handler, error: error),
                job.subject.at(newest)
            )
        }
        for (name, responder) in router.displayed {
            chain.append(name)
            do {
                guard try responder?.take(intent, from: screen) == true else { continue }
                record(handler: name)
                return Ending(.delivered, newest)
            } catch {
                record(error: "\(error)")
                return Ending(.rejected(reason: "intentFailed"), newest)
            }
        }
        for node in router.responders {
            chain.append(node.flow)
            let flow = router.flowContext(of: node.flow, session: session)
            do {
                guard let commands = try node.coordinator.handle(intent, from: screen, context: flow) else { continue }
                record(handler: node.flow)
                await pass(.planned, job)
                return await carryOut(commands, of: node, job)
            } catch {
                record(error: "\(error)")
                return Ending(.rejected(reason: "intentFailed"), newest)
            }
        }
        record()
        return Ending(.rejected(reason: "unhandledIntent"), newest)
    }
}
