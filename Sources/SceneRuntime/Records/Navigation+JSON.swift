internal import SceneNavigation
internal import StrictJSON

extension NavOp {
    /// The op's name with what it is about.
    var json: JSONValue {
        var object: JSONObject = ["name": .string(name)]
        switch self {
        case .dismissModals(let keeping): object["keeping"] = .integer(keeping)
        case .selectTab(let tab): object["tab"] = .string(tab)
        case .popTo(let tab, let depth):
            object["tab"] = .string(tab)
            object["depth"] = .integer(depth)
        case .push(let tab, let destination):
            object["tab"] = .string(tab)
            object["destination"] = destination.json
        case .setStack(let tab, let stack):
            object["tab"] = .string(tab)
            object["stack"] = .array(stack.map(\.json))
        case .update(let tab, let depth, let destination):
            object["tab"] = .string(tab)
            object["depth"] = .integer(depth)
            object["destination"] = destination.json
        case .present(let modal): object["modal"] = modal.json
        case .setModalStack(let index, let stack):
            object["modal"] = .integer(index)
            object["stack"] = .array(stack.map(\.json))
        case .updateModal(let index, let depth, let destination):
            object["modal"] = .integer(index)
            object["depth"] = .integer(depth)
            object["destination"] = destination.json
        case .setRoot(let tabs, let selected):
            object["tabs"] = .array(tabs.map(\.json))
            object["selectedTab"] = .string(selected)
        }
        return .object(object)
    }
}

extension Record.WindowRecord {
    /// The window with, for each destination bottom first, what it needs, who owns it and whether it repeats.
    var json: JSONValue {
        var object = state.json(transitioning: false).objectValue ?? JSONObject()
        object["transitioning"] = nil
        object["shown"] = .array(
            zip(zip(state.destinations, repeats), zip(needs, coordinators)).map { shown, detail in
                let (destination, repeats) = shown
                var entry = destination.json.objectValue ?? JSONObject()
                entry["needs"] = .array(detail.0.map(JSONValue.string))
                entry["coordinator"] = .string(detail.1)
                if repeats { entry["repeats"] = true }
                return .object(entry)
            }
        )
        return .object(object)
    }
}
