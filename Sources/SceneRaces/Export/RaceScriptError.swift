/// Why a race cannot be written as a script of holds.
public enum RaceScriptError: Error, Hashable, Sendable {
    /// Two steps between which something has to happen, and no point of `Control` lies there.
    case finer(String)
    /// What a script cannot do, and what to do instead.
    case impossible(String)
}

extension RaceScriptError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .finer(let what): "This order is finer than the points at which a daemon can be held: \(what)."
        case .impossible(let what): what
        }
    }
}
