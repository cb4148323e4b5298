public import SceneVocabulary

/// What keeps a scene, or the app itself, in the middle of its work.
public struct SceneRest: Hashable, Sendable {
    /// The scene's ID; `nil` for the app itself.
    public let scene: String?
    /// The event being handled, and its sender; `nil` for a sweep or a change of the scene's life.
    package let handled: EventKey?
    /// The hold that has caught it, and where; `nil` if none has.
    public let hold: Hold?
    /// When the transition in progress ends, by the host's clock; `nil` if none is in progress.
    public let transitionEnd: Duration?

    /// A hold by its ID, and the point at which it holds.
    public struct Hold: Hashable, Sendable {
        /// The hold's ID.
        public let id: String
        /// Where it holds.
        public let point: HoldPoint
    }

    /// The ID of the event being handled.
    public var event: String? { handled?.id }
}

/// What an event that has not ended waits for.
public struct EventWait: Hashable, Sendable {
    /// How many events, sweeps and changes of its scene come before it, that being handled included; 0 if it is being handled,
    /// and for an event that is parked.
    public let ahead: Int
    /// The event being handled in its scene, and its sender, if that is another one.
    package let behind: EventKey?
    /// What keeps the scene in the middle of its work; `nil` if nothing does.
    public let rest: SceneRest?
}

extension SceneHost {
    /// What an event waits for; `nil` if it has ended, or if this sender has no such event.
    public func wait(of event: String, sender: String? = nil) -> EventWait? {
        let key = EventKey(sender: sender, id: event)
        guard let receipt = ledger.receipt(of: key), !receipt.outcome.isTerminal else { return nil }
        let place = mailbox(of: receipt.scene)?.place(of: key)
        // A parked event waits for its precondition, not for what goes on in its window meanwhile.
        guard let place else { return EventWait(ahead: 0, behind: nil, rest: nil) }
        let behind = place.handled == key ? nil : place.handled
        return EventWait(ahead: place.ahead, behind: behind, rest: rest(of: receipt.scene, handling: place.handled))
    }

    /// The scenes, and the app itself, that are held or wait for a transition to end, in the order opened.
    public var resting: [SceneRest] {
        let scenes = directory.withLock { $0.inOrder }.map { ($0.scene.id, $0.scene.mailbox) }
        let all = [(nil, appReceiver.mailbox)] + scenes.map { (String?.some($0.0), $0.1) }
        return all.compactMap { scene, mailbox in rest(of: scene, handling: mailbox.handled) }
    }

    private func mailbox(of scene: String?) -> Mailbox? {
        guard let scene else { return appReceiver.mailbox }
        return directory.withLock { $0.entries[scene] }?.scene.mailbox
    }

    private func rest(of scene: String?, handling handled: EventKey?) -> SceneRest? {
        let hold = checkpoints.held(in: scene).map { SceneRest.Hold(id: $0.hold, point: $0.point) }
        let end = scene.flatMap { timer.end(in: $0) }
        guard hold != nil || end != nil else { return nil }
        return SceneRest(scene: scene, handled: handled, hold: hold, transitionEnd: end)
    }

    /// Whether nothing goes on but what waits for a hold or for the clock.
    package var isSettled: Bool { activity.isReached(.settled) }

    /// Whether nothing goes on; parked intents may be left.
    package var isQuiet: Bool { activity.isReached(.quiet(nil)) }

    /// Whether the clock stands still until ``advance(by:)``.
    public var isVirtual: Bool { clock is VirtualClock }

    /// The date by the host's clock, in seconds since 1970-01-01T00:00:00Z.
    public var date: Double { clock.wallTime }
}
