internal import SceneNavigation
internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON

/// What every event is answered with, written without a tree of values.
extension Receipt {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("event", event)
            json.member("scene", scene)
            json.member("ticket", ticket)
            json.member("outcome", outcome.name)
            json.member("reason", outcome.reason)
            json.member("precondition", outcome.precondition)
            json.member("revision", revision)
            if let window {
                json.name("window")
                window.write(to: &json)
            }
            json.member("duplicate", isDuplicate)
        }
    }
}

extension WindowState {
    /// Writes a window at rest, as ``json`` has it.
    func write(to json: inout JSONText) {
        json.object { json in
            json.name("tabs")
            json.array(tabs) { json, tab in
                json.object { json in
                    json.member("id", tab.id)
                    tab.stack.write(to: &json)
                }
            }
            json.member("selectedTab", selectedTab)
            json.name("modals")
            json.array(modals) { json, modal in
                json.object { json in
                    json.member("flow", modal.flow)
                    json.member("style", modal.style.rawValue)
                    modal.stack.write(to: &json)
                }
            }
            json.member("transitioning", false)
        }
    }
}

extension [Destination] {
    /// Writes the member that holds them, each with its parameters in order of their names.
    fileprivate func write(to json: inout JSONText) {
        json.name("stack")
        json.array(self) { json, destination in
            json.object { json in
                json.member("id", destination.id)
                json.name("parameters")
                json.object { json in
                    guard destination.parameters.count > 1 else {
                        for (name, value) in destination.parameters { json.member(named: name, value) }
                        return
                    }
                    for (name, value) in destination.parameters.sorted(by: { $0.key < $1.key }) {
                        json.member(named: name, value)
                    }
                }
            }
        }
    }
}
