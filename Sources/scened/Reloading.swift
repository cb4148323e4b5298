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
    let logger: Logger

    func reload() async throws {
        tell(.reloading)
        defer { tell(.ready) }
        do {
            let host = running.current
            try await host.reload(try AppSource.manifest(at: path))
            logger.notice("manifest loaded", metadata: ["version": "\(host.manifest.version)"])
        } catch {
            logger.error("the manifest was not loaded, the old one stays in force", metadata: ["problems": "\(error)"])
            throw error
        }
    }

    private func tell(_ notification: ServiceNotification) {
        do {
            try notify(notification)
        } catch {
            logger.warning("the service manager was not told", metadata: ["error": "\(error)"])
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
