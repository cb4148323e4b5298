import NewApp
import SceneDaemon
import SceneDaemonRaces
import SceneEntryPoints
import SceneRuntime

/// The daemon: scened, with the app in it. It has every flag of scened; scenectl and pytest see no difference. Besides, 'race' searches
/// the orders of a scenario with the app's code.
@main
struct NewAppDaemon: RacingApp {
    static let manifest = ManifestSource.text(App.manifest, name: "NewApp.yaml")
    /// Made anew for each order of a race.
    static var code: AppCode { App.code() }
    static let adapters = App.adapters
    static let version = "1.0.0"
    static let scenarios = ScenarioFolder("../../Tests/Scenarios")
}
