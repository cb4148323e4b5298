internal import Interleaving
internal import SceneRaces

/// Which orders the environment asks for.
struct RaceOrders {
    private let overrides: Overrides
    /// The saved run that it names.
    let file: ReplayFile?

    /// The one order to repeat; `nil` to search.
    var code: ReplayCode? { file?.code ?? overrides.replay }

    /// - Parameter value: The value of a variable; `nil` if it is not set.
    /// - Throws: What is wrong with a variable, or with the file that one names.
    init(_ value: (String) -> String?) throws {
        let name = "INTERLEAVING_REPLAY"
        let replay = value(name)
        guard let path = replay, path.contains("/") || path.hasSuffix(".json") else {
            file = nil
            overrides = try Overrides(value)
            return
        }
        overrides = try Overrides { $0 == name ? nil : value($0) }
        do {
            file = try ReplayFile(parsing: Array(TextFile.read(path).utf8))
        } catch let error as ReplayFileError {
            throw RaceTestError("\(name)=\(path): \(error)")
        }
    }

    /// The options of a search, with what the environment says in place of what the code does.
    func applied(to options: Race.Options) -> Race.Options {
        var options = options
        if let seed = overrides.seed { options.seed = seed }
        if let iterations = overrides.iterations { options.iterations = iterations }
        if let limit = overrides.timeLimit { options.timeLimit = limit }
        if let checks = overrides.determinismChecks { options.determinismChecks = checks }
        return options
    }
}
