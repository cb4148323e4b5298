/// The value of a session fact.
public enum FactValue: Hashable, Sendable {
    case string(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    /// A list of strings, such as the product IDs in the cart.
    case strings([String])
}
