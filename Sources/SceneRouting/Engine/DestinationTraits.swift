/// What coordinators and records need to know of declared destinations.
///
/// It is separate from the engine so that what is kept long, such as a record, does not keep the engine. It is a class so
/// that passing it on costs one reference.
package final class DestinationTraits: Sendable {
    /// Positions in the lists below, which are separate so that reading one copies nothing of the others.
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

    /// The names of a destination's own preconditions and conditions, in the order in which they are judged; none for an unknown
    /// destination.
    package func needs(of destinationID: String) -> [String] { index[destinationID].map { needs[$0] } ?? [] }

    /// The flow that a destination is declared to belong to; `nil` if it declares none or is unknown.
    package func flow(of destinationID: String) -> String? { index[destinationID].flatMap { flows[$0] } }

    /// Whether a destination may be pushed over itself; an unknown one may not.
    package func repeats(_ destinationID: String) -> Bool { index[destinationID].map { repeating[$0] } ?? false }
}
