internal import SceneManifest
public import SceneRouting

extension Scenario {
    /// Reads and checks a scenario file, YAML or JSON.
    ///
    /// - Parameters:
    ///   - text: The file's content, at most 4 MiB.
    ///   - file: What problems call the file.
    ///   - readFile: Reads the manifest that it names, by its path as written there; `nil` where it may name none.
    /// - Throws: All problems at once, in the order of the file.
    public static func read(
        _ text: String,
        file: String? = nil,
        readFile: ((String) throws -> String)? = nil
    ) throws(ManifestProblems) -> Scenario {
        let node: ManifestNode
        do {
            node = try ManifestText.parse(text)
        } catch {
            var problem = error
            problem.file = file
            throw ManifestProblems([problem])
        }
        var decoder = ScenarioDecoder(readFile: readFile)
        let scenario = decoder.scenario(node)
        let problems = decoder.reader.problems(file: file)
        guard let scenario, problems.isEmpty else { throw ManifestProblems(problems) }
        return scenario
    }
}
