internal import CommandConsole
internal import SceneManifest
internal import SceneRouting
internal import StrictJSON

/// Script files: one step a line in JSON, or a list of steps in YAML or JSON.
enum ScriptFile {
    /// The steps in a file, or with `-` on standard input.
    static func read(_ path: String) throws(CommandError) -> [ScriptStep] {
        let name = path == "-" ? "standard input" : path
        let text = try Input.text(file: path)
        if let problem = WrittenFile.script.problem(with: WrittenFile(text), file: name) {
            throw .usage("\(problem).")
        }
        var steps: [ScriptStep] = []
        for (number, (json, line)) in try values(text, name).enumerated() {
            var step = try ScriptStep(json, after: steps.last?.at, place: "\(name), step \(number + 1)")
            step.line = line
            steps.append(step)
        }
        guard !steps.isEmpty else {
            throw .usage(
                "\(name): no steps; expected calls such as {\"call\": \"Events.OpenURL\", \"parameters\": {…}}."
            )
        }
        return steps
    }

    /// - Returns: The steps, each with the line on which it begins, from 1, if that is known.
    private static func values(_ text: String, _ name: String) throws(CommandError) -> [(JSONValue, line: Int?)] {
        // A list cannot begin with a brace, in YAML or JSON, so this is one step a line.
        if text.first(where: { !$0.isWhitespace }) == "{" {
            var values: [(JSONValue, line: Int?)] = []
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            where !line.allSatisfy(\.isWhitespace) {
                do throws(JSONError) {
                    values.append((try JSONValue(parsing: String(line)), number + 1))
                } catch {
                    throw .usage("\(error.placed(in: name, line: number + 1)); expected one call a line.")
                }
            }
            return values
        }
        guard !text.allSatisfy(\.isWhitespace) else { return [] }
        let json: JSONValue
        do {
            json = try JSONValue(parsing: AppManifest.json(of: text))
        } catch let error as ManifestProblem {
            let expected = error.expected.map { "; expected \($0)" } ?? ""
            throw .usage("\(name):\(error.line ?? 1):\(error.column ?? 1): \(error.message)\(expected).")
        } catch {
            throw .usage("\(name): \(error).")
        }
        guard let list = json.arrayValue else {
            throw .usage(
                "\(name):1:1: expected steps, one JSON object a line or a list of them in YAML, found \(json.typeName)."
            )
        }
        return list.map { ($0, nil) }
    }
}
