internal import SeededRandom

/// One person with one device: a Markov chain whose steps are calls, made of a seed alone.
struct SoakUser {
    private var mind: UserMind
    private var random: SplitMix
    private let vocabulary: any Vocabulary
    /// The weights asked for; `nil` for the user's own habits.
    private let mix: [(ActionKind, Double)]?
    private let habits: [UserState: [(ActionKind, Double)]]

    /// - Parameters:
    ///   - mix: By the words of `--mix`; empty for the user's own habits.
    ///   - scenes: The windows on the device.
    init(number: Int, scenes: [String], seed: UInt64, mix: [String: Double], vocabulary: any Vocabulary) {
        mind = UserMind(number: number, scenes: scenes)
        // Apart from each other and from the schedule, which takes the seed as it is.
        random = SplitMix(seed: seed ^ (UInt64(number + 1) &* 0xD6E8_FEB8_6659_FD93))
        self.vocabulary = vocabulary
        let kinds = vocabulary.kinds
        let asked = kinds.map { ($0, mix[$0.mixName] ?? 0) }.filter { $0.1 > 0 }
        self.mix = asked.isEmpty ? nil : asked
        habits = Dictionary(
            uniqueKeysWithValues: UserState.allCases.map { state in
                let known = state.habits.filter { kinds.contains($0.0) }
                return (state, known.isEmpty ? kinds.map { ($0, 1) } : known)
            }
        )
    }

    /// The next thing the user does.
    mutating func next() -> SoakCall {
        if mind.scenes.count > 1, random.below(8) == 0 { mind.scene = random.pick(mind.scenes) }
        let weights = mix ?? habits[mind.state] ?? []
        let kind = Self.draw(weights, &random)
        return vocabulary.call(kind, &mind, &random)
    }

    private static func draw(_ weights: [(ActionKind, Double)], _ random: inout SplitMix) -> ActionKind {
        var rest = Double.random(in: 0..<1, using: &random) * weights.reduce(0) { $0 + $1.1 }
        for (kind, weight) in weights {
            rest -= weight
            if rest < 0 { return kind }
        }
        // Rounding may leave a rest; the last of the weights takes it.
        return weights.last?.0 ?? .openurl
    }
}
