import Glibc
import SceneDaemon
import SceneDaemonRaces
import SceneEntryPoints
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON

/// A daemon whose code does what code should not: it traps, and does not return. `PROBE_MISFIT` names what does not fit the manifest.
@main
struct CodeProbe: RacingApp {
    static let manifest = ManifestSource.text(
        """
        format: 2
        version: "1"
        name: Probe
        schemes: [probe]
        tabs: { home: home }
        destinations:
          home: { tab: home, routes: ["probe://home"] }
          page: { ancestry: [home], routes: ["probe://page"] }
        flows:
          checkout: { screens: [till] }
        intents:
          trapped: {}
          counted: {}
          trappedAfterCount: {}
          waited: { parameters: { until: { type: string } } }
        facts: { unread: { type: integer, default: 0 }, seen: { type: strings, default: [] } }
        notificationCategories:
          CHAT_MESSAGE:
            customDismissAction: true
            actions: { READ: {} }
        adapters:
          - { name: declared, kinds: [shortcut], destination: page }
        """,
        name: "probe.yaml"
    )

    static var code: AppCode {
        AppCode(
            coordinators: [
                "root": { ProbeRoot() }, misfit == "flow" ? "chekout" : "checkout": { ProbeCheckout() },
            ],
            notifications: ProbeInbox(categories: [misfit == "category" ? "CHAT" : "CHAT_MESSAGE"]),
            destinations: ["page", misfit == "destination" ? "tiil" : "till"]
        )
    }

    static var adapters: [any EntryPointAdapter] {
        [WaitingAdapter(name: misfit == "adapter" ? "declared" : "waiting")]
    }

    static let version = "2.3.1"
    static let scenarios = ScenarioFolder("Scenarios")

    private static let misfit = getenv("PROBE_MISFIT").map { String(cString: $0) }
}

final class ProbeRoot: FlowCoordinator {
    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        switch intent.name {
        case "trapped": [.route(Destination(id: choose(from: context.screens.map(\.id))))]
        case "counted":
            // A mistake: another window may count between this look and the commit.
            [.session(.set(fact: "unread", .integer(count(in: context) + 1)))]
        case "trappedAfterCount": count(in: context) == 0 ? [] : [.route(Destination(id: choose(from: [])))]
        case "waited":
            waitForWriter(of: intent.parameters["until"] ?? "") ? [.route(Destination(id: "page"))] : []
        default: nil
        }
    }

    private func count(in context: FlowContext) -> Int {
        if case .integer(let count)? = context.session.facts["unread"] { count } else { 0 }
    }

    /// The mistake that the test looks for in the backtrace.
    private func choose(from screens: [String]) -> String { screens[screens.count] }
}

final class ProbeCheckout: FlowCoordinator {}

/// Counts what comes, opens a window for a message that is read, and closes it for one that is dismissed.
struct ProbeInbox: NotificationCoordinator {
    let categories: Set<String>

    func willPresent(_ push: PushResponse, session: RoutingContext) -> [AppCommand]? {
        [.session(.append(fact: "seen", push.payload.custom["message"]?.stringValue ?? ""))]
    }

    func didReceive(_ response: PushResponse, session: RoutingContext) -> [AppCommand]? {
        switch response.interaction {
        case .dismiss: [.closeWindows(for: Destination(id: "page"))]
        default: [.session(.set(fact: "unread", .integer(0))), .openWindow(Destination(id: "page"))]
        }
    }

    func didReceiveRemoteNotification(_ push: PushResponse, session: RoutingContext) -> [AppCommand]? {
        push.payload.custom["signOut"] == nil ? [.session(.add(fact: "unread", 1))] : [.session(.signOut)]
    }
}

/// Answers pushes when the FIFO that they name has a writer.
struct WaitingAdapter: EntryPointAdapter {
    let name: String
    let kinds: Set<EntryKind> = [.push]

    func adapt(_ event: EntryEvent) -> AdapterAnswer {
        guard case .push(let push) = event.content, let path = push.payload.custom["until"]?.stringValue else {
            return .declined(reason: "payload.until is absent")
        }
        return waitForWriter(of: path)
            ? .request(.destination(Destination(id: "page"))) : .refused(reason: "there is no FIFO \(path)")
    }
}

/// Blocks the thread until somebody opens the FIFO for writing.
private func waitForWriter(of path: String) -> Bool {
    let descriptor = open(path, O_RDONLY)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
}
