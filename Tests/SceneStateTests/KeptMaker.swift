import Basics
import SceneEntryPoints
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import StrictJSON

/// Makes what a host hands over, with and without each of its parts, and with texts that need escaping.
struct KeptMaker {
    var random: SplitMix
    /// The index of the record that comes next.
    var nextRecord = 1
    /// How many scenes there were, and how many events.
    private var scenes = 0
    private var events = 0
    private var ticket = 0

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    private static let texts = [
        "", "home", "cart", "a longer text that is on the heap", "quote \" and \\", "\u{0}", "a\u{0}b", "\n\u{1F}", "é",
        "😀",
        "\u{2028}", "null", "%_'",
    ]

    // MARK: - Steps

    /// A step, about scenes and events that there may be, or may be no more.
    mutating func step() -> KeptStep {
        let changes = (0..<random.below(4)).map { _ in change() }
        return KeptStep(record: chance() ? record() : nil, changes: changes)
    }

    mutating func change() -> KeptChange {
        switch random.below(15) {
        case 0: .session(session())
        case 1, 2: .scene(scene(sceneID()))
        case 3: .sceneGone(id: sceneID())
        case 4, 5, 6: .event(event())
        case 7: .began(key(), attempt: 1 + random.below(5))
        case 8: .effect(key(), effect())
        case 9: .outcome(key(), receipt(text(), outcome()))
        case 10: .choice(user: maybe { $0.text() }, destination: text(), variant: text())
        case 11: .purpose(scene: sceneID(), destination())
        case 12: .unlocked(scene: sceneID())
        case 13: .closing(scene: sceneID())
        default: .manifest(manifest())
        }
    }

    mutating func record(scene: String? = nil, event: String? = nil) -> Record {
        defer { nextRecord += 1 }
        let subject = Record.Subject(
            scene: scene ?? maybe { $0.text() },
            ticket: maybe { $0.number() },
            event: event ?? maybe { $0.text() }
        )
        let bodies: [Record.Body] = [
            .hostQuiet, .sceneDiscarded, .dispatchEnded(outcome: outcome()),
            .gateAbandoned(precondition: text(), destination: destination(), reason: text()),
        ]
        let body = one(bodies)
        return Record(
            index: nextRecord,
            time: .nanoseconds(nextRecord * 1_000 + random.below(1_000)),
            Record.Content(host: "host", subject: subject, body: body)
        )
    }

    // MARK: - Parts of a host

    mutating func manifest() -> KeptManifest { KeptManifest(digest: text(), json: text()) }

    mutating func session() -> KeptSession {
        KeptSession(
            snapshot: snapshot(),
            deadlines: SessionDeadlines(stale: maybe { $0.duration() }, end: maybe { $0.duration() })
        )
    }

    mutating func scene(_ id: String) -> KeptScene {
        scenes += 1
        let owner: WindowOwner? = maybe { maker in
            let user: String? = maker.maybe { $0.text() }
            return WindowOwner(host: maker.text(), user: user, epoch: maker.number())
        }
        let gates: [(String, [String: String])] = few { ($0.text(), $0.texts()) }
        let gateFlows: [String] = few { $0.text() }
        let parked: [KeptParked] = few { $0.parked() }
        return KeptScene(
            id: id,
            number: scenes,
            configuration: text(),
            isConnected: chance(),
            activation: one(Activation.allCases),
            lastActive: number(),
            isLocked: chance(),
            window: window(),
            shownSince: few { $0.number() },
            ownership: WindowOwnership(of: window(), by: owner),
            startedFlows: texts(),
            gateFlows: Set(gateFlows),
            servedGates: Dictionary(gates) { first, _ in first },
            parked: parked,
            settled: number()
        )
    }

    /// An event that was just admitted, or has done something already.
    mutating func event(
        _ key: EventKey? = nil,
        scene: String?? = nil,
        outcome: Outcome? = nil
    ) -> KeptEvent {
        ticket += 1
        let isMade = chance()
        if isMade { events += 1 }
        let key = key ?? (isMade ? EventKey(sender: nil, id: "auto-\(events)") : self.key())
        var event = KeptEvent(
            key: key,
            isKeyMade: isMade,
            contentHash: random.next(),
            epoch: number(),
            work: work(),
            source: one(RouteSource.allCases),
            connection: maybe { $0.number() },
            receipt: receipt(key.id, outcome ?? (chance() ? .admitted : self.outcome()), scene: scene)
        )
        if chance() { event.attempt = random.below(3) }
        if chance() { event.effects = few { $0.effect() } }
        return event
    }

    mutating func receipt(_ event: String, _ outcome: Outcome, scene: String?? = nil) -> Receipt {
        Receipt(
            event: event,
            scene: scene ?? maybe { $0.sceneID() },
            choice: maybe { $0.one(SceneChoice.allCases) },
            ticket: chance() ? ticket : nil,
            outcome: outcome,
            revision: number(),
            window: maybe { $0.window() },
            answer: maybe { $0.facts() },
            windows: few { $0.answer() },
            isDuplicate: chance()
        )
    }

    mutating func effect() -> KeptEffect {
        switch random.below(3) {
        case 0: .commit(epoch: number(), number: maybe { $0.number() })
        case 1: .window(answer())
        default: .taken(chain: few { $0.text() }, few { $0.command() })
        }
    }

    mutating func key() -> EventKey { EventKey(sender: maybe { $0.text() }, id: text()) }

    mutating func outcome() -> Outcome {
        let all: [Outcome] = [
            .admitted, .gated(precondition: text()), .applied, .unchanged, .delivered, .ignored(reason: text()),
            .rejected(reason: text()), .superseded(by: text()), .abandoned(reason: text()),
        ]
        return one(all)
    }

    // MARK: - Their parts

    private mutating func one<Element>(_ elements: [Element]) -> Element { random.pick(elements) }
    private mutating func chance() -> Bool { Bool.random(using: &random) }
    private mutating func text() -> String { one(Self.texts) }
    private mutating func number() -> Int { one([0, 1, 9, .max, .min, random.below(1_000_000)]) }
    private mutating func duration() -> Duration { .nanoseconds(random.below(1 << 40)) }
    private mutating func sceneID() -> String { one(["scene-1", "scene-2", "scene-30", "scene-x", "main", text()]) }

    private mutating func few<Element>(_ make: (inout KeptMaker) -> Element) -> [Element] {
        (0..<random.below(3)).map { _ in make(&self) }
    }

    private mutating func maybe<Value>(_ make: (inout KeptMaker) -> Value) -> Value? {
        chance() ? make(&self) : nil
    }

    private mutating func texts() -> [String: String] {
        Dictionary(few { ($0.text(), $0.text()) }) { first, _ in first }
    }

    private mutating func destination() -> Destination { Destination(id: text(), parameters: texts()) }

    private mutating func stack() -> [Destination] { few { $0.destination() } }

    private mutating func window() -> WindowState {
        let tabs: [TabState] = few { TabState(id: $0.text(), stack: $0.stack()) }
        let modals: [ModalState] = few { maker in
            let flow: String? = maker.maybe { $0.text() }
            return ModalState(flow: flow, style: maker.one(ModalStyle.allCases), stack: maker.stack())
        }
        return WindowState(tabs: tabs, selectedTab: text(), modals: modals)
    }

    private mutating func snapshot() -> SessionSnapshot {
        SessionSnapshot(
            revision: number(),
            epoch: number(),
            user: maybe { $0.text() },
            isStale: chance(),
            facts: facts()
        )
    }

    private mutating func facts() -> [String: FactValue] {
        let all: [(String, FactValue)] = few { ($0.text(), $0.fact()) }
        return Dictionary(all) { first, _ in first }
    }

    private mutating func fact() -> FactValue {
        switch random.below(6) {
        case 0: .string(text())
        case 1: .integer(number())
        case 2: .number(0.1)
        case 3: .number(-1e300)
        case 4: .boolean(chance())
        default: .strings(few { $0.text() })
        }
    }

    private mutating func parked() -> KeptParked {
        KeptParked(
            event: key(),
            request: request(),
            variant: maybe { $0.destination() },
            gate: ParkedIntent.Gate(precondition: text(), parameters: texts(), flow: text()),
            user: maybe { $0.text() },
            epoch: number(),
            manifest: text(),
            attempt: number(),
            completion: maybe { ParkedIntent.Completion(snapshot: $0.snapshot(), isUnsatisfied: $0.chance()) },
            isResumed: chance() ? true : nil
        )
    }

    private mutating func request() -> RouteRequest {
        RouteRequest(destination: destination(), source: one(RouteSource.allCases), user: maybe { $0.text() })
    }

    private mutating func intent() -> Intent { Intent(name: text(), parameters: texts()) }

    private mutating func work() -> EventWork {
        switch random.below(10) {
        case 0: return .navigate(request(), route: maybe { $0.text() })
        case 1: return .deliver
        case 2: return .handled
        case 3: return .perform(intent(), user: maybe { $0.text() })
        case 4:
            let custom: JSONObject = ["member": .array([.string(text()), .number(0.5)])]
            let push = PushResponse(payload: APNsPayload(aps: APS(), custom: custom), interaction: .silent)
            return .hear(push, otherwise: .perform(intent(), user: nil))
        case 5: return .reject(reason: text())
        case 6: return .bubble(intent(), from: maybe { $0.text() })
        case 7: return .gesture(chance() ? .selectTab(text()) : .swipeDown(cancelled: true))
        case 8: return .finish(flow: text(), .cancelled)
        default:
            let user: String? = maybe { $0.text() }
            return .finish(flow: text(), .completed(FlowCompletion(user: user, facts: facts(), values: texts())))
        }
    }

    private mutating func command() -> FlowCommand {
        switch random.below(4) {
        case 0: .route(destination())
        case 1: .session(.set(fact: text(), fact()))
        case 2: .openWindow(destination(), configuration: maybe { $0.text() })
        default: .closeWindow
        }
    }

    private mutating func answer() -> WindowAnswer {
        chance() ? .opened(scene: text()) : .denied(one(WindowError.allCases))
    }
}
