public import StrictJSON

/// What the daemon refused, as `protocol/` declares it; the interfaces share what means the same.
public enum DaemonError: Hashable, Sendable {
    /// The text or the event is not what it has to be.
    case malformed(reason: String)
    /// No route of the app takes the URL.
    case unknownRoute(url: String)
    /// A parameter is not allowed.
    case validationFailed(parameter: String, reason: String)
    /// No associated domain vouches for the link; `component` excludes it, or is empty.
    case notAssociated(url: String, component: String)
    /// The app makes nothing of an event of this kind.
    case noAdapter(kind: String, reason: String)
    /// No window can take the event, and no more may be opened.
    case noEligibleScene
    case unknownScene(String)
    case unknownEvent(String)
    /// Another event has this ID.
    case eventMismatch(String)
    /// The window has as many events waiting as it may.
    case queueFull(scene: String, limit: Int)
    case invalidFact(String, reason: String)
    case sceneExists(String)
    /// The scene cannot go there in one step; `from` is an activation or `disconnected`.
    case illegalActivation(scene: String, from: String, to: String)
    case unknownConfiguration(String)
    case tooManyScenes(limit: Int)
    /// The session has another revision than the caller expected.
    case revisionConflict(expected: Int, actual: Int)
    /// No record is of this kind, and perhaps another was meant.
    case unknownRecordKind(String, suggestion: String?)
    case unknownHold(String)
    /// It did not happen in time.
    case timedOut
    /// Only a virtual clock can be moved.
    case realClock
    /// The manifest cannot be used; each problem is an object as `io.scened.Manager` describes it.
    case invalidManifest(problems: [JSONObject])
    case nameTaken(String)
    case tooManyAdapters(limit: Int)
    case unknownAdapter(String)
    /// There is no such kind of event.
    case unknownEventKind(String)
    case unknownRegistration(String)
    case unknownRequest(Int)
    case invalidAnswer(reason: String)
    /// The daemon stops, and the records after `next` were not read in time.
    case cutOff(next: Int)
    /// The daemon is stopping and takes nothing new.
    case draining
    /// The caller may not do that.
    case permissionDenied
    /// The method takes no such parameter, or not that value.
    case invalidParameter(String)
    /// The daemon does not know the method or the interface.
    case notThere(String)
    /// An error that this client does not know: the daemon may be newer.
    case other(name: String, parameters: JSONObject)

    /// Reads an error by its full name, such as `io.scened.Events.UnknownRoute`; one whose parameters are not as declared
    /// is ``other(name:parameters:)`` too.
    package init(name: String, parameters: JSONObject) {
        do throws(JSONFieldError) {
            self = try Self.read(name, JSONReader(parameters)) ?? .other(name: name, parameters: parameters)
        } catch {
            self = .other(name: name, parameters: parameters)
        }
    }

    private static func read(_ name: String, _ fields: JSONReader) throws(JSONFieldError) -> DaemonError? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        switch (name[..<dot], name[dot...].dropFirst()) {
        case ("org.varlink.service", "PermissionDenied"): return .permissionDenied
        case ("org.varlink.service", "InvalidParameter"): return .invalidParameter(try fields["parameter"].text())
        case ("org.varlink.service", "InterfaceNotFound"): return .notThere(try fields["interface"].text())
        case ("org.varlink.service", "MethodNotFound"), ("org.varlink.service", "MethodNotImplemented"):
            return .notThere(try fields["method"].text())
        case ("io.scened.Records", "UnknownKind"):
            return .unknownRecordKind(try fields["kind"].text(), suggestion: try fields.optional("suggestion")?.text())
        case ("io.scened.Adapters", "UnknownKind"): return .unknownEventKind(try fields["kind"].text())
        case (let interface, let error) where interface.hasPrefix("io.scened."): return try read(error, fields)
        default: return nil
        }
    }

    private static func read(_ error: Substring, _ fields: JSONReader) throws(JSONFieldError) -> DaemonError? {
        switch error {
        case "Malformed": .malformed(reason: try fields["reason"].text())
        case "UnknownRoute": .unknownRoute(url: try fields["url"].text())
        case "ValidationFailed":
            .validationFailed(parameter: try fields["parameter"].text(), reason: try fields["reason"].text())
        case "NotAssociated":
            .notAssociated(url: try fields["url"].text(), component: try fields["component"].text())
        case "NoAdapter": .noAdapter(kind: try fields["kind"].text(), reason: try fields["reason"].text())
        case "NoEligibleScene": .noEligibleScene
        case "UnknownScene": .unknownScene(try fields["scene"].text())
        case "UnknownEvent": .unknownEvent(try fields["event"].text())
        case "EventMismatch": .eventMismatch(try fields["event"].text())
        case "QueueFull": .queueFull(scene: try fields["scene"].text(), limit: try fields["limit"].integer())
        case "InvalidFact": .invalidFact(try fields["fact"].text(), reason: try fields["reason"].text())
        case "SceneExists": .sceneExists(try fields["scene"].text())
        case "IllegalActivation":
            .illegalActivation(
                scene: try fields["scene"].text(),
                from: try fields["from"].text(),
                to: try fields["to"].text()
            )
        case "UnknownConfiguration": .unknownConfiguration(try fields["configuration"].text())
        case "TooManyScenes": .tooManyScenes(limit: try fields["limit"].integer())
        case "RevisionConflict":
            .revisionConflict(expected: try fields["expected"].integer(), actual: try fields["actual"].integer())
        case "UnknownHold": .unknownHold(try fields["hold"].text())
        case "TimedOut": .timedOut
        case "RealClock": .realClock
        case "InvalidManifest":
            .invalidManifest(
                problems: try fields["problems"].elements().map { problem throws(JSONFieldError) in try problem.object()
                }
            )
        case "NameTaken": .nameTaken(try fields["name"].text())
        case "TooManyAdapters": .tooManyAdapters(limit: try fields["limit"].integer())
        case "UnknownAdapter": .unknownAdapter(try fields["adapter"].text())
        case "UnknownRegistration": .unknownRegistration(try fields["registration"].text())
        case "UnknownRequest": .unknownRequest(try fields["request"].integer())
        case "InvalidAnswer": .invalidAnswer(reason: try fields["reason"].text())
        case "CutOff": .cutOff(next: try fields["next"].integer())
        case "Draining": .draining
        default: nil
        }
    }
}
