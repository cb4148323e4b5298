internal import SceneNavigation
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
