import SceneDaemon
import SceneRuntime
import ShopInSwift

/// The shop as a daemon of its own: the built-in manifest, its coordinators written by hand.
@main
struct ShopDaemon: DaemonApp {
    static let manifest = ManifestSource.shop
    static let code = ShopInSwift.code
    static let version = "1.0.0"
}
