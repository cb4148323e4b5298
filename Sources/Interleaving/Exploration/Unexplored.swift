/// Runs a piece of a body during which nothing is chosen: of what can happen, what became possible first happens, in this task and all others.
///
/// It is for what comes before and after that of which the order matters, such as setting something up. What is not chosen is not searched:
/// an exploration that is complete has seen every order of the rest. Outside of an exploration it only runs the piece.
nonisolated(nonsending) public func unexplored<Result, Failure: Error>(
    _ body: nonisolated(nonsending) () async throws(Failure) -> Result
) async throws(Failure) -> Result {
    Simulator.current?.unexplored += 1
    defer { Simulator.current?.unexplored -= 1 }
    return try await body()
}
