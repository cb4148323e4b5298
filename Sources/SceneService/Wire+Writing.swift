internal import Basics
internal import SceneNavigation
internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON

// Every event is answered with a receipt, so receipts and scenes are written without building a tree of values.
extension Receipt {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("event", event)
            json.member("scene", scene)
            json.member("choice", choice?.rawValue)
            json.member("ticket", ticket)
            json.member("outcome", outcome.name.rawValue)
            json.member("reason", outcome.reason)
            json.member("precondition", outcome.precondition)
            json.member("revision", revision)
            if let window {
                json.name("window")
                window.write(to: &json)
            }
            if let answer {
                json.name("answer")
                json.value(.object(answer.json))
            }
            if !windows.isEmpty {
                json.name("windows")
                json.array(windows) { json, answer in
                    json.object { json in
                        json.member("scene", answer.scene)
                        json.member("error", answer.error?.rawValue)
                    }
                }
            }
            json.member("duplicate", isDuplicate)
        }
    }
}

extension EventWait {
    /// Writes the member `waits`. The IDs of other users' events are their own affair.
    func write(to json: inout JSONText, of host: SceneHost, for sender: String) {
        json.name("waits")
        json.object { json in
            json.member("ahead", ahead)
            json.member("behind", behind?.sender == sender ? behind?.id : nil)
            json.member("hold", rest?.hold?.id)
            json.member("point", rest?.hold?.point.rawValue)
            json.member("until", rest?.transitionEnd?.milliseconds)
            json.member("now", host.uptime.milliseconds)
            json.member("virtual", host.isVirtual)
        }
    }
}

extension SceneStatus {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("id", id)
            json.member("configuration", configuration)
            json.member("activation", activation.rawValue)
            json.member("connected", isConnected)
            json.member("locked", isLocked)
            json.member("admitted", admitted)
            json.member("settled", settled)
            if isConnected {
                json.name("window")
                window.write(to: &json, transitioning: isTransitioning)
                if let owner {
                    json.name("owner")
                    owner.write(to: &json)
                }
            }
            json.member("coordinators", coordinators)
            json.name("coordinatorTree")
            json.array(coordinatorTree) { json, coordinator in
                json.object { json in
                    json.member("flow", coordinator.flow)
                    json.member("parent", coordinator.parent)
                }
            }
            json.member("coordinatorsAttached", coordinatorsAttached)
            json.member("coordinatorsDetached", coordinatorsDetached)
            json.member("leaks", leaks)
            json.name("parked")
            _ = json.page(parked) { json, parked in
                json.object { json in
                    json.member("event", parked.event)
                    json.member("precondition", parked.precondition)
                    if !parked.parameters.isEmpty { json.member("parameters", parked.parameters) }
                    json.member("destination", parked.destination)
                }
            }
            json.member("parkedCount", parked.count)
            json.member("revision", revision)
        }
    }
}
