public import StrictJSON
internal import SceneRouting

extension WindowState {
    /// The window as it is saved: the shape `Window` of the socket API, at rest.
    public var json: JSONValue { json(transitioning: false) }

    /// The shape `Window` of the socket API.
    public func json(transitioning: Bool) -> JSONValue {
        [
            "tabs": .array(tabs.map(\.json)), "selectedTab": .string(selectedTab), "modals": .array(modals.map(\.json)),
            "transitioning": .bool(transitioning),
        ]
    }

    /// Reads a window of that shape. A transition is not restored: what it led to is.
    ///
    /// It need not fit any app; ``WindowRestoration`` says what of it one may show.
    /// - Throws: ``WindowFormatError`` for another shape, also for a stack without screens, two tabs of one name and a
    ///   selected tab that is not there.
    public init(json: JSONValue) throws(WindowFormatError) {
        let reader = try WindowReader(json)
        try reader.allow(["tabs", "selectedTab", "modals", "transitioning"])
        let tabs = try reader.nonEmptyList("tabs", TabState.init)
        let selected = try reader.text("selectedTab")
        for (index, tab) in tabs.enumerated() where tabs[..<index].contains(where: { $0.id == tab.id }) {
            throw reader.error("tabs", "each tab once", "'\(tab.id.prefix(64))' more than once")
        }
        guard tabs.contains(where: { $0.id == selected }) else {
            let names = tabs.map { "'\($0.id.prefix(64))'" }.joined(separator: ", ")
            throw reader.error("selectedTab", "one of \(names)", "'\(selected.prefix(64))'")
        }
        _ = try reader.flag("transitioning")
        self.init(tabs: tabs, selectedTab: selected, modals: try reader.list("modals", ModalState.init))
    }
}

extension TabState {
    package var json: JSONValue { ["id": .string(id), "stack": .array(stack.map(\.json))] }

    fileprivate init(_ reader: WindowReader) throws(WindowFormatError) {
        try reader.allow(["id", "stack"])
        self.init(id: try reader.text("id"), stack: try reader.nonEmptyList("stack", Destination.init))
    }
}

extension ModalState {
    package var json: JSONValue {
        var object = JSONObject()
        object["flow"] = flow.map(JSONValue.string)
        object["style"] = .string(style.rawValue)
        object["stack"] = .array(stack.map(\.json))
        return .object(object)
    }

    fileprivate init(_ reader: WindowReader) throws(WindowFormatError) {
        try reader.allow(["flow", "style", "stack"])
        let name = try reader.text("style")
        guard let style = ModalStyle(rawValue: name) else {
            let names = ModalStyle.allCases.map(\.rawValue).joined(separator: ", ")
            throw reader.error("style", "one of \(names)", "'\(name.prefix(64))'")
        }
        self.init(
            flow: try reader.optionalText("flow"),
            style: style,
            stack: try reader.nonEmptyList("stack", Destination.init)
        )
    }
}
