/// What a decision needs of each destination, side by side: the lists that many destinations share stand once, so that
/// a decision touches little memory however many destinations there are.
struct DecisionTable: Sendable {
    /// What has to hold.
    struct Plan: Hashable, Sendable {
        /// Positions of the preconditions of the whole path, each once, in order.
        var preconditions: [Int]
        var conditions: [Condition]
    }

    struct Condition: Hashable, Sendable {
        /// Whose parameters it looks at: the ancestor, counted from the root; -1 for the destination itself.
        var owner: Int
        /// The position of the condition.
        var condition: Int
    }

    /// Where a destination is shown.
    struct Placement: Hashable, Sendable {
        var tab: String
        /// The ancestry as it is shown; `nil` where it depends on parameters or there are presentations.
        var ancestry: [Destination]?
    }

    private struct Row: Sendable {
        var plan: Int32
        var placement: Int32
    }

    private var rows: [Row] = []
    private var plans: [Plan] = []
    private var placements: [Placement] = []

    init(_ destinations: [CompiledDestination]) {
        var planIndex: [Plan: Int] = [:]
        var placementIndex: [Placement: Int] = [:]
        for destination in destinations {
            let conditions = destination.conditions.map { owner, condition in
                Condition(owner: destination.ancestry.firstIndex { $0 === owner } ?? -1, condition: condition)
            }
            let plan = Plan(preconditions: destination.preconditions, conditions: conditions)
            let isFixed =
                destination.isPushed && destination.ancestry.allSatisfy { $0.parameters.isEmpty && $0.isPushed }
            let ancestry = isFixed ? destination.ancestry.map { Destination(id: $0.id) } : nil
            let placement = Placement(tab: destination.tab, ancestry: ancestry)
            rows.append(
                Row(
                    plan: Int32(Self.intern(plan, &plans, &planIndex)),
                    placement: Int32(Self.intern(placement, &placements, &placementIndex))
                )
            )
        }
    }

    func plan(of destination: Int) -> Plan { plans[Int(rows[destination].plan)] }

    func placement(of destination: Int) -> Placement { placements[Int(rows[destination].placement)] }

    private static func intern<Value: Hashable>(
        _ value: Value,
        _ values: inout [Value],
        _ index: inout [Value: Int]
    ) -> Int {
        if let known = index[value] { return known }
        index[value] = values.count
        values.append(value)
        return values.count - 1
    }
}
