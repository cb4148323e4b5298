public import SceneEntryPoints

extension SceneHost {
    /// The app's adapters as they are in force: those of the manifest and those written in Swift.
    public var adapters: AdapterChain { app.current.adapters }

    /// An ID for an event that its sender gave none, so that what is recorded of it before it is admitted can name it.
    public func makeEventID(sender: String?) -> String { ledger.makeID(sender: sender) }

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
