internal import SceneModel
internal import SceneVocabulary
internal import StrictJSON

extension Destination {
    init(_ fields: JSONReader) throws(JSONFieldError) {
        self.init(
            id: try fields["id"].text(),
            parameters: try fields["parameters"].textMembers()
        )
    }
}

extension TabState {
    init(_ fields: JSONReader) throws(JSONFieldError) {
        self.init(id: try fields["id"].text(), stack: try fields["stack"].elements().map(Destination.init))
    }
}

extension ModalState {
    init(_ fields: JSONReader) throws(JSONFieldError) {
        self.init(
            flow: try fields.optional("flow")?.text(),
            style: try fields["style"].choice(),
            stack: try fields["stack"].elements().map(Destination.init)
        )
    }
}

extension HistoryWindow {
    init(_ fields: JSONReader) throws(JSONFieldError) {
        layout = WindowState(
            tabs: try fields["tabs"].elements().map(TabState.init),
            selectedTab: try fields["selectedTab"].text(),
            modals: try fields["modals"].elements().map(ModalState.init)
        )
        var described: [Destination] = []
        shown = try fields["shown"].elements().map { fields throws(JSONFieldError) in
            described.append(try Destination(fields))
            return Shown(
                needs: try fields["needs"].texts(),
                coordinator: try fields["coordinator"].text(),
                since: try fields.optional("since")?.integer(),
                isPersonal: try fields.optional("personal")?.bool() ?? false,
                repeats: try fields.optional("repeats")?.bool() ?? false
            )
        }
        let destinations = layout.destinations
        guard described == destinations else {
            throw try fields["shown"].error(
                "the \(destinations.count) destinations of the stacks in their order",
                found: "\(described.count): \(described.map(\.description).joined(separator: ", "))"
            )
        }
    }
}

extension HistoryOp {
    init(_ fields: JSONReader) throws(JSONFieldError) {
        let name = try fields["name"].text()
        guard let known = NavOp.Name(rawValue: name) else {
            self = .other(name: name)
            return
        }
        self = .known(try NavOp(known, fields))
    }
}

extension NavOp {
    fileprivate init(_ name: Name, _ fields: JSONReader) throws(JSONFieldError) {
        switch name {
        case .dismissModals: self = .dismissModals(keeping: try fields["keeping"].integer(from: 0))
        case .selectTab: self = .selectTab(try fields["tab"].text())
        case .popTo:
            self = .popTo(tab: try fields["tab"].text(), depth: try fields["depth"].integer(from: 1))
        case .push: self = .push(tab: try fields["tab"].text(), try Destination(fields["destination"]))
        case .setStack:
            self = .setStack(tab: try fields["tab"].text(), try fields["stack"].elements().map(Destination.init))
        case .update:
            self = .update(
                tab: try fields["tab"].text(),
                depth: try fields["depth"].integer(from: 0),
                try Destination(fields["destination"])
            )
        case .present: self = .present(try ModalState(fields["modal"]))
        case .setModalStack:
            self = .setModalStack(
                index: try fields["modal"].integer(from: 0),
                try fields["stack"].elements().map(Destination.init)
            )
        case .updateModal:
            self = .updateModal(
                index: try fields["modal"].integer(from: 0),
                depth: try fields["depth"].integer(from: 0),
                try Destination(fields["destination"])
            )
        case .setRoot:
            self = .setRoot(
                try fields["tabs"].elements().map(TabState.init),
                selected: try fields["selectedTab"].text()
            )
        }
    }
}
