package import SceneRouting

/// A manifest as people name it: an example by its name, or a file by its path. What the file names in turn, such as an association
/// file, is found relative to the file's folder.
package struct NamedManifest: Sendable {
    /// The name of an example or the path of a file, as given.
    package let name: String
    /// Reads a file by its path.
    private let readFile: @Sendable (String) throws -> String

    /// - Parameter readFile: Reads a file by its path.
    package init(_ name: String, readFile: @escaping @Sendable (String) throws -> String) {
        self.name = name
        self.readFile = readFile
    }

    /// Reads and checks the manifest.
    /// - Throws: ``ManifestProblems``, or what reading the file throws.
    package func read() throws -> ReadManifest {
        try AppManifest.read(try text(), file: file, readFile: readNamed)
    }

    /// Everything wrong with the manifest, in the order of the file.
    /// - Throws: What reading the file throws.
    package func problems() throws -> [ManifestProblem] {
        AppManifest.problems(in: try text(), file: file, readFile: readNamed)
    }

    private var example: ExampleApp? { ExampleApp(rawValue: name) }

    private var file: String { example == nil ? name : "\(name).yaml" }

    private func text() throws -> String { try example?.text ?? readFile(name) }

    private func readNamed(_ path: String) throws -> String { try readFile(Self.path(path, namedIn: name)) }

    /// The path of a file that another file names: relative to the folder of that file, unless it is absolute.
    package static func path(_ path: String, namedIn file: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
        return file[...slash] + path
    }
}
