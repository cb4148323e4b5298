/// Notices that nothing moves.
struct StallWatch {
    let limit: Duration
    private var last = -1
    private var since = ContinuousClock.now
    private(set) var hasStalled = false

    init(limit: Duration) {
        self.limit = limit
    }

    mutating func isStalled(at progress: Int) -> Bool {
        let now = ContinuousClock.now
        if progress != last { (last, since) = (progress, now) }
        if now - since > limit { hasStalled = true }
        return hasStalled
    }
}
