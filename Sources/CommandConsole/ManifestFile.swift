internal import SceneManifest
package import SceneRouting

/// A manifest in a file, or that of an example.
package enum ManifestFile {
    /// The manifest.
    /// - Throws: The manifest's problems, or why the file cannot be read.
    package static func read(_ file: String) throws(CommandError) -> AppManifest {
        try reading(file) { try $0.read().manifest }
    }

    /// Everything wrong with the manifest, in the order of the file.
    /// - Throws: Why the file cannot be read.
    package static func problems(_ file: String) throws(CommandError) -> [ManifestProblem] {
        try reading(file) { try $0.problems() }
    }

    /// The manifest with the text of its file, which is read once.
    /// - Throws: The manifest's problems, or why the file cannot be read.
    package static func readText(_ file: String) throws(CommandError) -> (manifest: AppManifest, text: String) {
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
}
