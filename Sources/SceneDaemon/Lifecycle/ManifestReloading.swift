internal import Logging
internal import SceneManifest
internal import SceneRouting
internal import SceneRuntime
internal import SceneService
internal import ServiceLifecycle
internal import Systemd
internal import UnixSignals

/// Reloads the manifest, for the socket API and for SIGHUP.
struct ManifestReloading: Sendable {
    let running: RunningHost
    let path: String?
    /// About the settings, which a reload does not change: whoever reloads may be looking at the log.
    let warnings: [SettingWarning]
    let manager: ServiceManager
    let logger: Logger

    func reload() async throws {
        manager.notify(.reloading)
        defer { manager.notify(.ready) }
        logger.log(warnings)
        do {
            let host = running.current
            let read = try AppSource.manifest(at: path)
            logger.log(read.warnings, at: path)
            try await host.reload(read.manifest)
            logger.log(.manifestLoaded, ["version": "\(host.manifest.version)"])
        } catch {
            logger.log(.manifestRefused, ["problems": "\(error)"])
            throw error
        }
    }
}

/// Reloads the manifest at each SIGHUP; errors are logged.
struct ReloadSignal: Service {
    let signals: UnixSignalsSequence
    let reloading: ManifestReloading

    func run() async {
        for await _ in signals.cancelOnGracefulShutdown() {
            try? await reloading.reload()
        }
    }
}

/// Where the app's manifest comes from.
enum AppSource {
    /// The longest file that is read, in bytes.
    private static let limit = 8 << 20

    /// The manifest in the file at `path`, or of the example of this name, with its warnings; the built-in shop's if that is `nil`.
    static func manifest(at path: String?) throws -> (manifest: AppManifest, warnings: [ManifestProblem]) {
        guard let path else { return (try AppManifest.builtInShop(), []) }
        do {
            let read = try ManifestSource(path) { try TextFile.read($0, limit: limit) }.read()
            return (read.manifest, read.warnings)
        } catch let error as ExitError where ExampleApp.isName(path) {
            throw ExitError(message: "\(error.message). \(ExampleApp.unknown(path))")
        }
    }
}
