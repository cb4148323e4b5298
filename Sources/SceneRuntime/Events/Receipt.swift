public import SceneNavigation

/// What became of an event so far.
public struct Receipt: Hashable, Sendable {
    /// The event's ID, the client's or one we made.
    public let event: String
    public let scene: String?
    public let ticket: Int?
    public internal(set) var outcome: Outcome
    /// The session's revision at the event's last resolution; at admission, the newest.
    public internal(set) var revision: Int
    /// The window when the last attempt ended.
    public internal(set) var window: WindowState?
    /// Whether the event had been there before and nothing was done now.
    public internal(set) var isDuplicate = false
}

extension ReceiptStage {
    func isReached(by outcome: Outcome) -> Bool {
        switch self {
        case .admitted: true
        case .settled: outcome != .admitted
        case .finished: outcome.isTerminal
        }
    }
}
