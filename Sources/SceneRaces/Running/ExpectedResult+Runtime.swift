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

/// Why a step is refused: the names of errors, as clients know them.
package enum RefusalName: String, CaseIterable, Sendable, CustomStringConvertible {
    case draining = "Draining"
    case eventMismatch = "EventMismatch"
    case illegalActivation = "IllegalActivation"
    case invalidEventID = "InvalidEventID"
    case invalidFact = "InvalidFact"
    case invalidParameter = "InvalidParameter"
    case invalidSceneID = "InvalidSceneID"
    case malformed = "Malformed"
    case memberRefused = "MemberRefused"
    case missingScene = "MissingScene"
    case noAdapter = "NoAdapter"
    case noEligibleScene = "NoEligibleScene"
    case notAssociated = "NotAssociated"
    case permissionDenied = "PermissionDenied"
    case queueFull = "QueueFull"
    case revisionConflict = "RevisionConflict"
    case sceneExists = "SceneExists"
    case tooManyScenes = "TooManyScenes"
    case tooMuchWaiting = "TooMuchWaiting"
    case unknownConfiguration = "UnknownConfiguration"
    case unknownEvent = "UnknownEvent"
    case unknownRoute = "UnknownRoute"
    case unknownScene = "UnknownScene"
    case validationFailed = "ValidationFailed"

    /// The name as it is.
    package var description: String { rawValue }
}

extension AdmissionError {
    /// The name of the error.
    var name: RefusalName {
        switch self {
        case .route(.malformed): .malformed
        case .route(.unknownRoute): .unknownRoute
        case .route(.validationFailed): .validationFailed
        case .notAssociated: .notAssociated
        case .noAdapter: .noAdapter
        case .invalidEventID: .invalidEventID
        case .unknownScene: .unknownScene
        case .missingScene: .missingScene
        case .invalidFact: .invalidFact
        case .noEligibleScene: .noEligibleScene
        case .eventMismatch: .eventMismatch
        case .forgotten: .unknownEvent
        case .member: .memberRefused
        case .queueFull: .queueFull
        case .tooMuchWaiting: .tooMuchWaiting
        case .mayNotAct: .permissionDenied
        case .draining: .draining
        }
    }
}

extension SessionError {
    /// The name of the error.
    var name: RefusalName {
        switch self {
        case .revisionConflict: .revisionConflict
        case .invalidFact: .invalidFact
        case .invalidUser: .invalidParameter
        case .draining: .draining
        }
    }
}

extension SceneError {
    /// The name of the error.
    var name: RefusalName {
        switch self {
        case .unknownScene: .unknownScene
        case .sceneExists: .sceneExists
        case .unknownConfiguration: .unknownConfiguration
        case .tooManyScenes: .tooManyScenes
        case .invalidSceneID: .invalidSceneID
        case .illegalActivation: .illegalActivation
        case .queueFull: .queueFull
        case .draining: .draining
        }
    }
}
