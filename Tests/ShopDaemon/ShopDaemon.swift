import SceneDaemon
import SceneDaemonRaces
import SceneRuntime
import ShopInSwift

/// The shop as a daemon of its own: the built-in manifest, its coordinators written by hand.
@main
struct ShopDaemon: RacingApp {
    static let manifest = ManifestSource.shop
    static let code = ShopInSwift.code
    static let version = "1.0.0"
    static let scenarios = ScenarioFolder("Scenarios")
}
