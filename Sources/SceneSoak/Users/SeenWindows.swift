internal import Basics
internal import SceneClient
internal import SceneVocabulary
internal import StrictJSON

/// What windows show, as far as replies have said: the newest receipt of each scene that has a window.
///
/// Users look at it, as people look at a screen. It may be out of date, because other users share the session; what a user does
/// then is late, and the daemon has to say so.
final class SeenWindows: Sendable {
    private let windows = Guarded<[String: JSONObject]>([:])

    /// Notes what the reply to a call says.
    func note(_ reply: JSONObject) {
        // The receipts of a set are in the order in which its URLs were given, and the newest has the highest ticket.
        let receipts = (reply["receipts"]?.arrayValue ?? []).sorted { $0.ticket < $1.ticket }
        for receipt in receipts + [reply["receipt"]].compactMap(\.self) {
            guard let scene = receipt["scene"]?.stringValue, let window = receipt["window"]?.objectValue else {
                continue
            }
            windows.withLock { $0[scene] = window }
        }
    }

    /// Looks at all windows, as `Scenes.List` answers them.
    func look(at scenes: [JSONValue]) {
        let shown = scenes.compactMap { scene in
            if let id = scene["id"]?.stringValue, let window = scene["window"]?.objectValue {
                (id, window)
            } else {
                nil
            }
        }
        windows.withLock { $0 = Dictionary(shown) { first, _ in first } }
    }

    /// Forgets a window that is no more.
    func forget(_ scene: String) { windows.withLock { $0[scene] = nil } }

    /// The window of a scene; `nil` if no reply has said what it shows.
    func window(of scene: String) -> SeenWindow? {
        guard let window = windows.withLock({ $0[scene] }) else { return nil }
        return (try? ClientWindow(JSONReader(window))).flatMap(SeenWindow.init)
    }
}

extension JSONValue {
    /// The ticket of a receipt; 0 if it has none.
    fileprivate var ticket: Int { self["ticket"]?.integerValue ?? 0 }
}

/// A window as a person sees it.
struct SeenWindow: Hashable {
    /// The screen in front.
    let topmost: Destination
    /// The screens that others cover, also in tabs that are not selected.
    let covered: [Destination]
    /// The flows that are presented, the topmost last.
    let flows: [String]
    /// The flow that the screen in front is presented by, if any.
    let flowInFront: String?
    /// The tabs; of a root flow there is one.
    let tabs: [String]

    /// `nil` if the window has no screen.
    init?(_ window: ClientWindow) {
        let stack = window.modals.last?.stack ?? window.tabs.first { $0.id == window.selectedTab }?.stack
        guard let topmost = stack?.last else { return nil }
        self.topmost = topmost
        let all = window.tabs.flatMap(\.stack) + window.modals.flatMap(\.stack)
        covered = all.filter { $0 != topmost }
        flows = window.modals.compactMap(\.flow)
        flowInFront = window.modals.last?.flow
        tabs = window.tabs.map(\.id)
    }
}
