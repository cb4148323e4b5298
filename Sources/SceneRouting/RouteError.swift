/// Why no destination exists for an input. Being signed out is never one of these.
public enum RouteError: Error, Hashable, Sendable {
    /// The input cannot be read at all. `reason` says what is wrong and what would be right.
    case malformed(reason: String)
    /// Well formed, but no route of the app takes it.
    case unknownRoute(url: String)
    /// A route takes it, but a value is not allowed: `parameter` names the parameter, or the condition that failed.
    case validationFailed(parameter: String, reason: String)
}

extension RouteError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let reason): "malformed: \(reason)"
        case .unknownRoute(let url): "no route takes \(url)"
        case .validationFailed(let parameter, let reason): "\(parameter): \(reason)"
        }
    }
}
