// Whoever imports this module speaks these words too.
@_exported public import SceneVocabulary
public import StrictJSON

extension Destination {
    init(_ reader: JSONReader) throws(JSONFieldError) {
        self.init(id: try reader["id"].text(), parameters: try reader["parameters"].textMembers())
    }

    /// The destination that an object tells of; `nil` where it is none.
    init?(told object: JSONObject) { try? self.init(JSONReader(object)) }

    fileprivate static func list(_ reader: JSONReader, _ key: String) throws(JSONFieldError) -> [Destination] {
        var list: [Destination] = []
        for element in try reader[key].elements() { list.append(try Destination(element)) }
        return list
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
    /// Whether a transition is being shown.
    public let isTransitioning: Bool

    /// A presentation with its push stack, root first.
    public struct Modal: Hashable, Sendable {
        /// The flow whose coordinator owns it, if any.
        public let flow: String?
        /// How it covers what is below it.
        public let style: ClientWord<ModalStyle>
        /// Root first.
        public let stack: [Destination]
    }

    init(_ reader: JSONReader) throws(JSONFieldError) {
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
        isTransitioning = try reader["transitioning"].bool()
    }
}

/// One window's session.
public struct ClientScene: Hashable, Sendable {
    /// The daemon's words, with members that this client does not know.
    public let reply: JSONObject
    /// The scene's ID.
    public let id: String
    /// The scene configuration that it was opened with.
    public let configuration: String
    /// How active it is.
    public let activation: ClientWord<Activation>
    /// Whether it has a window.
    public let isConnected: Bool
    /// How many events it has admitted.
    public let admitted: Int
    /// Of how many of them the first attempt has ended.
    public let settled: Int
    /// What it shows; `nil` while it is not connected.
    public let window: ClientWindow?
    /// The flows that have a coordinator.
    public let coordinators: [String]
    /// The coordinators with their parents; empty where the daemon tells none.
    public let coordinatorTree: [Coordinator]
    /// The events that wait behind a precondition.
    public let parked: [Parked]
    /// The session's revision that the scene has seen.
    public let revision: Int

    /// A flow's coordinator, and the flow it was started from, or `root`.
    public struct Coordinator: Hashable, Sendable {
        /// The flow.
        public let flow: String
        /// The flow that it was started from, or `root`.
        public let parent: String
    }

    /// An event that waits behind a precondition.
    public struct Parked: Hashable, Sendable {
        /// The event's ID.
        public let event: String
        /// What it waits for.
        public let precondition: String
        /// Where it wants to go.
        public let destination: Destination
    }

    init(_ reader: JSONReader) throws(JSONFieldError) {
        reply = try reader.object()
        id = try reader["id"].text()
        configuration = try reader["configuration"].text()
        activation = ClientWord(try reader["activation"].text())
        isConnected = try reader["connected"].bool()
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
                    destination: try Destination(entry["destination"])
                )
            )
        }
        self.parked = parked
        revision = try reader["revision"].integer()
    }
}

/// What became of an event so far.
public struct ClientReceipt: Hashable, Sendable {
    /// The daemon's words, with members that this client does not know.
    public let reply: JSONObject
    /// The event's ID, the sender's or one that the daemon made.
    public let event: String
    /// The scene that took it.
    public let scene: String?
    /// Its place in the order of that scene.
    public let ticket: Int?
    /// How it ended, or where it stands.
    public let outcome: ClientWord<OutcomeName>
    /// Why, where the outcome does not say everything.
    public let reason: String?
    /// The precondition that it waits for.
    public let precondition: String?
    /// The session's revision at its last resolution.
    public let revision: Int
    /// The window when its last attempt ended.
    public let window: ClientWindow?
    /// Whether the event had been there before and nothing was done now.
    public let isDuplicate: Bool
    /// What was allowed in the event but probably not meant, each as `path: what`.
    public internal(set) var warnings: [String] = []

    init(_ reader: JSONReader) throws(JSONFieldError) {
        reply = try reader.object()
        event = try reader["event"].text()
        scene = try reader.optional("scene")?.text()
        ticket = try reader.optional("ticket")?.integer()
        outcome = ClientWord(try reader["outcome"].text())
        reason = try reader.optional("reason")?.text()
        precondition = try reader.optional("precondition")?.text()
        revision = try reader["revision"].integer()
        window = try reader.optional("window").map(ClientWindow.init)
        isDuplicate = try reader["duplicate"].bool()
    }
}

/// The session at one revision.
public struct ClientSession: Hashable, Sendable {
    /// The daemon's words, with members that this client does not know.
    public let reply: JSONObject
    /// How many commits there have been.
    public let revision: Int
    /// How often the user has changed.
    public let epoch: Int
    /// Who is signed in.
    public let user: String?
    /// The facts by name.
    public let facts: JSONObject

    init(_ reader: JSONReader) throws(JSONFieldError) {
        reply = try reader.object()
        revision = try reader["revision"].integer()
        epoch = try reader["epoch"].integer()
        user = try reader.optional("user")?.text()
        facts = try reader["facts"].object()
    }
}
