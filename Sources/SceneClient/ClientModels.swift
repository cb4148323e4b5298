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

    init(_ reader: ReplyReader) throws(UnexpectedReply) {
        id = try reader.string("id")
        parameters = try reader.texts("parameters")
    }

    static func list(_ reader: ReplyReader, _ key: String) throws(UnexpectedReply) -> [ClientDestination] {
        var list: [ClientDestination] = []
        for element in try reader.objects(key) { list.append(try ClientDestination(element)) }
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

    init(_ reader: ReplyReader) throws(UnexpectedReply) {
        var tabs: [Tab] = []
        for tab in try reader.objects("tabs") {
            tabs.append(Tab(id: try tab.string("id"), stack: try ClientDestination.list(tab, "stack")))
        }
        var modals: [Modal] = []
        for modal in try reader.objects("modals") {
            let flow = try modal.optional("flow") { reader, key throws(UnexpectedReply) in try reader.string(key) }
            modals.append(
                Modal(flow: flow, style: try modal.string("style"), stack: try ClientDestination.list(modal, "stack"))
            )
        }
        self.tabs = tabs
        self.modals = modals
        selectedTab = try reader.string("selectedTab")
        isTransitioning = try reader.boolean("transitioning")
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

    init(_ reader: ReplyReader) throws(UnexpectedReply) {
        reply = reader.object
        id = try reader.string("id")
        configuration = try reader.string("configuration")
        activation = try reader.string("activation")
        isConnected = try reader.boolean("connected")
        admitted = try reader.integer("admitted")
        settled = try reader.integer("settled")
        window = try reader.optional("window") { reader, key throws(UnexpectedReply) in
            try ClientWindow(try reader.object(key))
        }
        coordinators = try reader.strings("coordinators")
        var tree: [Coordinator] = []
        let entries = try reader.optional("coordinatorTree") { reader, key throws(UnexpectedReply) in
            try reader.objects(key)
        }
        for entry in entries ?? [] {
            tree.append(Coordinator(flow: try entry.string("flow"), parent: try entry.string("parent")))
        }
        coordinatorTree = tree
        var parked: [Parked] = []
        for entry in try reader.objects("parked") {
            parked.append(
                Parked(
                    event: try entry.string("event"),
                    precondition: try entry.string("precondition"),
                    destination: try ClientDestination(try entry.object("destination"))
                )
            )
        }
        self.parked = parked
        revision = try reader.integer("revision")
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

    init(_ reader: ReplyReader) throws(UnexpectedReply) {
        reply = reader.object
        func text(_ key: String) throws(UnexpectedReply) -> String? {
            try reader.optional(key) { reader, key throws(UnexpectedReply) in try reader.string(key) }
        }
        event = try reader.string("event")
        scene = try text("scene")
        ticket = try reader.optional("ticket") { reader, key throws(UnexpectedReply) in try reader.integer(key) }
        outcome = try reader.string("outcome")
        reason = try text("reason")
        precondition = try text("precondition")
        revision = try reader.integer("revision")
        window = try reader.optional("window") { reader, key throws(UnexpectedReply) in
            try ClientWindow(try reader.object(key))
        }
        isDuplicate = try reader.boolean("duplicate")
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

    init(_ reader: ReplyReader) throws(UnexpectedReply) {
        reply = reader.object
        revision = try reader.integer("revision")
        epoch = try reader.integer("epoch")
        user = try reader.optional("user") { reader, key throws(UnexpectedReply) in try reader.string(key) }
        facts = try reader.rawObject("facts")
    }
}
