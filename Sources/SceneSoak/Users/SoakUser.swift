internal import Basics

/// A simulated person with a device: a Markov chain whose steps are calls, determined by a seed.
struct SoakUser {
    private var user: UserMemory
    private var random: SplitMix
    private let actions: any UserActions
    /// The weights given by `--mix`; `nil` for the user's habits.
    private let mix: [(ActionKind, Double)]?
    private let habits: [UserState: [(ActionKind, Double)]]

    /// - Parameters:
    ///   - mix: Weights by the names of `--mix`; empty for the user's habits.
    ///   - scenes: The windows on the device.
    init(number: Int, scenes: [String], seed: UInt64, mix: [String: Double], actions: any UserActions) {
        user = UserMemory(number: number, scenes: scenes)
        // Users differ from one another and from the schedule, which takes the seed itself.
        random = SplitMix(seed: seed ^ (UInt64(number + 1) &* 0xD6E8_FEB8_6659_FD93))
        self.actions = actions
        let kinds = actions.kinds
        let asked = kinds.map { ($0, mix[$0.mixName] ?? 0) }.filter { $0.1 > 0 }
        self.mix = asked.isEmpty ? nil : asked
        habits = Dictionary(
            uniqueKeysWithValues: UserState.allCases.map { state in
                let known = state.habits.filter { kinds.contains($0.0) }
                return (state, known.isEmpty ? kinds.map { ($0, 1) } : known)
            }
        )
    }

    /// The user's next action among other windows than so far.
    /// - Parameter scenes: At least one.
    mutating func next(in scenes: [String]) -> SoakCall {
        user.scenes = scenes
        if !scenes.contains(user.scene) { user.scene = random.pick(scenes) }
        return next()
    }

    /// The user's next action.
    mutating func next() -> SoakCall {
        if user.scenes.count > 1, random.below(8) == 0 { user.scene = random.pick(user.scenes) }
        actions.look(&user)
        let weights = mix ?? habits[user.state] ?? []
        let kind = Self.draw(weights, &random)
        return actions.call(kind, &user, &random)
    }

    private static func draw(_ weights: [(ActionKind, Double)], _ random: inout SplitMix) -> ActionKind {
        var rest = Double.random(in: 0..<1, using: &random) * weights.reduce(0) { $0 + $1.1 }
        for (kind, weight) in weights {
            rest -= weight
            if rest < 0 { return kind }
        }
        // Rounding may leave a rest; it goes to the last kind.
        return weights.last?.0 ?? .openurl
    }
}
