internal import Logging
internal import SceneEntryPoints
internal import SceneRouting
internal import SceneRuntime
internal import SceneService
internal import ServiceLifecycle
internal import Systemd
internal import UnixSignals

/// Reloads the manifest, for the socket API and for SIGHUP.
struct ManifestReloading: Sendable {
    let running: RunningHost
    let source: AppSource
    /// Adapters in Swift, which stay what they are.
    let adapters: [any EntryPointAdapter]
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
            try await source.put(logger) { try await host.reload($0, adapters: adapters) }
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
