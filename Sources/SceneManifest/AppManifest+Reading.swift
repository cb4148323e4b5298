public import SceneRouting
internal import StrictJSON

/// A manifest that was read from text, with its warnings.
public struct ReadManifest: Hashable, Sendable {
    /// The manifest, which has no errors.
    public let manifest: AppManifest
    /// The warnings, in the order of the file.
    public let warnings: [ManifestProblem]
}

extension AppManifest {
    /// Reads and checks a manifest file in YAML or JSON.
    /// - Parameters:
    ///   - text: the content of the file, at most 4 MiB.
    ///   - file: the name of the file for problems.
    ///   - readFile: reads another file that the manifest names, such as an association file, by its path as written in the
    ///     manifest. Without it, a manifest that names files is refused.
    /// - Throws: all problems in the order of the file, if one of them is an error.
    public static func read(
        _ text: String,
        file: String? = nil,
        readFile: ((String) throws -> String)? = nil
    ) throws(ManifestProblems) -> ReadManifest {
        try read(text, file: file, readFile: readFile, warns: true)
    }

    /// Reads the manifest that a daemon has in force, as JSON. The warnings, which take the longest to find, were for whoever gave it.
    /// - Throws: the errors, if the daemon is of a version that allows what this one does not.
    package static func inForce(_ json: String) throws(ManifestProblems) -> AppManifest {
        try read(json, file: nil, readFile: nil, warns: false).manifest
    }

    private static func read(
        _ text: String,
        file: String?,
        readFile: ((String) throws -> String)?,
        warns: Bool
    ) throws(ManifestProblems) -> ReadManifest {
        let (manifest, problems) = check(text, file: file, readFile: readFile, warns: warns)
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
        check(text, file: file, readFile: readFile, warns: true).problems
    }

    /// The content of a manifest file, YAML or JSON, as JSON text. Names and values are not checked.
    /// - Throws: a problem with its place if the text is neither YAML nor JSON.
    package static func json(of text: String) throws(ManifestProblem) -> String {
        try ManifestText.parse(text).json.text(.indented)
    }

    private static func check(
        _ text: String,
        file: String?,
        readFile: ((String) throws -> String)?,
        warns: Bool
    ) -> (manifest: AppManifest?, problems: [ManifestProblem]) {
        let node: ManifestNode
        do {
            node = try ManifestText.parse(text)
        } catch {
            var problem = WrittenFile.manifest.problem(with: WrittenFile(text)) ?? error
            problem.file = file
            return (nil, [problem])
        }
        if let problem = WrittenFile.manifest.problem(with: WrittenFile(node), file: file) { return (nil, [problem]) }
        var decoder = ManifestDecoder(readFile: readFile)
        let manifest = decoder.manifest(node)
        // A misspelt key makes everything look wrong that depends on what it should have said.
        // What could not be read makes other things look unused.
        if let manifest, !decoder.reader.hasMisspeltKeys {
            for problem in manifest.problems(warns: warns && !decoder.reader.hasErrors) { decoder.reader.add(problem) }
        }
        return (manifest, decoder.reader.problems(file: file))
    }
}

extension AppManifest {
    /// The manifest of the built-in shop as YAML, as an example to copy.
    public static let builtInShopText = ExampleApp.shop.text

    /// The manifest of the built-in shop, the app that runs if no other is given.
    /// - Throws: nothing, because a test reads the same text.
    public static func builtInShop() throws(ManifestProblems) -> AppManifest { try ExampleApp.shop.manifest() }
}
