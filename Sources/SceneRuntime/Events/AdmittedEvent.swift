package import SceneEntryPoints
package import SceneRouting
package import SceneNavigation

/// An event that has been admitted and has its place in a scene's order.
///
/// A class rather than a struct: it is passed on a dozen times on its way.
package final class AdmittedEvent: Sendable {
    /// Its key in the ``EventLedger``.
    package let key: EventKey
    /// Its place in the scene's order, from 1 without gaps.
    package let ticket: Int
    /// The session's epoch when it was admitted.
    package let epoch: Int
    package let work: EventWork
    package let source: RouteSource
    package let connection: Int?
    /// How far it has come; shared with the ledger.
    package let progress: EventProgress
    /// Whether it was admitted before a restart. Then the app's code hears of it once it is kept that its attempt has begun, so that
    /// code which ends the process is found out.
    let isRestored: Bool
    /// The number of the attempt that had begun before a restart; 0 if none had.
    let lastAttempt: Int
    /// What its attempts had done outside of their window before a restart.
    let effects: [KeptEffect]

    init(
        key: EventKey,
        ticket: Int,
        epoch: Int,
        work: EventWork,
        source: RouteSource,
        connection: Int?,
        progress: EventProgress,
        isRestored: Bool = false,
        lastAttempt: Int = 0,
        effects: [KeptEffect] = []
    ) {
        self.key = key
        self.ticket = ticket
        self.epoch = epoch
        self.work = work
        self.source = source
        self.connection = connection
        self.progress = progress
        self.isRestored = isRestored
        self.lastAttempt = lastAttempt
        self.effects = effects
    }

    /// An event of before a restart.
    convenience init(_ kept: KeptEvent, _ progress: EventProgress) {
        self.init(
            key: kept.key,
            ticket: kept.receipt.ticket ?? 0,
            epoch: kept.epoch,
            work: kept.work,
            source: kept.source,
            connection: kept.connection,
            progress: progress,
            isRestored: true,
            lastAttempt: kept.attempt,
            effects: kept.effects
        )
    }

    /// The event's ID.
    package var id: String { key.id }
}

/// The identity of an event: its sender's ID for it. The same ID from another sender is another event.
package struct EventKey: Hashable, Codable, Sendable {
    package let sender: String?
    package let id: String
}

/// What an admitted event asks for. ``EventDoor`` decides this from the manifest alone.
package enum EventWork: Hashable, Codable, Sendable {
    /// Show a destination, if the session allows it. `route` is the pattern of the route that matched the URL; `nil` if the
    /// request was typed already.
    case navigate(RouteRequest, route: String?)
    /// Silent: the event is delivered, and there is nothing to navigate.
    case deliver
    /// Something tapped that the app has handled: it is delivered, and there is nothing to navigate.
    case handled
    /// Silent, too: an action of a notification that is done in the background hands this intent to the app, for this user or
    /// (`nil`) anybody.
    case perform(Intent, user: String?)
    /// Silent, and heard of by the app's code in Swift, which may leave it to the manifest.
    indirect case hear(PushResponse, otherwise: EventWork)
    /// Something tapped that leads nowhere: it is delivered and then rejected, and the app's fallback is shown.
    case reject(reason: String)
    /// Find who takes an intent of the topmost screen, or of the screen or container of this name, which reports it by itself;
    /// and do what they answer.
    case bubble(Intent, from: String? = nil)
    /// Do what a gesture does.
    case gesture(Gesture)
    /// End a flow with the result that it reports.
    case finish(flow: String, FlowResult)

    /// The same, for this user if it wants to go somewhere; `nil` for anybody.
    func meant(for user: String?) -> EventWork {
        guard case .navigate(let request, let route) = self else { return self }
        return .navigate(request.meant(for: user), route: route)
    }

    /// About how many bytes of memory an event with this work takes until it has ended.
    var footprint: Int {
        let content =
            switch self {
            case .navigate(let request, _): request.destination.footprint + (request.user?.footprint ?? 0)
            case .perform, .bubble, .gesture, .finish: action?.footprint ?? 0
            case .hear(_, let work): APNsPayload.sizeLimit + work.footprint
            case .deliver, .handled, .reject: 0
            }
        return 1_024 + content
    }

    var isGesture: Bool {
        if case .gesture = self { true } else { false }
    }

    /// What somebody does in a window or with a notification; `nil` for what wants to be shown, or is nobody's doing.
    var action: SceneAction? {
        switch self {
        case .perform(let intent, _): .intent(intent)
        case .hear(_, let work): work.action
        case .bubble(let intent, let reporter): .intent(intent, from: reporter)
        case .gesture(let gesture): .gesture(gesture)
        case .finish(let flow, let result): .finishFlow(flow, result)
        case .navigate, .deliver, .handled, .reject: nil
        }
    }

    /// Where it wants to go; `nil` if it navigates nowhere or has to be asked.
    var destination: Destination? {
        if case .navigate(let request, _) = self { request.destination } else { nil }
    }

    /// The user whom it is for; `nil` for anybody.
    var addressee: String? {
        switch self {
        case .navigate(let request, _): request.user
        case .perform(_, let user): user
        case .hear(_, let work): work.addressee
        case .deliver, .handled, .reject, .bubble, .gesture, .finish: nil
        }
    }

    /// Whether it is somebody's doing (a tap from outside, or an act in the window), so that its window comes to the front
    /// whatever comes of it (<doc:Scenes#What-brings-a-window-to-the-front>).
    package var bringsForward: Bool {
        switch self {
        case .navigate, .handled, .reject, .gesture, .finish: true
        case .bubble(_, let reporter): reporter == nil
        case .deliver, .perform, .hear: false
        }
    }

    /// Whether it happened in the window.
    var isAct: Bool {
        switch self {
        case .bubble, .gesture, .finish: true
        case .navigate, .deliver, .handled, .perform, .hear, .reject: false
        }
    }

    /// Whether the app's code in Swift hears of it.
    var isHeard: Bool {
        if case .hear = self { true } else { false }
    }

    /// Whether the app has asked for a window that shows it.
    var isForRequestedWindow: Bool {
        if case .navigate(let request, _) = self { request.source == .internal } else { false }
    }

    /// Whether it belongs to who was signed in when it was admitted, because it can commit or somebody did what asked for it
    /// (<doc:TheSession#S8>).
    var isOwned: Bool { action != nil || isForRequestedWindow }
}
