// Whoever imports this module speaks these words too.
@_exported public import SceneVocabulary
public import StrictJSON

/// A typed place in the app.
public struct ClientDestination: Hashable, Sendable, CustomStringConvertible {
    public let id: String
    public let parameters: [String: String]

    public var description: String {
        guard !parameters.isEmpty else { return id }
        let list = parameters.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "\(id)(\(list.joined(separator: ", ")))"
    }

    init(_ reader: JSONReader) throws(JSONFieldError) {
        id = try reader["id"].text()
        parameters = try reader["parameters"].textMembers()
    }

    static func list(_ reader: JSONReader, _ key: String) throws(JSONFieldError) -> [ClientDestination] {
        var list: [ClientDestination] = []
        for element in try reader[key].elements() { list.append(try ClientDestination(element)) }
        return list
    }
}

/// What a window shows.
public struct ClientWindow: Hashable, Sendable {
    public let tabs: [Tab]
    public let selectedTab: String
    public let modals: [Modal]
    public let isTransitioning: Bool

    /// A tab with its push stack, root first.
    public struct Tab: Hashable, Sendable {
        public let id: String
        public let stack: [ClientDestination]
    }

    /// A presentation with its push stack, root first.
    public struct Modal: Hashable, Sendable {
        public let flow: String?
        public let style: String
        public let stack: [ClientDestination]
    }

    init(_ reader: JSONReader) throws(JSONFieldError) {
        var tabs: [Tab] = []
        for tab in try reader["tabs"].elements() {
            tabs.append(Tab(id: try tab["id"].text(), stack: try ClientDestination.list(tab, "stack")))
        }
        var modals: [Modal] = []
        for modal in try reader["modals"].elements() {
            let flow = try modal.optional("flow")?.text()
            modals.append(
                Modal(flow: flow, style: try modal["style"].text(), stack: try ClientDestination.list(modal, "stack"))
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
    public let id: String
    public let configuration: String
    public let activation: String
    public let isConnected: Bool
    public let admitted: Int
    public let settled: Int
    public let window: ClientWindow?
    public let coordinators: [String]
    /// The coordinators with their parents; empty where the daemon tells none.
    public let coordinatorTree: [Coordinator]
    public let parked: [Parked]
    public let revision: Int

    /// A flow's coordinator, and the flow it was started from, or `root`.
    public struct Coordinator: Hashable, Sendable {
        public let flow: String
        public let parent: String
    }

    /// An event that waits behind a precondition.
    public struct Parked: Hashable, Sendable {
        public let event: String
        public let precondition: String
        public let destination: ClientDestination
    }

    init(_ reader: JSONReader) throws(JSONFieldError) {
        reply = try reader.object()
        id = try reader["id"].text()
        configuration = try reader["configuration"].text()
        activation = try reader["activation"].text()
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
                    destination: try ClientDestination(try entry["destination"])
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
    public let event: String
    public let scene: String?
    public let ticket: Int?
    public let outcome: String
    public let reason: String?
    public let precondition: String?
    public let revision: Int
    public let window: ClientWindow?
    public let isDuplicate: Bool
    /// What was allowed in the event but probably not meant, each as `path: what`.
    public internal(set) var warnings: [String] = []

    init(_ reader: JSONReader) throws(JSONFieldError) {
        reply = try reader.object()
        func text(_ key: String) throws(JSONFieldError) -> String? {
            try reader.optional(key)?.text()
        }
        event = try reader["event"].text()
        scene = try text("scene")
        ticket = try reader.optional("ticket")?.integer()
        outcome = try reader["outcome"].text()
        reason = try text("reason")
        precondition = try text("precondition")
        revision = try reader["revision"].integer()
        window = try reader.optional("window").map(ClientWindow.init)
        isDuplicate = try reader["duplicate"].bool()
    }
}

/// The session at one revision.
public struct ClientSession: Hashable, Sendable {
    /// The daemon's words, with members that this client does not know.
    public let reply: JSONObject
    public let revision: Int
    public let epoch: Int
    public let user: String?
    public let facts: JSONObject

    init(_ reader: JSONReader) throws(JSONFieldError) {
        reply = try reader.object()
        revision = try reader["revision"].integer()
        epoch = try reader["epoch"].integer()
        user = try reader.optional("user")?.text()
        facts = try reader["facts"].object()
    }
}
