import SceneSoak

extension SoakPlan {
    /// A short soak; a test gives only the values that matter to it.
    static func test(
        rate: Double = 100,
        arrival: Arrival = .uniform,
        duration: Duration = .seconds(1),
        warmUp: Duration = .zero,
        clients: Int = 4,
        scenes: Int = 4,
        mix: [String: Double] = [:],
        seed: UInt64 = 1,
        every: Duration = .seconds(10),
        catchesUp: Bool = true
    ) -> SoakPlan {
        SoakPlan(
            rate: rate,
            arrival: arrival,
            duration: duration,
            warmUp: warmUp,
            clients: clients,
            scenes: scenes,
            mix: mix,
            seed: seed,
            percentiles: [50, 99],
            objectives: [],
            every: every,
            catchesUp: catchesUp,
            faults: []
        )
    }
}
