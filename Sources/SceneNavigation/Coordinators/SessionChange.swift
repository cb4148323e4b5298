public import SceneRouting

/// One change of the session that a coordinator asks for. Those of one answer are made in order, in one commit.
public enum SessionChange: Hashable, Sendable {
    /// Gives a fact a value; a text becomes what the fact's declared type reads in it.
    case set(fact: String, FactValue)
    /// Appends to a list fact, unless it is there already.
    case append(fact: String, String)
    /// Gives a fact its declared default.
    case reset(fact: String)
    /// Signs somebody in; who was signed in before leaves in the same commit.
    case signIn(user: String)
    case signOut
}
