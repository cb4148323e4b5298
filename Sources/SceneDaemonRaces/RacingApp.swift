internal import CommandMistakes
internal import CommandConsole
internal import RaceCommand
public import SceneDaemon
internal import SceneManifest
internal import SceneRaces
internal import SceneRouting
internal import SystemPackage

/// An app whose daemon has the command `race`, which is `scenectl race` with the app's own code.
///
/// ```swift
/// import SceneDaemon
/// import SceneDaemonRaces
///
/// @main
/// struct Shop: RacingApp {
///     static let manifest = ManifestSource.file("shop.yaml")
///     static var code: AppCode { AppCode(coordinators: ["checkout": { CheckoutCoordinator() }]) }
///     static let version = "2.3.1"
///     static let scenarios = ScenarioFolder("../../Tests/Scenarios")
/// }
/// ```
///
/// Let ``/SceneDaemon/DaemonApp/code`` be computed: it is asked for once for each order, and what it refers to must be new each time, so
/// that no order finds what another has left. The adapters are shared by all.
public protocol RacingApp: DaemonApp {
    /// The app's scenarios: `race` takes them by name, `--list` lists them and `--all` searches them all. It takes any other by its path.
    static var scenarios: ScenarioFolder { get }
}

extension RacingApp {
    /// The command `race`.
    public static var subcommands: [DaemonSubcommand] { [race] }

    /// The command `race`, for an app that has other subcommands, too.
    public static var race: DaemonSubcommand {
        DaemonSubcommand(RaceVerb<AppRaces<Self>>.self) { root, words in
            await CommandProgram(root, habits: .init(options: CommandMistake.Habits.usualOptions)).run(words)
        }
    }
}

/// A folder of scenarios, one in each file in YAML or JSON, which is named by its file without the ending.
public struct ScenarioFolder: Sendable {
    /// The folder's path, absolute.
    let path: String

    /// - Parameters:
    ///   - path: The path from the folder of the file in which this stands, or from the root.
    ///   - file: The file in which this stands.
    public init(_ path: String, file: String = #filePath) {
        self.path = FilePath(file).removingLastComponent().pushing(FilePath(path)).lexicallyNormalized().string
    }
}

/// `race` of an app's daemon.
private enum AppRaces<App: RacingApp>: RaceProgram {
    static var name: String { CommandName.own }
    static var scenarios: RaceScenarios { .folder(App.scenarios.path) }
    static var app: RaceApp? {
        let manifest = App.manifest
        return RaceApp(
            named: manifest.name,
            reading: {
                do {
                    return try manifest.read().manifest
                } catch let problems as ManifestProblems {
                    throw problems
                } catch {
                    throw CommandError.usage("\(error)", as: .page)
                }
            },
            code: { App.code },
            adapters: App.adapters
        )
    }
    static var daemon: RaceScript.Daemon { RaceScript.Daemon(program: name, app: App.manifest.name) }
}
