internal import SceneNavigation

extension Record.Content {
    static func footprint(_ subject: Record.Subject, _ body: Record.Body) -> Int {
        512 + (subject.event?.footprint ?? 0) + body.footprint
    }
}

extension Record.Body {
    /// About how many bytes of memory its texts and lists take.
    fileprivate var footprint: Int {
        switch self {
        case .hostStarted(let start):
            start.app.footprint + start.manifestVersion.footprint + start.truths.footprint + start.facts.footprint
        case .hostQuiet, .hostStopped, .sceneActivation, .sceneDisconnected, .sceneDiscarded, .dispatchBegan, .gap,
            .windowLocked, .windowUnlocked:
            0
        case .hostSnapshot(let snapshot): snapshot.footprint
        case .hostRestarted(let restart): restart.host.footprint + 64 * restart.again.count
        case .kept(_, let json): json.footprint
        case .appSnapshot(let snapshot): snapshot.waiting.reduce(256) { $0 + $1.footprint }
        case .sceneSnapshot(let snapshot):
            (snapshot.waiting + snapshot.parked.map(\.event)).reduce(256 + snapshot.window.added) { $0 + $1.footprint }
        case .sceneConnected(_, _, _, let window): window.added
        case .eventAdmitted(let arrival): arrival.footprint
        case .dispatchResolved(let destination, _, let reason, _, _, let variant, let detail):
            (destination?.footprint ?? 0) + (reason?.footprint ?? 0) + (variant?.footprint ?? 0)
                + (detail?.footprint ?? 0)
        case .variantChosen(let user, let destination, let variant, _):
            (user?.footprint ?? 0) + destination.footprint + variant.footprint
        case .dispatchPlanned(let ops): ops.reduce(0) { $0 + 64 + $1.footprint }
        case .dispatchEnded(let outcome): outcome.reason?.footprint ?? 0
        case .navigationStep(let op, _, let window): op.footprint + window.added
        case .gateParked(_, let parameters, let destination, _): parameters.footprint + destination.footprint
        case .gateResumed(_, let destination, _): destination.footprint
        case .gateSuperseded(_, let destination, let by): destination.footprint + by.footprint
        case .gateAbandoned(_, let destination, let reason): destination.footprint + reason.footprint
        case .intentBubbled(let name, let chain, _, let answer, let error):
            name.footprint + chain.reduce(0) { $0 + $1.footprint } + (answer?.footprint ?? 0)
                + (error?.footprint ?? 0)
        case .windowRequested(.open(let destination, let configuration, _)):
            destination.footprint + (configuration?.footprint ?? 0)
        case .windowRequested(.close(let window)), .windowRequested(.refresh(let window)):
            window?.destination.footprint ?? 0
        case .sessionCommitted(let user, let origin, let truths, let facts):
            facts.reduce((user?.footprint ?? 0) + (origin.event?.footprint ?? 0) + truths.footprint) {
                $0 + $1.key.footprint + ($1.value?.footprint ?? 0)
            }
        case .sceneSwept(let removed): removed.reduce(0) { $0 + $1.destination.footprint + $1.reason.footprint }
        case .coordinatorAttached, .coordinatorDetached, .holdCaught, .holdReleased: 0
        case .manifestLoaded(let version, _, let truths): version.footprint + truths.footprint
        case .adapterSkipped(let adapter, let reason, _): adapter.footprint + reason.footprint
        case .violation(_, _, let detail): detail.footprint
        }
    }
}

extension Record.HostSnapshot {
    fileprivate var footprint: Int {
        truths.footprint + facts.footprint + scenes.reduce(256) { $0 + $1.footprint }
    }
}

extension Record.OpenEvent {
    fileprivate var footprint: Int {
        256 + event.footprint + (addressee?.footprint ?? 0) + (destination?.footprint ?? 0) + (action?.footprint ?? 0)
    }
}

extension Record.Arrival {
    fileprivate var footprint: Int {
        (name?.footprint ?? 0) + (addressee?.footprint ?? 0) + (options ?? []).reduce(0) { $0 + $1.footprint }
            + (destination?.footprint ?? 0)
            + (action?.footprint ?? 0)
    }
}

extension [Record.Truth] {
    fileprivate var footprint: Int { reduce(0) { $0 + $1.name.footprint + 8 } }
}

extension Record.Truths {
    fileprivate var footprint: Int { all.footprint + (stale ?? []).reduce(0) { $0 + $1.footprint } }
}
