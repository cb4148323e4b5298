/// How an attempt ended, with the snapshot that decided it.
struct Ending {
    let outcome: Outcome
    let snapshot: SessionSnapshot

    init(_ outcome: Outcome, _ snapshot: SessionSnapshot) {
        self.outcome = outcome
        self.snapshot = snapshot
    }
}
