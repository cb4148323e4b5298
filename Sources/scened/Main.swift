internal import SceneDaemon

/// The daemon of whichever manifest `--app` names, with no code in Swift.
@main
struct Scened: PlainDaemon {
    static let manifest = ManifestSource.shop
    static var version: String { DaemonVersion.current }
}
