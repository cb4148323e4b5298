internal import Logging
internal import SceneManifest
internal import SceneRouting
internal import SceneRuntime
internal import SceneService
internal import ServiceLifecycle
internal import Systemd
internal import UnixSignals

/// Reads the manifest again, for the socket API and for SIGHUP alike.
struct ManifestReloading: Sendable {
    let running: RunningHost
    let path: String?
    let manager: ServiceManager
    let logger: Logger

    func reload() async throws {
        manager.tell(.reloading)
        defer { manager.tell(.ready) }
        do {
            let host = running.current
            try await host.reload(try AppSource.manifest(at: path))
            logger.tell(.manifestLoaded, ["version": "\(host.manifest.version)"])
        } catch {
            logger.tell(.manifestRefused, ["problems": "\(error)"])
            throw error
        }
    }
}

/// SIGHUP reloads the manifest; what is wrong with it is in the log.
struct ReloadSignal: Service {
    let signals: UnixSignalsSequence
    let reloading: ManifestReloading

    func run() async {
        for await _ in signals.cancelOnGracefulShutdown() {
            try? await reloading.reload()
        }
    }
}
