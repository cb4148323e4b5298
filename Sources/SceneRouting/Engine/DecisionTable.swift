/// What a decision needs of each destination, by the destination's position. Lists that several destinations have in common
/// are stored once, so that a decision touches little memory however many destinations there are.
struct DecisionTable: Sendable {
    /// What has to hold for a destination.
    struct Requirements: Hashable, Sendable {
        /// Positions of the preconditions of the whole path, each once, in order.
        var preconditions: [Int]
        var conditions: [Condition]
    }

    struct Condition: Hashable, Sendable {
        /// The ancestor whose parameters it looks at, counted from the root; -1 for the destination itself.
        var owner: Int
        /// The position of the condition.
        var condition: Int
    }

    /// Where a destination is shown.
    struct Placement: Hashable, Sendable {
        var tab: String
        /// The ancestry as it is shown; `nil` if that depends on parameters or there are presentations.
        var ancestry: [Destination]?
    }

    private var rows: [(requirements: Int32, placement: Int32)] = []
    private var requirements = UniqueList<Requirements>()
    private var placements = UniqueList<Placement>()

    init(_ destinations: [CompiledDestination]) {
        for destination in destinations {
            let conditions = destination.conditions.map { owner, condition in
                Condition(owner: destination.ancestry.firstIndex { $0 === owner } ?? -1, condition: condition)
            }
            let needed = Requirements(preconditions: destination.preconditions, conditions: conditions)
            let isFixed =
                destination.isPushed && destination.ancestry.allSatisfy { $0.parameters.isEmpty && $0.isPushed }
            let ancestry = isFixed ? destination.ancestry.map { Destination(id: $0.id) } : nil
            let placement = Placement(tab: destination.tab, ancestry: ancestry)
            rows.append((requirements.position(of: needed), placements.position(of: placement)))
        }
    }

    func requirements(of destination: Int) -> Requirements { requirements[rows[destination].requirements] }

    func placement(of destination: Int) -> Placement { placements[rows[destination].placement] }
}
