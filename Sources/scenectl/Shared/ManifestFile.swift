internal import ArgumentParser
internal import SceneManifest
internal import SceneModel
internal import SceneRouting

/// A manifest in a file, or that of an example.
enum ManifestFile {
    /// The manifest.
    /// - Throws: The manifest's problems, or why the file cannot be read.
    static func read(_ file: String) throws(CommandError) -> AppManifest {
        try reading(file) { try $0.read().manifest }
    }

    /// Everything wrong with the manifest, in the order of the file.
    /// - Throws: Why the file cannot be read.
    static func problems(_ file: String) throws(CommandError) -> [ManifestProblem] {
        try reading(file) { try $0.problems() }
    }

    /// The manifest with the text of its file, which is read once.
    /// - Throws: The manifest's problems, or why the file cannot be read.
    static func readText(_ file: String) throws(CommandError) -> (manifest: AppManifest, text: String) {
        if let example = ExampleApp(rawValue: file) { return (try read(file), example.text) }
        let text = try reading(file) { _ in try Input.text(file: file) }
        return (try reading(file, having: text) { try $0.read().manifest }, text)
    }

    private static func reading<Value>(
        _ file: String,
        having text: String? = nil,
        _ read: (NamedManifest) throws -> Value
    ) throws(CommandError) -> Value {
        do {
            return try read(
                NamedManifest(file) { path in
                    if path == file, let text { return text }
                    return try Input.text(file: path)
                }
            )
        } catch let error as CommandError where file != "-" && ExampleApp.isName(file) {
            throw .usage("\(error) \(ExampleApp.unknown(file))")
        } catch let error as CommandError {
            throw error
        } catch {
            throw .usage("\(error)", as: .page)
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
        ),
        completion: .apps
    )
    var app: [String] = []

    func models() throws(CommandError) -> [AppModel] {
        var models: [AppModel] = []
        for file in app { models.append(try ManifestFile.model(file)) }
        return models
    }
}
