/// What a decision needs of each destination, by the destination's position. Lists that several destinations have in common
/// are stored once, so that a decision touches little memory however many destinations there are.
struct DecisionTable: Sendable {
    /// Where a destination is shown.
    struct Placement: Hashable, Sendable {
        var tab: String
        /// The ancestry as it is shown; `nil` if that depends on parameters or there are presentations.
        var ancestry: [Destination]?
    }

    private var rows: [(needs: Int32, placement: Int32)] = []
    private var needs = UniqueList<[CompiledDestination.Need]>()
    private var placements = UniqueList<Placement>()

    init(_ destinations: [CompiledDestination]) {
        for destination in destinations {
            let isFixed =
                destination.isPushed && destination.ancestry.allSatisfy { $0.parameters.isEmpty && $0.isPushed }
            let ancestry = isFixed ? destination.ancestry.map { Destination(id: $0.id) } : nil
            let placement = Placement(tab: destination.tab, ancestry: ancestry)
            rows.append((needs.position(of: destination.needs), placements.position(of: placement)))
        }
    }

    /// What has to hold for it, in the order in which it is judged.
    func needs(of destination: Int) -> [CompiledDestination.Need] { needs[rows[destination].needs] }

    func placement(of destination: Int) -> Placement { placements[rows[destination].placement] }
}
