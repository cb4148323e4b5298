internal import Basics
internal import SceneEntryPoints
internal import SceneNavigation
internal import SceneRouting

/// Carries out what the app does with a notification while nothing comes to the front: what an action hands to the app, or what its code
/// decides (<doc:Scenes#Pushes>). It changes the session and asks of windows, and nothing else.
struct BackgroundRunner: Sendable {
    let app: CurrentApp
    let store: SessionStore
    let session: Session
    let routing: @Sendable (SessionSnapshot) -> RoutingContext
    /// The app's code that hears of notifications.
    let notifications: (any NotificationCoordinator)?
    /// What can be asked of windows; `nil` before the host is there.
    let windows: @Sendable () -> WindowDesk?

    /// Carries out `work`, unless the user for whom it was admitted has left (<doc:TheSession#S8>).
    ///
    /// - Parameters:
    ///   - isGone: Whether the scene that received it is discarded.
    ///   - pass: Waits at a point that the attempt has reached, as long as somebody holds it there.
    func carryOut(
        _ work: EventWork,
        _ attempt: Attempt,
        unless isGone: @escaping @Sendable () -> Bool = { false },
        pass: (HoldPoint) async -> Void
    ) async -> Ending {
        await pass(.resolved)
        let newest = store.snapshot
        if attempt.isLeft(by: newest) { return Ending(.abandoned(reason: "userLeft"), newest) }
        // While the epoch lasts, this user stays signed in.
        if let user = work.addressee, newest.user.map(user.hasSameBytes) != true {
            return Ending(.rejected(reason: RouteRequest.otherUser), newest)
        }
        let commands: [FlowCommand]
        do throws(Undone) {
            guard let wanted = try wanted(for: work, by: newest) else { return Ending(.delivered, newest) }
            commands = wanted
        } catch {
            return Ending(.rejected(reason: error.reason), newest)
        }
        // What code has decided, it has decided for who is signed in now.
        if work.isHeard, !attempt.goesOn { attempt.epoch = newest.epoch }
        await pass(.planned)
        let epoch = attempt.epoch
        let committed: SessionSnapshot?
        do {
            committed =
                if attempt.hasCommittedBefore() {
                    attempt.isLeft(by: store.snapshot) ? nil : store.snapshot
                } else {
                    try await session.apply(commands.sessionChanges, origin: attempt.origin) { snapshot in
                        !isGone() && epoch == snapshot.epoch
                    }
                }
        } catch {
            return Ending(error.outcome, store.snapshot)
        }
        guard let committed else {
            return Ending(.abandoned(reason: isGone() ? "sceneDiscarded" : "userLeft"), store.snapshot)
        }
        attempt.epoch = committed.epoch
        for command in commands {
            guard let outcome = windows()?.ask(command, attempt) else { continue }
            return Ending(outcome, store.snapshot)
        }
        let isDenied = attempt.windows.contains { $0.error != nil }
        if attempt.closing != nil, !isDenied, let outcome = windows()?.close(attempt) {
            return Ending(outcome, store.snapshot)
        }
        return Ending(.delivered, committed)
    }

    /// Why nothing was done.
    private struct Undone: Error {
        let reason: String
    }

    /// What is to be done; `nil` for nothing.
    private func wanted(for work: EventWork, by newest: SessionSnapshot) throws(Undone) -> [FlowCommand]? {
        switch work {
        case .hear(let push, let otherwise):
            let answer: [AppCommand]?
            do {
                answer = try notifications?.answer(to: push, session: routing(newest))
            } catch {
                throw Undone(reason: "intentFailed")
            }
            guard let answer else { return try wanted(for: otherwise, by: newest) }
            return answer.map(\.flowCommand)
        case .perform(let intent, _):
            let context = FlowContext(session: routing(newest), screens: [], engine: app.current.engine)
            // After a reload the app may have no such intent.
            guard let commands = context.commands(ofAppIntent: intent) else { throw Undone(reason: "unhandledIntent") }
            return commands
        case .navigate, .deliver, .handled, .reject, .bubble, .gesture, .finish: return nil
        }
    }
}
