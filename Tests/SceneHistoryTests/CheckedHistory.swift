import SceneHistory
import SceneModel
import SceneRouting
import StrictJSON

/// Checks a history as a file of lines, the way `scenectl check` does; with `--app` if there is an app.
///
/// - Parameters:
///   - digest: Under which the records name the app; by default the manifest's own.
///   - apps: Further manifests, by their own digests.
func checked(
    _ records: [JSONObject],
    limit: Int = 1_000_000,
    app: AppManifest? = nil,
    digest: String? = nil,
    apps: [AppManifest] = []
) -> HistoryReport {
    var reader = HistoryReader()
    let own = app.map { [AppModel($0, digest: digest ?? $0.digest)] } ?? []
    var checker = HistoryChecker(limit: limit, apps: own + apps.map(AppModel.init))
    for record in records {
        var bytes: [UInt8] = []
        JSONValue.object(record).write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        reader.read(bytes) { checker.check($0) }
    }
    reader.finish { checker.check($0) }
    return checker.finish()
}

extension HistoryReport {
    /// The invariants found violated, in any host.
    var violated: Set<Invariant> {
        Set(
            hosts.flatMap(\.verdicts)
                .filter { if case .violated = $0.verdict { true } else { false } }
                .map(\.invariant)
        )
    }
}
