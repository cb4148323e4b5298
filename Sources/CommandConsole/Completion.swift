package import ArgumentParser
internal import SceneManifest

extension CompletionKind {
    /// A manifest: an example by its name, or a file.
    package static let apps = naming(ExampleApp.allCases.map(\.rawValue), orFilesIn: ["yaml", "yml", "json"])

    /// One of these names, or a file with one of these extensions.
    package static func naming(_ names: @autoclosure @escaping @Sendable () -> [String], orFilesIn extensions: [String])
        -> CompletionKind
    {
        .custom { _, _, prefix in
            let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
            let place = folder.isEmpty ? "." : folder
            let files = (try? Files.names(in: place, endingWith: extensions.map { ".\($0)" })) ?? []
            return names() + (files + Files.folders(in: place).map { "\($0)/" }).map { folder + $0 }
        }
    }
}
