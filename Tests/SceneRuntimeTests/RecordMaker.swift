import SceneEntryPoints
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import Basics

/// Makes records of any kind, with and without each of their parts, and with texts that need escaping.
struct RecordMaker {
    var random: SplitMix
    let traits: DestinationTraits

    private static let texts = [
        "", "home", "product", "cart", "orders", "checkout", "a longer text that is on the heap", "quote \" and \\",
        "\u{7}\u{7F}\n\r\t", "é", "😀 and more", "\u{2028}",
    ]

    mutating func record(_ kind: RecordKind) -> Record {
        let subject = Record.Subject(
            scene: maybe { $0.text() },
            ticket: maybe { $0.number() },
            attempt: maybe { $0.number() },
            event: maybe { $0.text() },
            connection: maybe { $0.number() },
            revision: maybe { $0.number() },
            epoch: maybe { $0.number() }
        )
        let content = Record.Content(host: text(), subject: subject, body: body(kind))
        return Record(index: number(), time: .nanoseconds(number()), content)
    }

    private mutating func hostSnapshot() -> Record.HostSnapshot {
        Record.HostSnapshot(
            app: text(),
            manifestVersion: text(),
            manifest: text(),
            hasCode: chance(),
            appVersion: maybe { $0.text() },
            user: maybe { $0.text() },
            truths: truths(),
            facts: facts(),
            scenes: few { $0.text() }
        )
    }

    private mutating func body(_ kind: RecordKind) -> Record.Body {
        switch kind {
        case .hostStarted:
            .hostStarted(
                Record.Start(
                    app: text(),
                    manifestVersion: text(),
                    manifest: text(),
                    hasCode: chance(),
                    settings: settings(),
                    truths: truths().all,
                    facts: facts()
                )
            )
        case .hostQuiet: .hostQuiet
        case .hostStopped: .hostStopped
        case .hostSnapshot: .hostSnapshot(hostSnapshot())
        case .hostRestarted:
            .hostRestarted(
                Record.Restart(
                    host: hostSnapshot(),
                    again: few {
                        Record.Restart.Again(scene: $0.maybe { $0.text() }, ticket: $0.number(), attempt: $0.number())
                    }
                )
            )
        case .appSnapshot:
            .appSnapshot(Record.AppSnapshot(lastTicket: number(), waiting: few { Record.OpenEvent($0.event()) }))
        case .sceneSnapshot: .sceneSnapshot(sceneSnapshot())
        case .sceneConnected:
            .sceneConnected(configuration: text(), restored: chance(), given: chance(), window: window())
        case .sceneActivation: .sceneActivation(from: one(Activation.allCases), to: one(Activation.allCases))
        case .sceneDisconnected: .sceneDisconnected
        case .sceneDiscarded: .sceneDiscarded
        case .eventAdmitted: .eventAdmitted(arrival())
        case .dispatchBegan: .dispatchBegan(kind: one(DispatchKind.allCases))
        case .dispatchResolved:
            .dispatchResolved(
                destination: maybe { $0.destination() },
                verdict: one(RouteVerdict.allCases),
                reason: maybe { $0.text() },
                wall: maybe { Double($0.number()) / 8 },
                isOverCurrent: chance(),
                variant: maybe { $0.destination() },
                detail: maybe { $0.text() }
            )
        case .variantChosen:
            .variantChosen(
                user: maybe { $0.text() },
                destination: destination(),
                variant: destination(),
                wall: maybe { Double($0.number()) / 8 }
            )
        case .dispatchPlanned: .dispatchPlanned(ops: few { $0.op() })
        case .dispatchEnded: .dispatchEnded(outcome: outcome())
        case .navigationStep:
            .navigationStep(op: op(), cause: one(NavigationCause.allCases), window: window())
        case .gateParked:
            .gateParked(
                precondition: text(),
                parameters: destination().parameters,
                destination: destination(),
                flow: text()
            )
        case .gateResumed: .gateResumed(precondition: text(), destination: destination(), flow: maybe { $0.text() })
        case .gateSuperseded: .gateSuperseded(precondition: text(), destination: destination(), by: text())
        case .gateAbandoned: .gateAbandoned(precondition: text(), destination: destination(), reason: text())
        case .intentBubbled:
            .intentBubbled(
                name: text(),
                chain: few { $0.text() },
                handler: maybe { $0.text() },
                answer: maybe { $0.facts() },
                error: maybe { $0.text() }
            )
        case .windowLocked: .windowLocked(one(LockReason.allCases))
        case .windowUnlocked: .windowUnlocked(one(UnlockReason.allCases))
        case .windowRequested: .windowRequested(windowRequest())
        case .sessionCommitted:
            .sessionCommitted(
                user: maybe { $0.text() },
                origin: origin(),
                truths: truths(),
                facts: facts().mapValues { value in maybe { _ in value } }
            )
        case .sceneSwept:
            .sceneSwept(removed: few { Record.Removal(destination: $0.destination(), reason: $0.text()) })
        case .holdCaught:
            .holdCaught(hold: text(), point: one(HoldPoint.allCases), kind: one(DispatchKind.allCases))
        case .holdReleased: .holdReleased(hold: text())
        case .coordinatorAttached: .coordinatorAttached(flow: text(), parent: text(), inSwift: chance())
        case .coordinatorDetached: .coordinatorDetached(flow: text(), parent: text())
        case .manifestLoaded: .manifestLoaded(version: text(), manifest: text(), truths: truths())
        case .adapterSkipped: .adapterSkipped(adapter: text(), reason: text(), call: maybe { $0.number() })
        case .violation: .violation(rule: text(), cause: text(), detail: text())
        case .gap: .gap(count: number())
        }
    }

    // MARK: - Parts

    private mutating func one<Element>(_ elements: [Element]) -> Element { random.pick(elements) }

    private mutating func chance() -> Bool { Bool.random(using: &random) }

    private mutating func text() -> String { one(Self.texts) }

    private mutating func number() -> Int { one([0, 1, 9, 10, 1_234_567_890, .max, random.below(1_000_000)]) }

    private mutating func few<Element>(_ make: (inout RecordMaker) -> Element) -> [Element] {
        (0..<random.below(4)).map { _ in make(&self) }
    }

    private mutating func maybe<Value>(_ make: (inout RecordMaker) -> Value) -> Value? {
        chance() ? make(&self) : nil
    }

    private mutating func destination() -> Destination {
        let parameters = few { ($0.text(), $0.text()) }
        return Destination(id: text(), parameters: Dictionary(parameters) { first, _ in first })
    }

    private mutating func windowRequest() -> WindowRequest {
        let window = maybe { maker in
            NamedWindow(maker.destination(), scene: maker.maybe { $0.text() })
        }
        if chance() { return chance() ? .close(window) : .refresh(window) }
        let answer = maybe { WindowAnswer.opened(scene: $0.text()) } ?? .denied(one(WindowError.allCases))
        return .open(destination(), configuration: maybe { $0.text() }, answer)
    }

    private mutating func stack() -> [Destination] { few { $0.destination() } }

    private mutating func tab() -> TabState { TabState(id: text(), stack: stack()) }

    private mutating func modal() -> ModalState {
        ModalState(flow: maybe { $0.text() }, style: one(ModalStyle.allCases), stack: stack())
    }

    private mutating func window() -> Record.WindowRecord {
        let state = WindowState(tabs: few { $0.tab() }, selectedTab: text(), modals: few { $0.modal() })
        let owners = state.destinations.map { _ in text() }
        let shown = ShownWindow(state, coordinators: owners, in: random.below(9), after: nil)
        let personal = state.destinations.indices.filter { _ in chance() }
        return Record.WindowRecord(shown, personal: personal, traits: traits, added: shown.added)
    }

    private mutating func sceneSnapshot() -> Record.SceneSnapshot {
        Record.SceneSnapshot(
            configuration: text(),
            isConnected: chance(),
            activation: one(Activation.allCases),
            isLocked: chance(),
            window: window(),
            judgedIn: number(),
            coordinators: few {
                Record.AttachedCoordinator(flow: $0.text(), parent: $0.text(), inSwift: $0.chance())
            },
            lastTicket: number(),
            waiting: few { Record.OpenEvent($0.event()) },
            parked: few { maker in
                let event = maker.event()
                return Record.Parked(
                    ParkedIntent(
                        event: event,
                        request: RouteRequest(destination: maker.destination(), source: event.source),
                        variant: maker.maybe { $0.destination() },
                        gate: ParkedIntent.Gate(
                            precondition: maker.text(),
                            parameters: maker.destination().parameters,
                            flow: maker.text()
                        ),
                        user: maker.maybe { $0.text() },
                        epoch: maker.number(),
                        manifest: maker.text(),
                        attempt: maker.number()
                    )
                )
            },
            gateFlows: few { $0.text() },
            startedFlows: destination().parameters
        )
    }

    private mutating func event() -> AdmittedEvent {
        let work = work(RouteRequest(destination: destination(), source: .external, user: maybe { $0.text() }))
        let receipt = Receipt(
            event: text(),
            scene: text(),
            choice: nil,
            ticket: 1,
            outcome: .admitted,
            revision: 0,
            window: nil
        )
        return AdmittedEvent(
            key: EventKey(sender: nil, id: text()),
            ticket: number(),
            epoch: number(),
            work: work,
            source: one(RouteSource.allCases),
            connection: maybe { $0.number() },
            progress: EventProgress(receipt, bytes: 0)
        )
    }

    private mutating func work(_ request: RouteRequest) -> EventWork {
        let heard = [EventWork.deliver, .perform(intent(), user: maybe { $0.text() })]
        return one([
            .hear(PushResponse(payload: APNsPayload(aps: APS()), interaction: .silent), otherwise: one(heard)),
            .deliver, .reject(reason: text()), .perform(intent(), user: maybe { $0.text() }),
            .bubble(intent(), from: maybe { $0.text() }),
            .gesture(.back),
            .gesture(.selectTab(text())), .gesture(.swipeDown(cancelled: true)), .finish(flow: text(), .cancelled),
            .finish(flow: text(), .completed(completion())), .navigate(request, route: maybe { $0.text() }),
        ])
    }

    private mutating func intent() -> Intent {
        Intent(name: text(), parameters: Dictionary(few { ($0.text(), $0.text()) }) { first, _ in first })
    }

    private mutating func completion() -> FlowCompletion {
        FlowCompletion(
            user: maybe { $0.text() },
            facts: facts(),
            values: Dictionary(few { ($0.text(), $0.text()) }) { first, _ in first }
        )
    }

    private mutating func facts() -> [String: FactValue] {
        let all = few { maker in
            let value: FactValue = maker.one([
                .string(maker.text()), .integer(maker.number()), .number(0.5), .boolean(maker.chance()),
                .strings(maker.few { $0.text() }),
            ])
            return (maker.text(), value)
        }
        return Dictionary(all) { first, _ in first }
    }

    private mutating func truths() -> Record.Truths {
        let all = Set(few { $0.text() }).sorted().map { Record.Truth(name: $0, holds: chance()) }
        return Record.Truths(all: all, stale: maybe { _ in all.filter { !$0.holds }.map(\.name) })
    }

    private mutating func settings() -> HostSettings {
        HostSettings(
            mailboxCapacity: number(),
            transitionDuration: .milliseconds(random.below(1_000)),
            appVersion: maybe { $0.text() }
        )
    }

    private mutating func origin() -> CommitOrigin {
        CommitOrigin(scene: maybe { $0.text() }, event: maybe { $0.text() }, connection: maybe { $0.number() })
    }

    private mutating func arrival() -> Record.Arrival {
        let request = RouteRequest(
            destination: destination(),
            source: one(RouteSource.allCases),
            user: maybe { $0.text() }
        )
        return Record.Arrival(
            kind: text(),
            name: maybe { $0.text() },
            source: request.source,
            choice: maybe { $0.one(SceneChoice.allCases) },
            delivery: one(EventDelivery.allCases),
            options: maybe { $0.few { $0.text() } },
            draggedFrom: maybe { $0.text() },
            place: maybe { Record.SetPlace(place: $0.number(), count: $0.number(), given: $0.number()) },
            call: maybe { $0.number() },
            adapter: maybe { $0.text() },
            work: work(request)
        )
    }

    private mutating func outcome() -> Outcome {
        one([
            .admitted, .gated(precondition: text()), .applied, .unchanged, .delivered, .ignored(reason: text()),
            .rejected(reason: text()), .superseded(by: text()), .abandoned(reason: text()),
        ])
    }

    private mutating func op() -> NavOp {
        one([
            .dismissModals(keeping: number()), .selectTab(text()), .popTo(tab: text(), depth: number()),
            .push(tab: text(), destination()), .setStack(tab: text(), stack()),
            .update(tab: text(), depth: number(), destination()), .present(modal()),
            .setModalStack(index: number(), stack()), .updateModal(index: number(), depth: number(), destination()),
            .setRoot(few { $0.tab() }, selected: text()),
        ])
    }
}
