import Basics
import SceneNavigation
import SceneRaces
import SceneRouting
import SceneRuntime

/// A small app whose code has a known mistake, or none.
struct Kiosk: Sendable {
    /// A mistake of the kind that teams make.
    enum Mistake: String, Sendable, CaseIterable {
        /// Looks whether the voucher was redeemed, and commits as if no other window could.
        case commitsTwice
        /// Saves what it has read before it awaited the server.
        case staleAfterAwait
        /// Goes on listening for a screen that is gone.
        case forgetsToDetach
    }

    /// What it waits for elsewhere, outside of the app's own actors.
    enum Server: Sendable {
        /// An answer that takes this many milliseconds.
        case answers(after: Int)
        /// Something that resumes whoever waits.
        case resumes(@Sendable (CheckedContinuation<Void, Never>) -> Void)
        /// Something that keeps the thread of whoever waits.
        case blocks(@Sendable () -> Void)

        func request() async {
            switch self {
            case .answers(let delay): try? await Task.sleep(for: .milliseconds(delay))
            case .blocks(let wait): wait()
            case .resumes(let resume): await withCheckedContinuation { resume($0) }
            }
        }
    }

    let mistake: Mistake?
    var server = Server.answers(after: 20)

    var code: AppCode {
        let news = News()
        return AppCode(
            coordinators: ["root": { KioskCoordinator(mistake: mistake, news: news) }],
            screens: { KioskScreens(scene: $0, mistake: mistake, server: server, news: news) },
            destinations: ["voucher"]
        )
    }

    /// The app as its races run it.
    static func app(_ mistake: Mistake?, server: Server = .answers(after: 20)) -> RaceApp {
        RaceApp(manifestFile: "Scenarios/kiosk.yaml", code: Kiosk(mistake: mistake, server: server).code)
    }
}

/// Who wants to hear what the kiosk publishes.
final class News: Sendable {
    private let listeners = Guarded<(next: Int, all: [Int: @Sendable () -> Void])>((0, [:]))

    func attach(_ listener: @escaping @Sendable () -> Void) -> Int {
        listeners.withLock { listeners in
            listeners.next += 1
            listeners.all[listeners.next] = listener
            return listeners.next
        }
    }

    func detach(_ number: Int) { listeners.withLock { $0.all[number] = nil } }

    func publish() {
        let all = listeners.withLock { $0.all }
        for number in all.keys.sorted() { all[number]?() }
    }
}

final class KioskCoordinator: FlowCoordinator {
    private let mistake: Kiosk.Mistake?
    private let news: News

    init(mistake: Kiosk.Mistake?, news: News) {
        self.mistake = mistake
        self.news = news
    }

    func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        let facts = context.session.facts
        switch intent.name {
        case "redeem":
            if mistake == .commitsTwice {
                if facts["redeemed"] == .boolean(true) { return [] }
                return [.session(.add(fact: "points", 10)), .session(.set(fact: "redeemed", .boolean(true)))]
            }
            return [.session(.set(fact: "points", .integer(10))), .session(.append(fact: "vouchers", "v1"))]
        case "balance": return [.answer(["points": facts["points"] ?? .integer(0)])]
        case "saved":
            guard let points = intent.parameters["points"].flatMap(Int.init) else {
                return [.session(.add(fact: "points", 1))]
            }
            return [.session(.set(fact: "points", .integer(points)))]
        case "publish":
            let news = news
            Task { news.publish() }
            return []
        case "heard": return [.session(.add(fact: "seen", 1))]
        default: return nil
        }
    }
}

final class KioskScreens: ScreenFactory {
    private let scene: SceneHandle
    private let mistake: Kiosk.Mistake?
    private let server: Kiosk.Server
    private let news: News

    init(scene: SceneHandle, mistake: Kiosk.Mistake?, server: Kiosk.Server, news: News) {
        self.scene = scene
        self.mistake = mistake
        self.server = server
        self.news = news
    }

    func makeScreen(for destination: Destination, flow: String) -> AnyObject {
        KioskScreen(scene: scene, mistake: mistake, server: server, news: news)
    }

    func update(_ screen: AnyObject, to destination: Destination) {}
}

final class KioskScreen: IntentResponder {
    private let scene: SceneHandle
    private let mistake: Kiosk.Mistake?
    private let server: Kiosk.Server
    private let news: News
    private let attached: Int

    init(scene: SceneHandle, mistake: Kiosk.Mistake?, server: Kiosk.Server, news: News) {
        self.scene = scene
        self.mistake = mistake
        self.server = server
        self.news = news
        attached = news.attach { _ = try? scene.report(Intent(name: "heard")) }
    }

    deinit {
        if mistake != .forgetsToDetach { news.detach(attached) }
    }

    func take(_ intent: Intent, from screen: Destination) throws -> Bool {
        guard intent.name == "visit" else { return false }
        let (scene, server, isStale) = (scene, server, mistake == .staleAfterAwait)
        Task(name: "visit of window \(scene.id)") {
            let before = try await scene.ask(Intent(name: "balance")).answer?["points"]
            await server.request()
            guard isStale, case .integer(let points)? = before else { return try scene.report(Intent(name: "saved")) }
            try scene.report(Intent(name: "saved", parameters: ["points": "\(points + 1)"]))
        }
        return true
    }
}
