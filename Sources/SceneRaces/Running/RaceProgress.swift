internal import SceneRuntime

/// How far the runs of a race have come in this process.
///
/// Code of the app that does not return keeps the one thread of a simulation, so only another thread can tell.
package struct RaceProgress: Sendable {
    /// The number of the run that is under way, from 1; 0 between two, when others may have the one thread for a simulation, and if
    /// other processes run all.
    package let run: Int
    /// The index of the newest record in its history.
    package let record: Int
    /// What that record is about, such as `window A, event inA.1, dispatch.began`; `nil` if there is none.
    package let doing: String?

    /// Whether nothing has happened since an earlier look, although a run is under way.
    package func isStill(since earlier: RaceProgress) -> Bool {
        run > 0 && (run, record) == (earlier.run, earlier.record)
    }

    static func words(_ record: Record) -> String {
        [
            record.subject.scene.map { "window \($0)" }, record.subject.event.map { "event \($0)" },
            record.kind.rawValue,
        ].compactMap(\.self).joined(separator: ", ")
    }
}
