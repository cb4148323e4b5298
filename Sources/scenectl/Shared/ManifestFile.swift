internal import ArgumentParser
internal import SceneManifest
internal import SceneModel
internal import SceneRouting

/// A manifest in a file.
enum ManifestFile {
    /// The manifest.
    /// - Throws: The manifest's problems, or why the file cannot be read.
    static func read(_ file: String) throws(CommandError) -> AppManifest {
        let directory = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        let text = try Input.text(file: file)
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

    /// The model of the app, which says what its history must be.
    static func model(_ file: String) throws(CommandError) -> AppModel { AppModel(try read(file)) }
}

/// The manifests by which a history is judged.
struct ManifestOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Judge the history by this manifest, too. Give it once for each version of the app that was in force.",
            valueName: "file"
        )
    )
    var app: [String] = []

    func models() throws(CommandError) -> [AppModel] {
        var read: [(file: String, manifest: AppManifest)] = []
        for file in app {
            let manifest = try ManifestFile.read(file)
            if let same = read.first(where: {
                $0.manifest.name == manifest.name && $0.manifest.version == manifest.version
            }),
                same.manifest != manifest
            {
                throw .usage(
                    "\(same.file) and \(file) are both \(manifest.name) \(manifest.version), but differ. Records name only the version; give each its own."
                )
            }
            read.append((file, manifest))
        }
        return read.map { AppModel($0.manifest) }
    }
}
