/// One small change of a source that an operator makes: text that is inserted around what is there.
public struct OperatorMutant: Hashable, Sendable {
    /// What is changed.
    public enum Operator: String, Hashable, Sendable, CaseIterable {
        /// A condition is true where it was false, and the other way around.
        case negate
        /// A call or an assignment is left out.
        case drop
        /// A statement is done after the one that follows it.
        case swap
        /// A number is one more, or a truth value the other.
        case constant
        /// A function returns at once.
        case leave
    }

    /// Says what is changed where: `Mailbox.take.drop2-1f3a`. The last part is made of the text that changes, so that a name never
    /// comes to mean something else.
    public let name: String
    public let kind: Operator
    /// The path of the source, relative to the root of the repository.
    public let file: String
    /// The lines that the change touches, from 1.
    public let lines: ClosedRange<Int>
    /// What the line reads, without the spaces around it.
    public let text: String
    /// The insertions, by their places in the source's UTF-8.
    let insertions: [Insertion]

    struct Insertion: Hashable, Sendable {
        enum Side: Hashable, Sendable {
            /// Before something that is `length` long.
            case before(length: Int)
            /// After something that is `length` long.
            case after(length: Int)
        }

        let place: Int
        let side: Side
        /// The text; `placeholder` stands for the switch of the mutant.
        let text: String
    }

    /// Stands for the switch in the text of an insertion.
    static let placeholder = "\u{1}"
}
