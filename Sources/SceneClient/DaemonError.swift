public import StrictJSON

/// An error that the daemon answered, as `protocol/` declares it. Errors of several interfaces that mean the same are one case.
public enum DaemonError: Hashable, Sendable {
    /// The URL or the event does not have the form that it must have.
    case malformed(reason: String)
    /// No route of the app takes the URL.
    case unknownRoute(url: String)
    /// A parameter of the destination has a value that the app does not allow.
    case validationFailed(parameter: String, reason: String)
    /// No associated domain permits the link. `component` is the component of the association file that excludes it; empty if
    /// none matches at all.
    case notAssociated(url: String, component: String)
    /// No adapter of the app handles an event of this kind.
    case noAdapter(kind: String, reason: String)
    /// The URL at `place`, from 1, of those to be opened at once is refused, and so are all.
    indirect case memberRefused(place: Int, url: String, DaemonError, reason: String)
    /// No window can take the event, and no more can be opened.
    case noEligibleScene
    /// There is no scene with this ID.
    case unknownScene(String)
    /// This user sent no event with this ID, or the daemon no longer retains it.
    case unknownEvent(String)
    /// A different event has this ID.
    case eventMismatch(String)
    /// The scene has `limit` events or changes waiting and takes no more.
    case queueFull(scene: String?, limit: Int)
    /// The event takes `size` bytes, and those that wait already take `waiting`: more than the limit together. `scope` says
    /// whose limit: that of the `user`, or that for `all`.
    case tooMuchWaiting(size: Int, waiting: Int, limit: Int, scope: String)
    /// The app does not declare this fact, or not with such a value.
    case invalidFact(String, reason: String)
    /// A scene with this ID is already connected.
    case sceneExists(String)
    /// The scene cannot go to this state in one step; `from` is an activation or `disconnected`.
    case illegalActivation(scene: String, from: String, to: String)
    /// The app declares no scene configuration with this name.
    case unknownConfiguration(String)
    /// The app allows `limit` scenes, and there are that many.
    case tooManyScenes(limit: Int)
    /// The session has another revision than the caller expected.
    case revisionConflict(expected: Int, actual: Int)
    /// There is no such record kind; `suggestion` is the one that was probably meant.
    case unknownRecordKind(String, suggestion: String?)
    /// There is a hold of this name, which is not released yet.
    case holdExists(String)
    /// There is no hold with this ID: it was released, or its client has disconnected.
    case unknownHold(String)
    /// The caller's user has `limit` holds, and may have no more.
    case tooManyHolds(limit: Int)
    /// The caller's user waits in `limit` calls, and may in no more.
    case tooManyWaits(limit: Int)
    /// The caller's user has `limit` trials of adapters under way, and may have no more.
    case tooManyTrials(limit: Int)
    /// The caller's user has `limit` checks of the history under way, and may have no more.
    case tooManyChecks(limit: Int)
    /// The caller's timeout expired.
    case timedOut
    /// The daemon's clock is the real one, which cannot be advanced or set.
    case realClock
    /// The virtual clock is past the time to which it was to be advanced; it is `now`, in milliseconds since the start, and this date.
    case timePassed(now: Int, date: String)
    /// The manifest is invalid; each problem is an object as `io.scened.Manager` describes it.
    case invalidManifest(problems: [JSONObject])
    /// An adapter with this name is already registered.
    case nameTaken(String)
    /// `limit` adapters are registered, and no more can be.
    case tooManyAdapters(limit: Int)
    /// No manifest with this digest is in force or was lately.
    case unknownManifest(String)
    /// There is no adapter with this name.
    case unknownAdapter(String)
    /// There is no such kind of event.
    case unknownEventKind(String)
    /// There is no registration of an adapter with this ID: its connection has closed.
    case unknownRegistration(String)
    /// No adapter's answer is awaited for this request: it was answered, or the answer came too late.
    case unknownRequest(Int)
    /// The adapter's answer does not have the form that it must have.
    case invalidAnswer(reason: String)
    /// The daemon has stopped, and the records after `next` were not read in time.
    case cutOff(next: Int)
    /// The daemon is stopping and accepts nothing new.
    case draining
    /// The daemon cannot keep anything at present, such as on a full disk, and takes nothing that changes anything. This was not done, or it
    /// was and may be lost if the daemon ends before it can write again.
    case storageFailed(reason: String)
    /// The caller's user lacks the role that the method needs; `nil` if the daemon does not say which.
    case permissionDenied(role: String?)
    /// The method has no such parameter, or does not take this value; the reason says what is wrong and what is expected.
    case invalidParameter(String, reason: String?)
    /// The daemon does not know the method or the interface.
    case notThere(String)
    /// An error that this client does not know, or one with unexpected parameters: the daemon may be newer.
    case other(name: String, parameters: JSONObject)

    /// Reads an error by its full name, such as `io.scened.Events.UnknownRoute`.
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
        case ("org.varlink.service", "PermissionDenied"):
            return .permissionDenied(role: try fields.optional("role")?.text())
        case ("org.varlink.service", "InvalidParameter"):
            return .invalidParameter(try fields["parameter"].text(), reason: try fields.optional("reason")?.text())
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
        case "MemberRefused":
            .memberRefused(
                place: try fields["place"].integer(),
                url: try fields["url"].text(),
                DaemonError(
                    name: "io.scened.Events.\(try fields["error"].text())",
                    parameters: try fields["parameters"].object()
                ),
                reason: try fields["reason"].text()
            )
        case "NoEligibleScene": .noEligibleScene
        case "UnknownScene": .unknownScene(try fields["scene"].text())
        case "UnknownEvent": .unknownEvent(try fields["event"].text())
        case "EventMismatch": .eventMismatch(try fields["event"].text())
        case "QueueFull": .queueFull(scene: try fields.optional("scene")?.text(), limit: try fields["limit"].integer())
        case "TooMuchWaiting":
            .tooMuchWaiting(
                size: try fields["size"].integer(),
                waiting: try fields["waiting"].integer(),
                limit: try fields["limit"].integer(),
                scope: try fields["scope"].text()
            )
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
        case "HoldExists": .holdExists(try fields["hold"].text())
        case "UnknownHold": .unknownHold(try fields["hold"].text())
        case "TooManyHolds": .tooManyHolds(limit: try fields["limit"].integer())
        case "TooManyWaits": .tooManyWaits(limit: try fields["limit"].integer())
        case "TooManyTrials": .tooManyTrials(limit: try fields["limit"].integer())
        case "TooManyChecks": .tooManyChecks(limit: try fields["limit"].integer())
        case "TimedOut": .timedOut
        case "RealClock": .realClock
        case "TimePassed": .timePassed(now: try fields["now"].integer(), date: try fields["date"].text())
        case "UnknownManifest": .unknownManifest(try fields["digest"].text())
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
        case "StorageFailed": .storageFailed(reason: try fields["reason"].text())
        default: nil
        }
    }
}
