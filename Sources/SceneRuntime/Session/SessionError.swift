/// Why a commit was refused. Nothing of it was applied.
public enum SessionError: Error, Hashable, Sendable {
    /// The caller decided on another revision than the newest.
    case revisionConflict(expected: Int, actual: Int)
    /// The fact is not declared, or the value is not of its type.
    case invalidFact(fact: String, reason: String)
    /// The host is stopping: what it has recorded is final.
    case draining
}

extension SessionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .revisionConflict(let expected, let actual):
            "the session is at revision \(actual), not at \(expected): read it again and decide anew"
        case .draining: "the daemon is stopping"
        case .invalidFact(let fact, let reason): "fact '\(fact)': \(reason)"
        }
    }
}
