public import SceneRouting
internal import StrictJSON

/// A manifest that was read, and what its author should look at all the same.
public struct ReadManifest: Hashable, Sendable {
    public let manifest: AppManifest
    public let warnings: [ManifestProblem]
}

extension AppManifest {
    /// Reads and checks a manifest file, YAML or JSON.
    /// - Parameters:
    ///   - text: the file's content, at most 4 MiB.
    ///   - file: what problems call the file.
    ///   - readFile: reads another file that the manifest names, such as an association file, by its path as written
    ///     there; `nil` where it may name none.
    /// - Throws: all problems at once, in the order of the file, when one of them is an error.
    public static func read(
        _ text: String,
        file: String? = nil,
        readFile: ((String) throws -> String)? = nil
    ) throws(ManifestProblems) -> ReadManifest {
        let (manifest, problems) = check(text, file: file, readFile: readFile)
        guard let manifest, !problems.contains(where: { $0.severity == .error }) else {
            throw ManifestProblems(problems)
        }
        return ReadManifest(manifest: manifest, warnings: problems)
    }

    /// Everything wrong with a manifest file, in the order of the file.
    public static func problems(
        in text: String,
        file: String? = nil,
        readFile: ((String) throws -> String)? = nil
    ) -> [ManifestProblem] {
        check(text, file: file, readFile: readFile).problems
    }

    /// A manifest file's content as JSON, whichever it is written in; names and values are not checked.
    /// - Throws: the place of the first offence where the text is neither YAML nor JSON.
    public static func json(of text: String) throws(ManifestProblem) -> String {
        try ManifestText.parse(text).json.text(.indented)
    }

    private static func check(
        _ text: String,
        file: String?,
        readFile: ((String) throws -> String)?
    ) -> (manifest: AppManifest?, problems: [ManifestProblem]) {
        let node: ManifestNode
        do {
            node = try ManifestText.parse(text)
        } catch {
            var problem = error
            problem.file = file
            return (nil, [problem])
        }
        var decoder = ManifestDecoder(readFile: readFile)
        let manifest = decoder.manifest(node)
        for problem in manifest.problems() { decoder.reader.add(problem) }
        return (manifest, decoder.reader.problems(file: file))
    }
}
