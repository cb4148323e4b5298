internal import Glibc
internal import Logging
package import SceneManifest
internal import SceneRouting

/// Where an app's manifest, YAML or JSON, comes from.
public struct ManifestSource: Sendable {
    /// The longest manifest that is read, in bytes.
    private static let limit = 8 << 20

    private enum Kind: Sendable {
        case file(String)
        case text(String, name: String)
    }

    private let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// A file, which each reload reads again. A relative path is looked up beside the executable; what `Bundle.module` finds has an
    /// absolute one.
    public static func file(_ path: String) -> ManifestSource {
        ManifestSource(.file(path.hasPrefix("/") ? path : ownDirectory + path))
    }

    /// The text itself.
    ///
    /// - Parameters:
    ///   - text: A manifest, YAML or JSON.
    ///   - name: What messages call it.
    public static func text(_ text: String, name: String = "manifest") -> ManifestSource {
        ManifestSource(.text(text, name: name))
    }

    /// The text itself, in UTF-8: a resource that the target embeds in its code (`PackageResources.shop_yaml`).
    ///
    /// - Parameters:
    ///   - bytes: A manifest, YAML or JSON.
    ///   - name: What messages call it.
    public static func embedded(_ bytes: [UInt8], name: String = "manifest") -> ManifestSource {
        // What is not UTF-8 becomes a replacement character, which no manifest has a use for.
        ManifestSource(.text(String(decoding: bytes, as: UTF8.self), name: name))
    }

    /// The built-in shop.
    package static let shop = ManifestSource(.text(ExampleApp.shop.text, name: "shop.yaml"))

    /// What `--app` names: the path of a file, from the working directory, or an example.
    static func named(_ name: String) -> ManifestSource {
        guard let example = ExampleApp(rawValue: name) else { return ManifestSource(.file(name)) }
        return ManifestSource(.text(example.text, name: "\(name).yaml"))
    }

    /// The file's path; `nil` if the manifest is built in.
    var file: String? {
        if case .file(let path) = kind { path } else { nil }
    }

    /// What messages call it.
    package var name: String {
        switch kind {
        case .file(let path): path
        case .text(_, let name): name
        }
    }

    /// The manifest as it is now, with its warnings.
    /// - Throws: What is wrong with it, or why it cannot be read.
    package func read() throws -> ReadManifest {
        switch kind {
        case .text(let text, let name): return try AppManifest.read(text, file: name)
        case .file(let path):
            do {
                return try NamedManifest(path) { try TextFile.read($0, limit: Self.limit) }.read()
            } catch let error as ExitError where ExampleApp.isName(path) {
                throw ExitError(message: "\(error.message). \(ExampleApp.unknown(path))")
            }
        }
    }

    /// The directory of the executable, with a slash at the end.
    private static let ownDirectory: String = {
        guard let path = realpath("/proc/self/exe", nil) else { return "" }
        defer { free(path) }
        let executable = String(cString: path)
        return executable.lastIndex(of: "/").map { String(executable[...$0]) } ?? ""
    }()
}

/// What is read at the start and at each reload.
struct AppSource: Sendable {
    /// What `--app` names, if it does.
    let named: String?
    /// The manifest that the program has.
    let usual: @Sendable () -> ManifestSource

    /// Where the manifest comes from now.
    var source: ManifestSource { named.map(ManifestSource.named) ?? usual() }

    /// Has `use` put the manifest in force, then logs its warnings. What `use` finds wrong is told with the manifest's name.
    func put<Result>(_ logger: Logger, inForce use: (AppManifest) async throws -> Result) async throws -> Result {
        let source = source
        let read = try source.read()
        do {
            let result = try await use(read.manifest)
            logger.log(read.warnings, at: source.name)
            return result
        } catch let error as ManifestProblems {
            throw error.inFile(source.name)
        }
    }
}
