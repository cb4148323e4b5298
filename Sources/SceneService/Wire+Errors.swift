internal import Basics
internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON
internal import Varlink

extension AdmissionError {
    var wire: VarlinkError {
        switch self {
        case .route(let error): error.wire(interface: "io.scened.Events")
        case .notAssociated(let url, let component):
            .events("NotAssociated", ["url": .string(url.echoed), "component": .string(component)])
        case .noAdapter(let kind, let reason):
            .events("NoAdapter", ["kind": .string(kind), "reason": .string(reason)])
        case .invalidEventID(let reason): .invalidParameter("event", reason: reason)
        case .unknownScene(let scene): .events("UnknownScene", ["scene": .string(scene)])
        case .missingScene: .invalidParameter("scene")
        case .invalidFact(let fact, let reason):
            .events("InvalidFact", ["fact": .string(fact), "reason": .string(reason)])
        case .noEligibleScene(let identifier):
            .events("NoEligibleScene", ["contentIdentifier": identifier.map { .string($0.echoed) } ?? .null])
        case .eventMismatch(let event): .events("EventMismatch", ["event": .string(event)])
        case .forgotten(let event): .events("UnknownEvent", ["event": .string(event)])
        case .member(let place, let url, let error): Self.member(place, url, error)
        case .queueFull(let scene, let limit):
            .events("QueueFull", ["scene": scene.map(JSONValue.string) ?? .null, "limit": .integer(limit)])
        case .tooMuchWaiting(let size, let waiting, let limit, let perUser):
            .events(
                "TooMuchWaiting",
                [
                    "size": .integer(size), "waiting": .integer(waiting), "limit": .integer(limit),
                    "scope": perUser ? "user" : "all",
                ]
            )
        case .mayNotAct: AccessPolicy.refusal(for: .act)
        case .draining: .events("Draining")
        }
    }
}

extension AdmissionError {
    private static func member(_ place: Int, _ url: String, _ error: AdmissionError) -> VarlinkError {
        let wire = error.wire
        return .events(
            "MemberRefused",
            [
                "place": .integer(place), "url": .string(url.echoed),
                "error": .string(wire.name.split(separator: ".").last.map(String.init) ?? wire.name),
                "parameters": .object(wire.parameters), "reason": .string(error.description),
            ]
        )
    }
}

extension RouteError {
    /// The error as this interface declares it.
    func wire(interface: String) -> VarlinkError {
        switch self {
        case .malformed(let reason): VarlinkError("\(interface).Malformed", ["reason": .string(reason)])
        case .unknownRoute(let url): VarlinkError("\(interface).UnknownRoute", ["url": .string(url.echoed)])
        case .validationFailed(let parameter, let reason):
            VarlinkError(
                "\(interface).ValidationFailed",
                ["parameter": .string(parameter), "reason": .string(reason)]
            )
        }
    }
}

extension SceneError {
    var wire: VarlinkError {
        switch self {
        case .unknownScene(let scene): .scenes("UnknownScene", ["scene": .string(scene)])
        case .sceneExists(let scene): .scenes("SceneExists", ["scene": .string(scene)])
        case .unknownConfiguration(let name): .scenes("UnknownConfiguration", ["configuration": .string(name)])
        case .tooManyScenes(let limit): .scenes("TooManyScenes", ["limit": .integer(limit)])
        case .invalidSceneID: .invalidParameter("scene", reason: description)
        case .illegalActivation(let scene, let from, let to):
            .scenes(
                "IllegalActivation",
                ["scene": .string(scene), "from": .string(from), "to": .string(to)]
            )
        case .queueFull(let scene, let limit):
            .scenes("QueueFull", ["scene": .string(scene), "limit": .integer(limit)])
        case .draining: .scenes("Draining")
        }
    }
}

extension SessionError {
    /// The error as this interface declares it.
    func wire(interface: String) -> VarlinkError {
        switch self {
        case .revisionConflict(let expected, let actual):
            VarlinkError(
                "\(interface).RevisionConflict",
                ["expected": .integer(expected), "actual": .integer(actual)]
            )
        case .draining: VarlinkError("\(interface).Draining")
        case .invalidFact(let fact, let reason):
            VarlinkError("\(interface).InvalidFact", ["fact": .string(fact), "reason": .string(reason)])
        case .invalidUser: .invalidParameter("user")
        }
    }
}

extension VarlinkError {
    fileprivate static func events(_ name: String, _ parameters: JSONObject = [:]) -> VarlinkError {
        VarlinkError("io.scened.Events.\(name)", parameters)
    }

    fileprivate static func scenes(_ name: String, _ parameters: JSONObject = [:]) -> VarlinkError {
        VarlinkError("io.scened.Scenes.\(name)", parameters)
    }
}
