/// What a manifest says of its destinations that whoever shows them or writes about them asks for, and nothing else.
///
/// Apart from the engine, so that what is kept for long, such as a record, need not keep the engine. A class, because it
/// is handed on for every step.
package final class DestinationTraits: Sendable {
    /// Positions in the lists below: who asks for one of them copies no other.
    private let index: [String: Int]
    private let needs: [[String]]
    private let flows: [String?]
    private let repeating: [Bool]

    init(_ destinations: [CompiledDestination], index: [String: Int], needs: (DestinationDeclaration) -> [String]) {
        self.index = index
        self.needs = destinations.map { needs($0.declaration) }
        flows = destinations.map(\.declaration.flow)
        repeating = destinations.map(\.declaration.repeats)
    }

    /// The names of a destination's own preconditions and conditions in order; empty for an unknown name.
    package func needs(of destinationID: String) -> [String] { index[destinationID].map { needs[$0] } ?? [] }

    /// The flow that a destination is declared to belong to, if any.
    package func flow(of destinationID: String) -> String? { index[destinationID].flatMap { flows[$0] } }

    /// Whether a destination may stand on itself; an unknown one may not.
    package func repeats(_ destinationID: String) -> Bool { index[destinationID].map { repeating[$0] } ?? false }
}
