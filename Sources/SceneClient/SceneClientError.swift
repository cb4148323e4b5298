public import StrictJSON
internal import Varlink

/// Why a call to the daemon failed.
public enum SceneClientError: Error, Hashable, Sendable {
    /// Nobody listens at the path.
    case noDaemon(path: String, reason: String)
    /// The daemon answered with an error: its full name, such as `io.scened.Events.UnknownRoute`, and its parameters. ``refusal``
    /// is the same as a typed error.
    case refused(name: String, parameters: JSONObject)
    /// The connection closed before the daemon answered.
    case connectionLost(reason: String)
    /// The call was sent, and whether it was done is not known: nothing tells it, or a client that goes on when its connection is lost
    /// could not find out in its time. `event` is the ID of what may have been admitted; `nil` for a call that delivers no event.
    case unsure(method: String, event: String?, reason: String)
    /// The daemon has another host than the one that the client belongs to. `event` is the ID of what was sent and may have been
    /// admitted, by the one or the other; `nil` if nothing was sent.
    case hostChanged(from: String, to: String, event: String?)
    /// The daemon's answer does not have the form that its interface declares: client and daemon probably have different versions.
    case unexpected(JSONFieldError)

    init(_ error: any Error, path: String) {
        switch error {
        case let error as VarlinkError: self = .refused(name: error.name, parameters: error.parameters)
        case VarlinkClientError.cannotConnect(let path, _, let reason): self = .noDaemon(path: path, reason: reason)
        default: self = .connectionLost(reason: "\(error)")
        }
    }

    /// Why a call had no answer, with what may be why the daemon closed the connection: it does so with a call that is beyond its
    /// limits, and says why in its log.
    init(_ error: any Error, of call: VarlinkCall) {
        self = SceneClientError(error, path: "").explained(by: call)
    }

    /// The same with the limit that a call is beyond, if the connection was lost over it.
    func explained(by call: VarlinkCall) -> SceneClientError {
        guard case .connectionLost(let reason) = self, let excess = call.excess else { return self }
        return .connectionLost(reason: "\(reason); \(excess)")
    }
}

extension VarlinkCall {
    fileprivate static let excessEnd = " unless set"

    /// Why a daemon with the usual limits takes no such call; `nil` if it takes it.
    var excess: String? {
        let usual = VarlinkMessageLimits()
        // Without the NUL.
        let bytes = encoded().count - 1
        if bytes > usual.bytes {
            return "the call has \(bytes) bytes, more than limits.message, which is \(usual.bytes)\(Self.excessEnd)"
        }
        let depth = 1 + JSONValue.object(parameters).depth
        guard depth > usual.depth else { return nil }
        return "the call is \(depth) levels deep, more than limits.nesting, which is \(usual.depth)\(Self.excessEnd)"
    }
}

extension JSONValue {
    /// How deep arrays and objects are in each other.
    fileprivate var depth: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { max($0, 1 + $1.depth) }
        case .object(let members): members.reduce(1) { max($0, 1 + $1.value.depth) }
        default: 0
        }
    }
}

extension SceneClientError {
    /// The daemon's error; `nil` for any other failure.
    public var refusal: DaemonError? {
        guard case .refused(let name, let parameters) = self else { return nil }
        return DaemonError(name: name, parameters: parameters)
    }

    /// Whether an event that failed so may have been admitted or not, and may be sent again with its ID: it was not refused, the daemon
    /// has not forgotten it, and its call is not beyond a limit.
    package var leavesEventOpen: Bool {
        switch self {
        case .connectionLost(let reason): !reason.hasSuffix(VarlinkCall.excessEnd)
        case .unsure(_, let event, let reason):
            event != nil && !Forgotten.allCases.contains { reason.hasSuffix($0.rawValue) }
        case .refused: refusal?.isForNow ?? false
        case .noDaemon, .hostChanged, .unexpected: false
        }
    }

    /// How the reason ends why nobody can tell any more what has become of an event.
    enum Forgotten: String, CaseIterable {
        case outcome = "the daemon has forgotten what became of it"
        case records = "the records that would tell are no longer retained"
    }
}

extension SceneClientError: CustomStringConvertible {
    /// What happened, in one line.
    public var description: String {
        switch self {
        case .noDaemon(let path, let reason): "no daemon at \(path): \(reason)"
        case .refused(let name, let parameters): "\(name) \(JSONValue.object(parameters).text())"
        case .connectionLost(let reason):
            "the connection to the daemon was lost: \(reason); the daemon has ended, its log says why it closed the connection, or what listens there is no scened"
        case .unsure(let method, let event, let reason):
            "\(method): \(event.map { "the event \($0) was sent and may have been admitted" } ?? "it may have been done"): \(reason)"
        case .hostChanged(let from, let to, let event):
            "the daemon has the host \(to) now, and not \(from): it was reset, or keeps no state"
                + (event.map { "; the event \($0) was sent and may have been admitted" } ?? "")
        case .unexpected(let error):
            "the daemon's reply: \(error); client and daemon seem to have different versions"
        }
    }
}
