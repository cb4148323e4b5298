internal import SceneRouting
internal import SceneRuntime

extension ExpectedResult {
    /// What a receipt says.
    init(_ receipt: Receipt) {
        self.init(
            outcome: receipt.outcome.name.rawValue,
            detail: receipt.outcome.precondition ?? receipt.outcome.reason,
            scene: receipt.scene
        )
    }
}

extension AdmissionError {
    /// The error's name, as clients know it.
    var name: String {
        switch self {
        case .route(.malformed): "Malformed"
        case .route(.unknownRoute): "UnknownRoute"
        case .route(.validationFailed): "ValidationFailed"
        case .notAssociated: "NotAssociated"
        case .noAdapter: "NoAdapter"
        case .invalidEventID: "InvalidEventID"
        case .unknownScene: "UnknownScene"
        case .missingScene: "MissingScene"
        case .invalidFact: "InvalidFact"
        case .noEligibleScene: "NoEligibleScene"
        case .eventMismatch: "EventMismatch"
        case .forgotten: "UnknownEvent"
        case .member: "MemberRefused"
        case .queueFull: "QueueFull"
        case .tooMuchWaiting: "TooMuchWaiting"
        case .mayNotAct: "PermissionDenied"
        case .draining: "Draining"
        }
    }
}

extension SessionError {
    /// The error's name, as clients know it.
    var name: String {
        switch self {
        case .revisionConflict: "RevisionConflict"
        case .invalidFact: "InvalidFact"
        case .invalidUser: "InvalidParameter"
        case .draining: "Draining"
        }
    }
}

extension SceneError {
    /// The error's name, as clients know it.
    var name: String {
        switch self {
        case .unknownScene: "UnknownScene"
        case .sceneExists: "SceneExists"
        case .unknownConfiguration: "UnknownConfiguration"
        case .tooManyScenes: "TooManyScenes"
        case .invalidSceneID: "InvalidSceneID"
        case .illegalActivation: "IllegalActivation"
        case .queueFull: "QueueFull"
        case .draining: "Draining"
        }
    }
}
