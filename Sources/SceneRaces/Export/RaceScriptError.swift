/// The reason why a race cannot be written as a script of holds.
package enum RaceScriptError: Error, Hashable, Sendable {
    /// Something has to happen between two moments, and no point of `Control` lies there. The text names them.
    case finer(String)
    /// A script cannot do something. The text says what, and what to do instead.
    case impossible(String)
}

extension RaceScriptError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .finer(let what): "This order is finer than the points at which a daemon can be held: \(what)."
        case .impossible(let what): what
        }
    }
}
