internal import ArgumentParser
internal import CommandConsole
internal import SceneModel

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

extension ManifestFile {
    /// The model of the app, which says what its history must be.
    static func model(_ file: String) throws(CommandError) -> AppModel { AppModel(try read(file)) }
}
