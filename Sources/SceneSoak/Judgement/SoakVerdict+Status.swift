extension SoakVerdict {
    /// The exit status of `scenectl soak`: 0 well, 1 guilty, 3 the daemon went away for good, 4 unknown.
    ///
    /// A soak of a minute cannot know what grows, and one that was told to read no records cannot know the invariants:
    /// neither is a failure, unless an objective asks for it.
    /// - Parameter followsRecords: Whether the records were to be read.
    package func status(of run: SoakRun, followsRecords: Bool) -> Int32 {
        if case .failed = run.ending { return 3 }
        if conclusion == .guilty { return 1 }
        let doubts = reasons.filter { reason in
            switch reason.kind {
            case .trend: false
            case .unchecked: followsRecords
            default: true
            }
        }
        return doubts.isEmpty ? 0 : 4
    }
}
