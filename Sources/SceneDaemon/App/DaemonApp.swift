internal import ArgumentParser
public import SceneEntryPoints
public import SceneRuntime

/// An app that runs as a daemon of its own: a manifest and, in addition, code in Swift.
///
/// Mark a type with `@main`, and the executable is the whole daemon, with every flag, setting and method of `scened`; see
/// <doc:YourOwnDaemon>.
///
/// ```swift
/// import SceneDaemon
///
/// @main
/// struct Shop: DaemonApp {
///     static let manifest = ManifestSource.file("shop.yaml")
///     static let code = AppCode(coordinators: ["checkout": { CheckoutCoordinator() }])
///     static let version = "2.3.1"
/// }
/// ```
public protocol DaemonApp: SendableMetatype {
    /// Where the manifest is, unless `--app` names another. It is asked for again at each reload.
    static var manifest: ManifestSource { get }
    /// The app's coordinators, screens and seam; by default none. It is asked for once, when the daemon starts.
    static var code: AppCode { get }
    /// Adapters written in Swift, besides those of the manifest; by default none. They are asked for once.
    static var adapters: [any EntryPointAdapter] { get }
    /// The app's version, such as `2.3.1`: what `--version` and the status show, and the setting `appVersion` unless it is set.
    static var version: String { get }
    /// What the program can do besides being the daemon, such as `race` of the product `SceneDaemonRaces`; by default nothing.
    static var subcommands: [DaemonSubcommand] { get }
}

extension DaemonApp {
    /// No code: all flows follow the manifest, and the windows have no screens.
    public static var code: AppCode { AppCode() }

    /// No adapters besides those of the manifest.
    public static var adapters: [any EntryPointAdapter] { [] }

    /// Nothing besides the daemon.
    public static var subcommands: [DaemonSubcommand] { [] }

    /// Runs the daemon of the process's arguments until it stops, or the subcommand that they name, then ends the process.
    @MainActor
    public static func main() async { await DaemonProcess<Self>.main() }
}

/// A daemon that is nobody's app: `--app` names what it runs, and the version is that of the daemon alone.
package protocol PlainDaemon: DaemonApp {}

/// What the daemon is told by the executable that it is in.
struct DaemonProgram: Sendable {
    let manifest: @Sendable () -> ManifestSource
    let code: AppCode
    let adapters: [any EntryPointAdapter]
    /// Whose code runs, and its version; `nil` for a ``PlainDaemon``.
    let owner: Owner?

    struct Owner: Sendable {
        let name: String
        let version: String

        init?<App: DaemonApp>(_ app: App.Type) {
            if app is any PlainDaemon.Type { return nil }
            (name, version) = ("\(App.self)", App.version)
        }
    }

    init<App: DaemonApp>(_ app: App.Type) {
        manifest = { App.manifest }
        code = App.code
        adapters = App.adapters
        owner = Owner(app)
    }

    /// Whether there is any code that is not the daemon's.
    var hasCode: Bool { !code.isEmpty || !adapters.isEmpty }
}

extension DaemonProgram.Owner {
    /// The version as `--version` prints it, such as `Shop 2.3.1 (scened 1.0.0)`.
    var versionLine: String { "\(name) \(version) (scened \(DaemonVersion.current))" }
}
