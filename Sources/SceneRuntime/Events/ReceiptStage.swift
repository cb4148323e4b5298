/// How long a client waits for its receipt.
public enum ReceiptStage: String, Hashable, Sendable, CaseIterable {
    /// Not at all: the receipt says `admitted`.
    case admitted
    /// Until the first attempt has ended, be it in `gated`.
    case settled
    /// Until the terminal outcome.
    case finished

    func isReached(by outcome: Outcome) -> Bool {
        switch self {
        case .admitted: true
        case .settled: outcome != .admitted
        case .finished: outcome.isTerminal
        }
    }
}
