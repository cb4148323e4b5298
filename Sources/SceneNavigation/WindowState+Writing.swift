package import SceneRouting
package import StrictJSON

extension WindowState {
    /// Writes a window at rest, as ``json`` has it.
    package func write(to json: inout JSONText) {
        json.object { json in
            writeMembers(to: &json)
            json.member("transitioning", false)
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
}

extension TabState {
    /// Writes a tab, as ``json`` has it.
    package func write(to json: inout JSONText) {
        json.object { json in
            json.member("id", id)
            json.name("stack")
            json.array(stack) { $1.write(to: &$0) }
        }
    }
}

extension ModalState {
    /// Writes a presentation, as ``json`` has it.
    package func write(to json: inout JSONText) {
        json.object { json in
            json.member("flow", flow)
            json.member("style", style.rawValue)
            json.name("stack")
            json.array(stack) { $1.write(to: &$0) }
        }
    }
}

extension Destination {
    /// Writes a destination, as ``json`` has it: its parameters in order of their names.
    package func write(to json: inout JSONText) {
        json.object { writeMembers(to: &$0) }
    }

    /// Writes a destination's members.
    package func writeMembers(to json: inout JSONText) {
        json.member("id", id)
        json.name("parameters")
        json.object { json in
            guard parameters.count > 1 else {
                for (name, value) in parameters { json.member(named: name, value) }
                return
            }
            for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { json.member(named: name, value) }
        }
    }
}
