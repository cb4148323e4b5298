internal import ArgumentParser
internal import SceneManifest
internal import SceneModel
internal import SceneRouting

/// A manifest in a file, or that of an example.
enum ManifestFile {
    /// The manifest.
    /// - Throws: The manifest's problems, or why the file cannot be read.
    static func read(_ file: String) throws(CommandError) -> AppManifest {
        let directory = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        do throws(ManifestProblems) {
            if let example = ExampleApp(rawValue: file) { return try example.manifest() }
        } catch {
            throw CommandError.usage("\(error)", as: .page)
        }
        let text = try text(file)
        do throws(ManifestProblems) {
            return try AppManifest.read(
                text,
                file: file,
                readFile: { try Input.text(file: $0.hasPrefix("/") ? $0 : directory + $0) }
            ).manifest
        } catch {
            throw CommandError.usage("\(error)", as: .page)
        }
    }

    private static func text(_ file: String) throws(CommandError) -> String {
        do {
            return try Input.text(file: file)
        } catch {
            guard file != "-", ExampleApp.isName(file) else { throw error }
            throw .usage("\(error) \(ExampleApp.unknown(file))")
        }
    }

    /// The model of the app, which says what its history must be.
    static func model(_ file: String) throws(CommandError) -> AppModel { AppModel(try read(file)) }
}

/// The manifests by which a history is judged.
struct ManifestOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Judge the history by this manifest, or an example by its name, too. Give it once for each manifest that was in force; records name them by digest.",
            valueName: "file"
        )
    )
    var app: [String] = []

    func models() throws(CommandError) -> [AppModel] {
        var models: [AppModel] = []
        for file in app { models.append(try ManifestFile.model(file)) }
        return models
    }
}
