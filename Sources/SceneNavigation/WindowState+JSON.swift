internal import Basics
public import StrictJSON
internal import SceneRouting

extension WindowState {
    /// The window as it is saved: a `Window` of the socket API that is not in transition.
    public var json: JSONValue { JSONText.value { write(to: &$0) } }

    /// Writes ``json``, with the given `transitioning`.
    package func write(to json: inout JSONText, transitioning: Bool = false) {
        json.object { json in
            writeMembers(to: &json)
            json.member("transitioning", transitioning)
        }
    }

    /// Writes the members that say what the window shows.
    package func writeMembers(to json: inout JSONText) {
        json.name("tabs")
        json.array(tabs) { $1.write(to: &$0) }
        json.member("selectedTab", selectedTab)
        json.name("modals")
        json.array(modals) { $1.write(to: &$0) }
    }

    /// Reads a window that was saved as ``json``. If it was in transition, it is read as after the transition.
    ///
    /// The window need not fit any app: ``WindowRestoration`` finds out what an app can show of it.
    /// - Throws: `JSONFieldError` for another shape, a stack without screens, two tabs of the same name, or a selected tab
    ///   that is not there.
    public init(json: JSONValue) throws(JSONFieldError) {
        let reader = JSONReader(json)
        // Refuse members that this version does not know, rather than lose them silently.
        try reader.refuseMembers(besides: ["tabs", "selectedTab", "modals", "transitioning"])
        let tabs = try reader["tabs"].nonEmptyList(TabState.init)
        let selected = try reader["selectedTab"].nonEmptyText()
        var known: Set<ByteKey> = []
        for tab in tabs where !known.insert(ByteKey(tab.id)).inserted {
            throw try reader["tabs"].error("each tab once", found: "\(tab.id.quotedForMessage) more than once")
        }
        guard known.contains(ByteKey(selected)) else {
            throw try reader["selectedTab"].error(oneOf: tabs.map(\.id))
        }
        _ = try reader.optional("transitioning")?.bool()
        self.init(tabs: tabs, selectedTab: selected, modals: try reader["modals"].elements().map(ModalState.init))
    }
}

extension WindowOwner {
    package func write(to json: inout JSONText) {
        json.object { json in
            json.member("host", host)
            json.member("user", user)
            json.member("epoch", epoch)
        }
    }

    /// Reads whose a saved window is.
    /// - Throws: `JSONFieldError` for another shape, or a host or user that is no name.
    package init(json: JSONValue) throws(JSONFieldError) {
        let reader = JSONReader(json)
        try reader.refuseMembers(besides: ["host", "user", "epoch"])
        self.init(
            host: try reader["host"].name(),
            user: try reader.optional("user")?.name(),
            epoch: try reader["epoch"].integer(from: 0)
        )
    }
}

extension JSONReader {
    /// A name.
    fileprivate func name() throws(JSONFieldError) -> String {
        let text = try nonEmptyText()
        guard NameRule.allows(text) else { throw error(NameRule.expectation, found: text.quotedForMessage) }
        return text
    }
}

extension TabState {
    package func write(to json: inout JSONText) {
        json.object { json in
            json.member("id", id)
            json.member("stack", stack)
        }
    }

    fileprivate init(_ reader: JSONReader) throws(JSONFieldError) {
        try reader.refuseMembers(besides: ["id", "stack"])
        self.init(id: try reader["id"].nonEmptyText(), stack: try reader["stack"].nonEmptyList(Destination.init))
    }
}

extension ModalState {
    package func write(to json: inout JSONText) {
        json.object { json in
            json.member("flow", flow)
            json.member("style", style.rawValue)
            json.member("stack", stack)
        }
    }

    fileprivate init(_ reader: JSONReader) throws(JSONFieldError) {
        try reader.refuseMembers(besides: ["flow", "style", "stack"])
        self.init(
            flow: try reader.optional("flow")?.nonEmptyText(),
            style: try reader["style"].choice(),
            stack: try reader["stack"].nonEmptyList(Destination.init)
        )
    }
}

extension JSONReader {
    /// A list of at least one.
    fileprivate func nonEmptyList<Element>(
        _ read: (JSONReader) throws(JSONFieldError) -> Element
    ) throws(JSONFieldError) -> [Element] {
        let list = try elements().map(read)
        guard !list.isEmpty else { throw error("at least one element", found: "empty array") }
        return list
    }
}
