public import SceneRouting
internal import SceneNavigation

/// What has become of an event so far.
public struct Receipt: Hashable, Codable, Sendable {
    /// The event's ID, the client's or one that the host made.
    public let event: String
    /// The scene that took the event; `nil` if the app itself got it (<doc:MailboxOrder#The-mailbox-of-the-app>).
    public let scene: String?
    /// Why that scene takes it; `nil` if the app itself does.
    public let choice: SceneChoice?
    /// The event's place in the order of that scene, or of the app, from 1 without gaps.
    public let ticket: Int?
    /// How the event ended, or where it stands.
    public internal(set) var outcome: Outcome
    /// The session's revision at the event's last resolution; before that, the newest at admission.
    public internal(set) var revision: Int
    /// The window when the last attempt ended; `nil` before that.
    public internal(set) var window: WindowState?
    /// What the coordinator that took an intent answered; `nil` for no answer, and for what is rejected or
    /// abandoned.
    public internal(set) var answer: [String: FactValue]?
    /// What has become of the windows that the event asked for, in the order asked.
    public internal(set) var windows: [WindowAnswer] = []
    /// Whether the event had been admitted before, so that this submission did nothing.
    public internal(set) var isDuplicate = false
}

extension Receipt {
    /// About how many bytes of memory it takes while it is remembered by its ID, without the window.
    var footprint: Int {
        512 + 96 * windows.count + event.footprint + (outcome.reason?.footprint ?? 0) + (answer?.footprint ?? 0)
    }
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
