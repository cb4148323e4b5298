package import Interleaving
public import SceneEntryPoints
internal import SceneManifest
package import SceneRouting
public import SceneRuntime

/// An app as its races run it: its manifest, and what it has in Swift.
///
/// ```swift
/// extension RaceApp {
///     static let myApp = RaceApp(manifest: App.manifest, code: App.code(), adapters: App.adapters)
/// }
/// ```
public struct RaceApp: Sendable {
    /// Where the manifest is.
    private enum Manifest: Sendable {
        case text(String, name: String)
        /// The path of a file, from the root or from the folder in which the process runs.
        case file(String)
        /// What a program reads by itself, and what it calls it.
        case read(@Sendable () throws -> AppManifest, name: String)
        /// What the scenario names, the shop if it names none.
        case named
    }

    private let manifest: Manifest
    private let code: @Sendable () -> AppCode
    private let adapters: [any EntryPointAdapter]

    /// An app whose manifest is a text, such as a resource that its target embeds.
    ///
    /// - Parameters:
    ///   - manifest: The manifest, YAML or JSON. It is read when a race begins, and what is wrong with it is told there.
    ///   - name: What messages call it.
    ///   - code: The app's coordinators, screens, seam and coordinator for notifications. It is made anew for each order that is run,
    ///     with everything that it refers to, so that no order finds what another has left.
    ///   - adapters: The app's adapters in Swift, besides those of the manifest. All orders share them.
    public init(
        manifest: String,
        name: String = "manifest",
        code: @autoclosure @escaping @Sendable () -> AppCode = AppCode(),
        adapters: [any EntryPointAdapter] = []
    ) {
        self.init(.text(manifest, name: name), code: code, adapters: adapters)
    }

    /// An app whose manifest is a file.
    ///
    /// - Parameters:
    ///   - manifestFile: The path of the manifest, YAML or JSON, from the folder of the file in which this stands, or from the root.
    ///   - code: As for ``init(manifest:name:code:adapters:)``.
    ///   - adapters: The same.
    ///   - file: The file in which this stands.
    public init(
        manifestFile: String,
        code: @autoclosure @escaping @Sendable () -> AppCode = AppCode(),
        adapters: [any EntryPointAdapter] = [],
        file: String = #filePath
    ) {
        self.init(.file(NamedManifest.path(manifestFile, namedIn: file)), code: code, adapters: adapters)
    }

    /// An app whose manifest a program reads by itself.
    ///
    /// - Parameters:
    ///   - name: What messages call the manifest.
    ///   - read: Reads it; called when a race begins.
    package init(
        named name: String,
        reading read: @escaping @Sendable () throws -> AppManifest,
        code: @escaping @Sendable () -> AppCode,
        adapters: [any EntryPointAdapter]
    ) {
        self.init(.read(read, name: name), code: code, adapters: adapters)
    }

    /// No app of its own: each scenario runs in the manifest that it names, without code in Swift.
    package static let named = RaceApp(.named, code: { AppCode() }, adapters: [])

    private init(_ manifest: Manifest, code: @escaping @Sendable () -> AppCode, adapters: [any EntryPointAdapter]) {
        self.manifest = manifest
        self.code = code
        self.adapters = adapters
    }
}

extension RaceApp {
    /// The race of a scenario in this app, or in the one that the scenario names, with this app's code.
    ///
    /// - Parameters:
    ///   - scenario: The scenario's file, YAML or JSON.
    ///   - file: Its path, which problems name, and relative to which it names others.
    ///   - app: The manifest in which it happens, in place of this app's and of the one that it names.
    ///   - mailbox: Which jobs of a window, or of the session, may overtake each other.
    ///   - readFile: Reads a file by its path.
    /// - Throws: `ManifestProblems` for what is wrong with the scenario or a manifest or does not fit the code, or what `readFile` throws.
    package func race(
        _ scenario: String,
        file: String,
        app: Scenario.GivenApp? = nil,
        mailbox: MailboxPolicy = .fifo,
        readFile: @escaping @Sendable (String) throws -> String
    ) throws -> Race {
        let first = code()
        let read = try Scenario.read(
            scenario,
            file: file,
            app: app,
            ownApp: app == nil ? try given(readFile) : nil,
            hasCode: first.decides,
            readFile: { try readFile(NamedManifest.path($0, namedIn: file)) }
        )
        do throws(ManifestProblems) {
            return try Race(read, mailbox: mailbox, code: code, adapters: adapters)
        } catch {
            throw error.inFile(file)
        }
    }

    /// The app as a scenario that names none has it.
    private func given(_ readFile: @escaping @Sendable (String) throws -> String) throws -> Scenario.GivenApp? {
        switch manifest {
        case .text(let text, let name):
            Scenario.GivenApp(name: name, manifest: try AppManifest.read(text, file: name).manifest)
        case .file(let path):
            Scenario.GivenApp(name: path, manifest: try NamedManifest(path, readFile: readFile).read().manifest)
        case .read(let read, let name): Scenario.GivenApp(name: name, manifest: try read())
        case .named: nil
        }
    }
}
