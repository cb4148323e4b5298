// The vocabulary is part of this module's API.
@_exported public import SceneVocabulary
public import StrictJSON

extension Destination {
    init(_ reader: JSONReader) throws(JSONFieldError) {
        self.init(id: try reader["id"].text(), parameters: try reader["parameters"].textMembers())
    }

    /// The destination in an object; `nil` if it is not one.
    package init?(reading object: JSONObject) { try? self.init(JSONReader(object)) }

    fileprivate static func list(_ reader: JSONReader, _ key: String) throws(JSONFieldError) -> [Destination] {
        var list: [Destination] = []
        for element in try reader[key].elements() { list.append(try Destination(element)) }
        return list
    }
}

/// A word that the daemon sent: one that this client knows, or another one, from a newer daemon.
public enum ClientWord<Known: RawRepresentable<String> & Hashable & Sendable>: Hashable, Sendable {
    /// A word of the vocabulary.
    case known(Known)
    /// A word that this client does not know, as the daemon wrote it.
    case other(String)

    init(_ text: String) { self = Known(rawValue: text).map(Self.known) ?? .other(text) }

    /// The word, if this client knows it.
    public var known: Known? { if case .known(let known) = self { known } else { nil } }

    /// Whether the daemon sent this word.
    public static func == (word: Self, known: Known) -> Bool { word.known == known }

    /// Whether the daemon sent any other word.
    public static func != (word: Self, known: Known) -> Bool { word.known != known }
}

extension ClientWord: CustomStringConvertible {
    /// The word as the daemon wrote it.
    public var description: String {
        switch self {
        case .known(let known): known.rawValue
        case .other(let text): text
        }
    }
}

/// What a window shows.
public struct ClientWindow: Hashable, Sendable {
    /// The tabs in the order shown, each with its push stack.
    public let tabs: [TabState]
    /// The ID of the tab in front.
    public let selectedTab: String
    /// The presentations, bottom first.
    public let modals: [Modal]
    /// Whether a transition is being shown; always `false` in a record, which does not say.
    public let isTransitioning: Bool

    /// A presentation with its push stack.
    public struct Modal: Hashable, Sendable {
        /// The flow whose coordinator owns it, if any.
        public let flow: String?
        /// How it covers what is below it.
        public let style: ClientWord<ModalStyle>
        /// The screens on its push stack, root first.
        public let stack: [Destination]
    }

    /// A window as the socket API writes it.
    package init(_ reader: JSONReader) throws(JSONFieldError) {
        var tabs: [TabState] = []
        for tab in try reader["tabs"].elements() {
            tabs.append(TabState(id: try tab["id"].text(), stack: try Destination.list(tab, "stack")))
        }
        var modals: [Modal] = []
        for modal in try reader["modals"].elements() {
            modals.append(
                Modal(
                    flow: try modal.optional("flow")?.text(),
                    style: ClientWord(try modal["style"].text()),
                    stack: try Destination.list(modal, "stack")
                )
            )
        }
        self.tabs = tabs
        self.modals = modals
        selectedTab = try reader["selectedTab"].text()
        isTransitioning = try reader.optional("transitioning")?.bool() ?? false
    }
}

/// A scene: one window and the events sent to it.
public struct ClientScene: Hashable, Sendable {
    /// The daemon's reply, including members that this client does not know.
    public let reply: JSONObject
    /// The scene's ID.
    public let id: String
    /// The name of the scene configuration with which it was opened.
    public let configuration: String
    /// The activation state.
    public let activation: ClientWord<Activation>
    /// Whether the scene has a window.
    public let isConnected: Bool
    /// Whether the window is locked, or will be when it comes back; `false` if the daemon does not say so.
    public let isLocked: Bool
    /// How many events the scene has admitted.
    public let admitted: Int
    /// How many of the admitted events have ended their first attempt.
    public let settled: Int
    /// What the scene shows; `nil` while it is not connected.
    public let window: ClientWindow?
    /// The flows that have a coordinator.
    public let coordinators: [String]
    /// The coordinators with their parents; empty if the daemon sends none.
    public let coordinatorTree: [Coordinator]
    /// The events that wait for a precondition.
    public let parked: [Parked]
    /// The latest session revision that the scene has seen.
    public let revision: Int

    /// A flow's coordinator.
    public struct Coordinator: Hashable, Sendable {
        /// The flow.
        public let flow: String
        /// The flow that it was started from, or `root`.
        public let parent: String
    }

    /// An event that waits for a precondition.
    public struct Parked: Hashable, Sendable {
        /// The event's ID.
        public let event: String
        /// The name of the precondition.
        public let precondition: String
        /// The values of the parameters that the precondition looks at; none if it looks at none.
        public let parameters: [String: String]
        /// What is waited for, as text: `signedIn`, `checkedIn(trip: t7)`.
        public var need: String { Destination(id: precondition, parameters: parameters).description }
        /// Where the event leads once the precondition holds.
        public let destination: Destination
    }

    init(_ reader: JSONReader) throws(JSONFieldError) {
        reply = try reader.object()
        id = try reader["id"].text()
        configuration = try reader["configuration"].text()
        activation = ClientWord(try reader["activation"].text())
        isConnected = try reader["connected"].bool()
        isLocked = try reader.optional("locked")?.bool() ?? false
        admitted = try reader["admitted"].integer()
        settled = try reader["settled"].integer()
        window = try reader.optional("window").map(ClientWindow.init)
        coordinators = try reader["coordinators"].texts()
        var tree: [Coordinator] = []
        let entries = try reader.optional("coordinatorTree")?.elements()
        for entry in entries ?? [] {
            tree.append(Coordinator(flow: try entry["flow"].text(), parent: try entry["parent"].text()))
        }
        coordinatorTree = tree
        var parked: [Parked] = []
        for entry in try reader["parked"].elements() {
            parked.append(
                Parked(
                    event: try entry["event"].text(),
                    precondition: try entry["precondition"].text(),
                    parameters: try entry.optional("parameters")?.textMembers() ?? [:],
                    destination: try Destination(entry["destination"])
                )
            )
        }
        self.parked = parked
        revision = try reader["revision"].integer()
    }
}

/// What has become of an event so far.
public struct ClientReceipt: Hashable, Sendable {
    /// The daemon's reply, including members that this client does not know.
    public let reply: JSONObject
    /// The event's ID: the sender's, or one that the daemon made.
    public let event: String
    /// The scene that took the event.
    public let scene: String?
    /// Why that scene; `nil` if the app itself took the event, and from an older daemon.
    public let choice: ClientWord<SceneChoice>?
    /// The event's place in the order of that scene, from 1.
    public let ticket: Int?
    /// The outcome so far.
    public let outcome: ClientWord<OutcomeName>
    /// The reason, if the outcome has one.
    public let reason: String?
    /// The precondition that the event waits for.
    public let precondition: String?
    /// The session's revision when the event was last resolved.
    public let revision: Int
    /// The window when the event's last attempt ended.
    public let window: ClientWindow?
    /// What the coordinator that took an intent answered, by name; `nil` for no answer.
    public let answer: JSONObject?
    /// The windows that the event asked for, in the order asked.
    public let windows: [Requested]
    /// Whether an event with this ID had been sent before, so that nothing was done now.
    public let isDuplicate: Bool
    /// What is allowed in the event but probably a mistake, each as `path: problem`.
    public internal(set) var warnings: [String] = []

    /// A window that the app asked for.
    public struct Requested: Hashable, Sendable {
        /// The ID of its scene; `nil` if there is none.
        public let scene: String?
        /// Why there is none.
        public let error: ClientWord<WindowError>?
    }

    init(_ reader: JSONReader) throws(JSONFieldError) {
        reply = try reader.object()
        event = try reader["event"].text()
        scene = try reader.optional("scene")?.text()
        choice = try reader.optional("choice").map { choice throws(JSONFieldError) in ClientWord(try choice.text()) }
        ticket = try reader.optional("ticket")?.integer()
        outcome = ClientWord(try reader["outcome"].text())
        reason = try reader.optional("reason")?.text()
        precondition = try reader.optional("precondition")?.text()
        revision = try reader["revision"].integer()
        window = try reader.optional("window").map(ClientWindow.init)
        answer = try reader.optional("answer")?.object()
        windows = try (reader.optional("windows")?.elements() ?? []).map { window throws(JSONFieldError) in
            Requested(
                scene: try window.optional("scene")?.text(),
                error: try window.optional("error").map { error throws(JSONFieldError) in ClientWord(try error.text()) }
            )
        }
        isDuplicate = try reader["duplicate"].bool()
    }
}

/// The session at one revision.
public struct ClientSession: Hashable, Sendable {
    /// The daemon's reply, including members that this client does not know.
    public let reply: JSONObject
    /// How many commits there have been.
    public let revision: Int
    /// How many times a user has left.
    public let epoch: Int
    /// The user who is signed in; `nil` for nobody.
    public let user: String?
    /// Whether the sign-in is stale, so that gates that need a fresh one are closed.
    public let isStale: Bool
    /// The values of the app's facts, by name.
    public let facts: JSONObject

    init(_ reader: JSONReader) throws(JSONFieldError) {
        reply = try reader.object()
        revision = try reader["revision"].integer()
        epoch = try reader["epoch"].integer()
        user = try reader.optional("user")?.text()
        isStale = try reader.optional("stale")?.bool() ?? false
        facts = try reader["facts"].object()
    }
}
