internal import CommandConsole
internal import SceneClient
internal import StrictJSON

extension Failure {
    /// What the daemon has refused, or why it cannot be asked.
    init(_ error: SceneClientError) {
        let status = Advice.status(for: error)
        let (name, parameters): (String, JSONObject) =
            switch error {
            case .refused(let name, let parameters): (name, parameters)
            case .noDaemon(let path, let reason):
                (status.errorName, ["socket": .string(path), "reason": .string(reason)])
            case .connectionLost(let reason): ("scenectl.ConnectionLost", ["reason": .string(reason)])
            case .unsure(_, let event, _), .hostChanged(_, _, let event):
                (
                    "scenectl.ConnectionLost",
                    JSONObject([("reason", .string("\(error)"))] + (event.map { [("event", .string($0))] } ?? []))
                )
            case .unexpected(let error): ("scenectl.UnexpectedReply", ["reason": .string("\(error)")])
            }
        self.init(name: name, parameters: parameters, message: Advice.message(for: error), status: status)
    }
}
