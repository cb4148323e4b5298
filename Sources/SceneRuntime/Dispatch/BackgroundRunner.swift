internal import Basics
internal import SceneNavigation
internal import SceneRouting

/// Carries out what an action of a notification hands to the app while nothing comes to the front: effects on the session, and
/// nothing else (<doc:Scenes#Pushes>).
struct BackgroundRunner: Sendable {
    let app: CurrentApp
    let store: SessionStore
    let session: Session
    let routing: @Sendable (SessionSnapshot) -> RoutingContext

    /// Commits the effects of `intent`, unless the user for whom it was admitted has left (<doc:TheSession#S8>).
    ///
    /// - Parameters:
    ///   - isGone: Whether the scene that received it is discarded.
    ///   - pass: Waits at a point that the attempt has reached, as long as somebody holds it there.
    func carryOut(
        _ intent: Intent,
        _ attempt: Attempt,
        unless isGone: @escaping @Sendable () -> Bool = { false },
        pass: (HoldPoint) async -> Void
    ) async -> Ending {
        await pass(.resolved)
        let newest = store.snapshot
        if attempt.isLeft(by: newest) { return Ending(.abandoned(reason: "userLeft"), newest) }
        // While the epoch lasts, this user stays signed in.
        if let user = attempt.event.work.addressee, newest.user.map(user.hasSameBytes) != true {
            return Ending(.rejected(reason: RouteRequest.otherUser), newest)
        }
        let context = FlowContext(session: routing(newest), screens: [], engine: app.current.engine)
        // After a reload the app may have no such intent.
        guard let commands = context.commands(ofAppIntent: intent) else {
            return Ending(.rejected(reason: "unhandledIntent"), newest)
        }
        await pass(.planned)
        let epoch = attempt.epoch
        do {
            let committed = try await session.apply(commands.sessionChanges, origin: attempt.origin) { snapshot in
                !isGone() && epoch == snapshot.epoch
            }
            guard let committed else {
                return Ending(.abandoned(reason: isGone() ? "sceneDiscarded" : "userLeft"), store.snapshot)
            }
            return Ending(.delivered, committed)
        } catch {
            return Ending(error.outcome, store.snapshot)
        }
    }
}
