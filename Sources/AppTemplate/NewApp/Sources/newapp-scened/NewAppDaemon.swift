import NewApp
import SceneDaemon
import SceneEntryPoints
import SceneRuntime

/// The daemon: scened, with the app in it. It has every flag of scened; scenectl and pytest see no difference.
@main
struct NewAppDaemon: DaemonApp {
    static let manifest = ManifestSource.text(App.manifest, name: "NewApp.yaml")
    static let code = App.code()
    static let adapters = App.adapters
    static let version = "1.0.0"
}
