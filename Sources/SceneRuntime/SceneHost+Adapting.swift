public import SceneEntryPoints

extension SceneHost {
    /// The app's adapters as they are in force: those of the manifest and those written in Swift.
    public var adapters: AdapterChain { app.current.adapters }

    /// Records that an adapter outside this process was passed over for an event that is not admitted yet.
    public func recordSkippedAdapter(_ name: String, reason: String, submission: Submission) {
        records.append(
            .adapterSkipped(adapter: name, reason: reason, call: submission.call),
            Record.Subject(
                scene: submission.scene,
                event: submission.eventID,
                connection: submission.connection
            )
        )
    }
}
